import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startGuarded } from './guarded-process.ts';
import type { GuardOrder } from './process-guard.ts';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';
import { ProcessTable, readRunning } from './process-table.ts';

let folder: string;
const endings: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'guard-test-'));
});

afterEach(async () => {
  for (const end of endings.splice(0)) await end();
  rmSync(folder, { recursive: true });
});

// The server prints its input, and `bye` when it is stopped.
const server = `
  process.stdin.on('data', (bytes) => console.log('input ' + bytes));
  process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });
  setInterval(() => {}, 1000);
  console.log('up');`;

function order(script: string, more: Partial<GuardOrder> = {}): GuardOrder {
  return {
    command: process.execPath,
    args: ['-e', script],
    cwd: folder,
    env: {},
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
    ...more,
  };
}

async function until(what: string, condition: () => unknown): Promise<void> {
  for (const end = Date.now() + 60_000; !condition(); await sleep(10)) {
    if (Date.now() > end) throw new Error(`waited for ${what}`);
  }
}

function identify(pid: number): ProcessIdentity {
  const identity = identifyProcess(pid);
  if (!identity) throw new Error(`${pid} does not run`);
  return identity;
}

describe('a server under a process guard', () => {
  it('gets its input, writes to its log, and is stopped with its stop signal', async () => {
    const log = path.join(folder, 'log');
    const guarded = await startGuarded(order(server, { input: 'secret' }), log);
    await until('its output', () => /up[\s\S]*input secret/.test(guarded.output()));
    await guarded.stop();
    expect(await guarded.exited).toEqual({ code: 0, signal: null });
    expect(readFileSync(log, 'utf8')).toMatch(/bye\n$/);
    expect(identifyProcess(guarded.guardPid)).toBeNull();
  });

  it('is killed if it does not stop in time', async () => {
    const deaf = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up');`;
    const guarded = await startGuarded(order(deaf, { stopWithinMs: 50 }), path.join(folder, 'log'));
    await until('its output', () => guarded.output().includes('up'));
    await guarded.stop();
    expect(await guarded.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('reports how it ended', async () => {
    const guarded = await startGuarded(order('process.exit(7)'), path.join(folder, 'log'));
    expect(await guarded.exited).toEqual({ code: 7, signal: null });
    const killed = await startGuarded(order(server), path.join(folder, 'log'));
    killed.kill();
    expect(await killed.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('does not outlive a guard that is killed', async () => {
    const guarded = await startGuarded(order(server), path.join(folder, 'log'));
    const identity = identify(guarded.pid);
    process.kill(guarded.guardPid, 'SIGKILL');
    await guarded.exited;
    expect(isRunning(identity)).toBe(false);
  });

  it('rejects a command that does not exist', async () => {
    const missing = order('', { command: path.join(folder, 'nothing') });
    await expect(startGuarded(missing, path.join(folder, 'log'))).rejects.toThrow('ENOENT');
  });
});

describe('when the supervisor is killed', () => {
  /** Starts a process that starts a guarded server as the supervisor does. The process prints the ids and waits to be killed. */
  async function startSupervisor(processTable: string) {
    const module = path.join(import.meta.dirname, '..', 'dist', 'guarded-process.js');
    const script = path.join(folder, 'supervisor.mjs');
    const linger = { processTable, forMs: 20_000 };
    writeFileSync(
      script,
      `import { startGuarded } from ${JSON.stringify(module)};
       const guarded = await startGuarded(${JSON.stringify(order(server, { linger }))}, ${JSON.stringify(path.join(folder, 'log'))});
       console.log(JSON.stringify([guarded.pid, guarded.guardPid]));`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    endings.push(() => child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [pid, guardPid] = JSON.parse(line.toString()) as [number, number];
    return { child, serverProcess: identify(pid), guard: identify(guardPid) };
  }

  it('its server ends too, after the services that still use it', async () => {
    const table = new ProcessTable(path.join(folder, 'processes.json'));
    const service = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    endings.push(() => service.kill('SIGKILL'));
    table.add('gateway', 'service', service.pid as number);
    const { child, serverProcess, guard } = await startSupervisor(table.file);

    child.kill('SIGKILL');
    await once(child, 'exit');
    // The guard checks every 100 ms, so it would have ended an unused server several times over.
    await sleep(500);
    expect(isRunning(serverProcess)).toBe(true);

    service.kill('SIGKILL');
    await until('the server and its guard to end', () => !isRunning(serverProcess) && !isRunning(guard));
    expect(readFileSync(path.join(folder, 'log'), 'utf8')).toMatch(/bye\n$/);
  });

  it('the process table lists the processes that still run', async () => {
    const table = new ProcessTable(path.join(folder, 'processes.json'));
    table.add('self', 'service', process.pid);
    expect(readRunning(table.file)).toEqual([{ name: 'self', role: 'service', ...identify(process.pid) }]);
    const reused = readFileSync(table.file, 'utf8').replace(/"startedAt": ".*?"/, '"startedAt": "long ago"');
    writeFileSync(table.file, reused);
    expect(readRunning(table.file)).toEqual([]);
    expect(readRunning(path.join(folder, 'none.json'))).toEqual([]);
  });
});
