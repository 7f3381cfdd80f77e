// A process that runs one server (Postgres, Redis) for the process that spawned it, and stops the server when its parent is gone,
// however the parent ended: a `kill -9` closes the IPC channel too. The guard has a separate process group, so that a Ctrl-C,
// which reaches the terminal's whole process group, does not stop the server before the services that use it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRunning } from './process-table.ts';

/** The first message to a guard: the server to run. Secrets are passed in `input`, never in `args`. */
export interface GuardOrder {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  uid?: number;
  gid?: number;
  /** The text for the server's standard input. */
  input?: string;
  stopSignal: NodeJS.Signals;
  /** The time that the server has after `stopSignal` before it gets SIGKILL. */
  stopWithinMs: number;
  /** When the supervisor is gone, the guard waits until the services in this process table have ended, at most this long. */
  linger?: { processTable: string; forMs: number };
}

export type GuardRequest = { type: 'run'; order: GuardOrder } | { type: 'stop'; signal?: NodeJS.Signals };

export type GuardNews =
  | { type: 'started'; pid: number }
  | { type: 'failed'; message: string }
  | { type: 'exited'; code: number | null; signal: NodeJS.Signals | null };

let server: ChildProcess | undefined;
let order: GuardOrder | undefined;

function report(news: GuardNews): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    else process.send(news, undefined, undefined, () => resolve());
  });
}

async function run(newOrder: GuardOrder): Promise<void> {
  order = newOrder;
  const { command, args, cwd, env, uid, gid, input } = newOrder;
  const account = uid === undefined || gid === undefined ? {} : { uid, gid };
  server = spawn(command, args, { cwd, env, ...account, stdio: ['pipe', 'inherit', 'inherit'] });
  server.stdin?.on('error', () => {});
  server.stdin?.end(input);
  server.once('error', async (error) => {
    await report({ type: 'failed', message: error.message });
    process.exit(1);
  });
  server.once('exit', async (code, signal) => {
    await report({ type: 'exited', code, signal });
    process.exit(0);
  });
  if (server.pid !== undefined) await report({ type: 'started', pid: server.pid });
}

async function stop(signal?: NodeJS.Signals): Promise<void> {
  if (!server || !order) process.exit(0);
  const ended = once(server, 'exit');
  server.kill(signal ?? order.stopSignal);
  // The exit handler of the server ends this process; the timer is for a server that does not end.
  const late = await Promise.race([ended.then(() => false), sleep(order.stopWithinMs, true, { ref: false })]);
  if (late) server.kill('SIGKILL');
}

async function outliveServices(): Promise<void> {
  if (order?.linger) {
    const { processTable, forMs } = order.linger;
    const services = () => readRunning(processTable).some((entry) => entry.role === 'service');
    for (const end = Date.now() + forMs; Date.now() < end && services(); ) await sleep(100);
  }
  await stop();
}

process.on('message', (request: GuardRequest) => {
  if (request.type === 'run') void run(request.order);
  else void stop(request.signal);
});
process.on('disconnect', () => void outliveServices());
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
