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
  /** The built file that is run. */
  file: string;
  /** All of its environment. */
  env: Record<string, string>;
  logFile: string;
  /** Told the process id when there is one, and when it is gone. */
  onStart: (pid: number) => void;
  onEnd: (pid: number) => void;
  /** Told where it serves its metrics, each time that it is started. */
  onMetricsPort?: (port: number) => void;
  readyWithinMs?: number;
  stopWithinMs?: number;
}

/** A service opens a few connections and, the worker, a browser. */
const usualReadyMs = 60_000;

/** 20 s of draining and a little to close; with the servers' own time a whole stop stays below 30 s. */
const usualStopMs = 23_000;

/**
 * One of our services as a program of the supervisor: a Node process in a group of its own (so that a Ctrl-C reaches it
 * through the supervisor only), with a channel on which it says that it is ready, and which closes when the supervisor
 * is gone, whereupon it ends by itself. It writes its log straight to a file, which outlives the supervisor.
 */
export function serviceProgram(options: ServiceOptions): Program {
  return { name: options.name, stage: options.stage, start: (aborted) => startService(options, aborted) };
}

async function startService(options: ServiceOptions, aborted: AbortSignal): Promise<RunningProgram> {
  const { name, file, env, logFile, readyWithinMs = usualReadyMs, stopWithinMs = usualStopMs } = options;
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
      // Whatever it had in its group goes with it.
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
  const outcome = await untilAborted(aborted, inTime).catch(() => 'the platform stops');
  if (outcome === null) return { exited, stop, kill };
  await stop();
  const said = lastLogMessage(readFrom(logFile, logStart));
  throw new StartError(`${name} did not start: ${outcome}${said && `; ${said}`} (its log: ${logFile})`);
}

function onMetricsPort(child: ChildProcess, { onMetricsPort: tell }: ServiceOptions): void {
  child.on('message', (message: { type?: string; port?: unknown }) => {
    if (message.type === 'metrics' && typeof message.port === 'number') tell?.(message.port);
  });
}

/** Null when the service says that it is ready, else why it is not. */
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
    // Nobody is left in it.
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
