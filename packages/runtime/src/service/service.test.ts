import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { noteOpen } from '@capture/testing/open-resources';
import { type ProcessOptions, startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';

// Signals, channels and exit codes belong to a process, so each test runs the built package in a new process.

/** Returns a service whose `start` runs the given code after opening a first resource and before opening a second. */
const serviceOf = (start: string, closeWithinMs = 60_000) => `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { appendFileSync } from 'node:fs';
  import { readConfig } from '@capture/runtime/config';
  import { settings } from '@capture/runtime/settings';
  import { runService } from '@capture/runtime/service/service';
  const say = (text) => console.log('said: ' + text);
  // A server that listens is what keeps a real one alive.
  const alive = () => setInterval(() => {}, 1_000);
  runService({ name: 'tested', closeWithinMs: ${closeWithinMs}, async start({ log, lifecycle }) {
    const timer = alive();
    let firstIsClosed = false;
    lifecycle.closing('first', async () => {
      await sleep(5);
      clearInterval(timer);
      say('first closed');
      firstIsClosed = true;
    });
    ${start}
    lifecycle.closing('second', () => say('second closed'));
  } });`;

function run(start: string, options: Partial<ProcessOptions> = {}, closeWithinMs?: number) {
  return startProcess({
    name: 'the tested service',
    args: ['--input-type=module', '--eval', serviceOf(start, closeWithinMs)],
    ipc: true,
    ...options,
  });
}

/** Returns the lines that the service printed, in order, and its log lines. */
function outputOf(service: { output(): string }) {
  const lines = service.output().split('\n');
  return {
    said: lines.filter((line) => line.startsWith('said: ')).map((line) => line.slice(6)),
    messages: lines.filter((line) => line.startsWith('{"ipc"')).map((line) => JSON.parse(line).ipc),
    logged: lines.filter((line) => line.startsWith('{"level"')).map((line) => JSON.parse(line)),
  };
}

const ready = /"ipc":\{"type":"ready"\}/;

describe('a service that runs', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'reports that it is ready, and on %s closes in reverse order',
    async (signal) => {
      const service = run('');
      await service.waitForOutput(ready);
      expect(await service.stop(signal)).toEqual({ code: 0, signal: null });
      const { said, messages, logged } = outputOf(service);
      expect(said).toEqual(['second closed', 'first closed']);
      expect(messages).toEqual([{ type: 'ready' }]);
      expect(logged.map(({ msg }) => msg)).toEqual(['ready', 'stopping']);
    },
  );

  it('closes once, however many signals arrive', async () => {
    const service = run(`lifecycle.closing('slow', async () => { say('closing'); await sleep(100); });`);
    await service.waitForOutput(ready);
    service.signal('SIGTERM');
    await service.waitForOutput(/closing/);
    service.signal('SIGINT');
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(outputOf(service).said).toEqual(['second closed', 'closing', 'first closed']);
  });

  it('needs no supervisor', async () => {
    const service = run('', { ipc: false });
    await service.waitForOutput(/"msg":"ready"/);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  it('closes when its supervisor is gone, although its output is no longer read', async () => {
    const file = path.join(makeTestFolder('service'), 'closed');
    const code = serviceOf(
      `lifecycle.closing('file', () => { say('x'); log.info('x'); appendFileSync(${JSON.stringify(file)}, 'closed'); });`,
    );
    const service = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const closed = noteOpen(`service (pid ${service.pid})`, () => service.kill('SIGKILL'));
    expect(await once(service, 'message')).toMatchObject([{ type: 'ready' }]);
    const exited = once(service, 'exit').finally(closed);
    // A kill of the supervisor has the same effect on the service.
    service.stdout?.destroy();
    service.disconnect();
    expect(await exited).toEqual([0, null]);
    expect(readFileSync(file, 'utf8')).toBe('closed');
  });

  it.each([
    ['an uncaught error', `setTimeout(() => { throw new Error('oh no'); });`, 'uncaught error'],
    ['an unhandled rejection', `setTimeout(() => { Promise.reject(new Error('oh no')); });`, 'unhandled rejection'],
  ])('closes in order after %s, and ends with code 1', async (_, fault, message) => {
    const service = run(fault);
    expect(await service.exited).toEqual({ code: 1, signal: null });
    const { said, logged } = outputOf(service);
    expect(said).toEqual(['second closed', 'first closed']);
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'fatal', msg: message, err: expect.objectContaining({ message: 'oh no' }) }),
    );
  });

  it('ends with code 1 also when the error comes while it closes', async () => {
    const service = run(`lifecycle.closing('bad', () => { setTimeout(() => { throw new Error('oh no'); }); });`);
    await service.waitForOutput(ready);
    expect(await service.stop()).toEqual({ code: 1, signal: null });
  });

  it('ends in time, with code 1, when closing hangs', async () => {
    // The channel is closed, so that only the deadline keeps the process alive.
    const stuck = `lifecycle.closing('stuck', () => { clearInterval(timer); return new Promise(() => {}); });`;
    const service = run(stuck, { ipc: false }, 1_000);
    await service.waitForOutput(/"msg":"ready"/);
    expect(await service.stop()).toEqual({ code: 1, signal: null });
    expect(outputOf(service).logged.at(-1)).toMatchObject({ level: 'error', msg: 'did not stop in time' });
  });
});

describe('a start', () => {
  it('that fails notifies the supervisor, closes what it opened and ends with code 1', async () => {
    const service = run(`throw new Error('no database');`);
    expect(await service.exited).toEqual({ code: 1, signal: null });
    const { said, messages, logged } = outputOf(service);
    expect(said).toEqual(['first closed']);
    expect(messages).toEqual([{ type: 'failed', message: 'no database' }]);
    expect(logged[0]).toMatchObject({ level: 'fatal', msg: 'could not start', err: { message: 'no database' } });
  });

  it('with wrong settings lists their faults and never their values', async () => {
    const service = run('readConfig({ PORT: settings.PORT, SECRET_KEY: settings.SECRET_KEY }, process.env);', {
      env: { PORT: 'http', SECRET_KEY: 'too-short' },
    });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.output()).not.toContain('too-short');
    const faults = ['PORT: must be a whole number from 0 to 65535', 'SECRET_KEY: must be at least 32 characters'];
    expect(outputOf(service).messages).toEqual([{ type: 'failed', message: faults.join('\n') }]);
    expect(outputOf(service).logged[0]).toMatchObject({ level: 'fatal', faults });
  });

  it('with an unknown log level is refused like any other setting', async () => {
    const service = run('', { env: { LOG_LEVEL: 'loud' } });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(outputOf(service).messages[0].message).toMatch(/^LOG_LEVEL: /);
  });

  it('writes lines below the default level only if the level is set', async () => {
    const service = run(`log.debug('a detail'); log.info('a fact');`, { env: { LOG_LEVEL: 'debug' } });
    await service.waitForOutput(ready);
    await service.stop();
    expect(service.output()).toContain('a detail');
  });

  it('that SIGTERM interrupts leaves nothing open that it opens later', async () => {
    const service = run(`say('starting'); while (!firstIsClosed) await sleep(5); say('opened');`);
    await service.waitForOutput(/starting/);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    const { said, messages } = outputOf(service);
    expect(said).toEqual(['starting', 'first closed', 'opened', 'second closed']);
    expect(messages).toEqual([]);
  });
});
