import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Exit } from '@capture/provisioning/guarded-process';
import { untilAborted, withTimeout } from '@capture/runtime/timeout';
import { lastLogMessage } from './log-line.ts';
import { StartError } from './start-error.ts';
import type { Program, RunningProgram } from './supervisor.ts';

export interface ServiceOptions {
  name: string;
  stage: number;
  /** The built file to run. */
  file: string;
  /** The service's complete environment. */
  env: Record<string, string>;
  logFile: string;
  /** Called with the process id when the process starts and when it ends. */
  onStart: (pid: number) => void;
  onEnd: (pid: number) => void;
  /** Called with the port of the service's metrics at each start. */
  onMetricsPort?: (port: number) => void;
  readyWithinMs?: number;
  stopWithinMs?: number;
}

/** A service opens a few connections; the worker also starts a browser. */
const defaultReadyMs = 60_000;

/** A service needs 20 s to drain and 3 s to close; a complete stop, including the servers, takes less than 30 s. */
const defaultStopMs = 23_000;

/**
 * A service as a program of the supervisor: a Node.js process in a separate process group (so that a Ctrl-C reaches it only
 * through the supervisor). It reports on an IPC channel that it is ready, and ends when that channel closes because the
 * supervisor is gone. It writes its log directly to a file, which outlives the supervisor.
 */
export function serviceProgram(options: ServiceOptions): Program {
  return { name: options.name, stage: options.stage, start: (aborted) => startService(options, aborted) };
}

async function startService(options: ServiceOptions, aborted: AbortSignal): Promise<RunningProgram> {
  const { name, file, env, logFile, readyWithinMs = defaultReadyMs, stopWithinMs = defaultStopMs } = options;
  const log = openSync(logFile, 'a+', 0o600);
  const logStart = fstatSync(log).size;
  const child = spawn(process.execPath, [file], { detached: true, env, stdio: ['ignore', log, log, 'ipc'] });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw new StartError(`${name} could not be started: ${process.execPath} does not run.`);
  options.onStart(pid);
  const kill = () => killGroup(pid);
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      // This ends the remaining processes of its process group.
      killGroup(pid);
      options.onEnd(pid);
      resolve({ code, signal });
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await withTimeout(stopWithinMs, exited, kill);
    await exited;
  };

  onMetricsPort(child, options);
  const started = Promise.race([
    readiness(child),
    exited.then(({ code, signal }) => `it ended with ${signal ?? `code ${code}`}`),
  ]);
  const inTime = withTimeout(readyWithinMs, started, () => `it was not ready within ${readyWithinMs / 1000} s`);
  const outcome = await untilAborted(aborted, inTime).catch((error) => {
    if (aborted.aborted) return 'the platform is stopping';
    throw error;
  });
  if (outcome === null) return { exited, stop, kill };
  await stop();
  const reason = lastLogMessage(readFrom(logFile, logStart));
  throw new StartError(`${name} did not start: ${outcome}${reason && `; ${reason}`} (its log: ${logFile})`);
}

function onMetricsPort(child: ChildProcess, { onMetricsPort: notify }: ServiceOptions): void {
  child.on('message', (message: { type?: string; port?: unknown }) => {
    if (message.type === 'metrics' && typeof message.port === 'number') notify?.(message.port);
  });
}

/** Resolves with null when the service reports that it is ready, or else with the reason of its failure. */
function readiness(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    child.on('message', (message: { type?: string; message?: string }) => {
      if (message.type === 'ready') resolve(null);
      if (message.type === 'failed') resolve(message.message?.replaceAll('\n', '; ') ?? 'it failed');
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process is left in the group.
  }
}

function readFrom(file: string, start: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(64 * 1024);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}
