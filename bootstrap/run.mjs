import { spawn } from 'node:child_process';
import { inCheckout } from './checkout.mjs';
import { shareLock } from './checkout-lock.mjs';
import { showProgress } from './progress.mjs';

/**
 * Runs a command, shows its progress and keeps its output in case it fails. The command has a separate process group, so that a
 * signal to this process or to the terminal's group ends the command first, and then this process.
 *
 * @param {{ step: string, command: string, args: string[], done?: () => string }} options `done` returns the progress.
 */
export async function run({ step, command, args, done }) {
  const child = spawn(command, args, {
    cwd: inCheckout('.'),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // Prisma's native engine and Puppeteer's browser are not used, and closed networks refuse their downloads.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PUPPETEER_SKIP_DOWNLOAD: 'true',
      TURBO_TELEMETRY_DISABLED: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  if (child.pid) shareLock(child.pid);
  let output = '';
  const keep = (chunk) => {
    output = (output + chunk).slice(-200_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const progress = showProgress(step, done);
  const signals = forwardSignals(child);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += `\n${error.message}`;
      resolve(1);
    });
    child.on('close', (exitCode, signal) => resolve(exitCode ?? signalCode(signal)));
  });
  const stoppedBy = signals.end();
  progress.end(stoppedBy ? 'stopped' : code === 0 ? 'done' : 'failed');
  if (stoppedBy) process.exit(signalCode(stoppedBy));
  return { code, output };
}

/** Passes signals on to a command's process group; a second signal kills the command. */
function forwardSignals(child) {
  let stoppedBy = null;
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The process group has already ended.
    }
  };
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const handler = () => {
      // On SIGINT npm would finish its work first.
      end(stoppedBy ? 'SIGKILL' : 'SIGTERM');
      stoppedBy = signal;
      setTimeout(end, 5_000, 'SIGKILL').unref();
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return {
    end() {
      for (const remove of handlers) remove();
      return stoppedBy;
    },
  };
}

export function signalCode(signal) {
  return { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 }[signal] ?? 1;
}
