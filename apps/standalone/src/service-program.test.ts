import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identifyProcess, isRunning, type ProcessIdentity } from '@capture/provisioning/process-identity';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServiceOptions, serviceProgram } from './service-program.ts';
import type { RunningProgram } from './supervisor.ts';

let folder: string;
let pids: number[];
let ended: number[];
let running: RunningProgram | undefined;

beforeEach(() => {
  folder = makeTestFolder('service');
  pids = [];
  ended = [];
  running = undefined;
});

afterEach(async () => {
  running?.kill();
  await running?.exited;
});

/** A program that behaves like every service: it reports that it is ready, drains on SIGTERM, and ends when the channel closes. */
const good = `
  const stop = (why) => { console.log('draining: ' + why); setTimeout(() => process.exit(0), 20); };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('disconnect', () => stop('no supervisor'));
  process.send({ type: 'ready' });`;

function options(script: string, more: Partial<ServiceOptions> = {}): ServiceOptions {
  const file = path.join(folder, 'main.mjs');
  writeFileSync(file, script);
  return {
    name: 'gateway',
    stage: 1,
    file,
    env: { PROVIDED: 'this' },
    logFile: path.join(folder, 'gateway.log'),
    onStart: (pid) => pids.push(pid),
    onEnd: (pid) => ended.push(pid),
    ...more,
  };
}

const log = () => readFileSync(path.join(folder, 'gateway.log'), 'utf8');

async function start(script: string, more: Partial<ServiceOptions> = {}): Promise<RunningProgram> {
  running = await serviceProgram(options(script, more)).start(new AbortController().signal);
  return running;
}

function identify(pid: number | undefined): ProcessIdentity {
  const identity = identifyProcess(pid ?? 0);
  if (!identity) throw new Error(`${pid} does not run`);
  return identity;
}

describe('a service', () => {
  it('starts with its own environment, and can drain when it is stopped', async () => {
    const service = await start(`console.log(JSON.stringify(Object.keys(process.env))); ${good}`);
    await service.stop();
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(log()).toContain('["PROVIDED"');
    expect(log()).not.toContain('TEST_POSTGRES_URL');
    expect(log()).toContain('draining: SIGTERM');
    expect(ended).toEqual(pids);
  });

  it('reports the port of its metrics at each start', async () => {
    const ports: number[] = [];
    const onMetricsPort = (port: number) => ports.push(port);
    const serving = (port: number) => `process.send({ type: 'metrics', port: ${port} }); ${good}`;
    await (await start(serving(4_001), { onMetricsPort })).stop();
    await (await start(serving(4_002), { onMetricsPort })).stop();
    expect(ports).toEqual([4_001, 4_002]);
  });

  it('leads its own process group, which ends with it', async () => {
    const service = await start(`
      import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      console.log('child ' + child.pid);
      ${good}`);
    const [pid] = pids;
    const child = identify(Number(/child (\d+)/.exec(log())?.[1]));
    process.kill(pid as number, 'SIGKILL');
    expect(await service.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await waitUntil(() => !isRunning(child), { what: 'the child of the service to end' });
  });

  it('is killed if it does not end in time', async () => {
    const deaf = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.send({ type: 'ready' });`;
    const service = await start(deaf, { stopWithinMs: 30 });
    await service.stop();
    expect(await service.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('that cannot start reports why: its own message', async () => {
    const refusing = `process.send({ type: 'failed', message: 'STORAGE_URL: no such folder' }, () => process.exit(1));`;
    await expect(start(refusing)).rejects.toThrow('gateway did not start: STORAGE_URL: no such folder');
  });

  it('that cannot start reports why: its last output', async () => {
    await expect(start(`throw new Error('out of luck')`)).rejects.toThrow(
      /gateway did not start: it ended with code 1; Error: out of luck/,
    );
  });

  it('that is not ready in time is ended', async () => {
    await expect(start('setInterval(() => {}, 1000)', { readyWithinMs: 50 })).rejects.toThrow('not ready within');
    expect(ended).toEqual(pids);
  });

  it('that is not ready when the platform stops is ended', async () => {
    const stopping = new AbortController();
    const program = serviceProgram(options('setInterval(() => {}, 1000)', { onStart: () => stopping.abort() }));
    await expect(program.start(stopping.signal)).rejects.toThrow('the platform is stopping');
  });

  it('drains and ends by itself when the supervisor is killed', async () => {
    const { file } = options(good);
    const script = path.join(folder, 'supervisor.mjs');
    const built = path.join(import.meta.dirname, '..', 'dist', 'service-program.js');
    writeFileSync(
      script,
      `import { serviceProgram } from ${JSON.stringify(built)};
       await serviceProgram({
         name: 'gateway', stage: 1, file: ${JSON.stringify(file)}, env: {},
         logFile: ${JSON.stringify(path.join(folder, 'gateway.log'))},
         onStart: (pid) => console.log('started ' + pid), onEnd: () => {},
       }).start(new AbortController().signal);
       console.log('ready');`,
    );
    const supervisor = startProcess({ name: 'supervisor', args: [script] });
    await supervisor.waitForOutput(/ready/);
    const service = identify(Number(/started (\d+)/.exec(supervisor.output())?.[1]));
    await supervisor.kill();
    await waitUntil(() => !isRunning(service), { what: 'the service to end' });
    expect(log()).toContain('draining: no supervisor');
  });
});
