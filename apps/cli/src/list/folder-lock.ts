import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

/** Between making the file and writing its id into it, milliseconds. */
const writtenWithinMs = 10_000;

/**
 * Takes a folder for this process: two runs at once would capture everything twice. One that a killed run left is taken
 * over.
 *
 * @returns what gives it back.
 * @throws {UsageError} while another run has it.
 */
export function lockFolder(file: string): () => void {
  for (;;) {
    try {
      const lock = openSync(file, 'wx', 0o600);
      writeSync(lock, String(process.pid));
      closeSync(lock);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder === 'unwritten' || (holder !== null && isRunning(holder))) {
      const named = holder === 'unwritten' ? '' : ` (process ${holder})`;
      throw new UsageError(`another run${named} works on this folder; if there is none, remove ${file}`);
    }
    rmSync(file, { force: true });
  }
}

/** Who has the lock; null where it is gone, or was left by a run that was killed before it had written its id. */
function readHolder(file: string): number | 'unwritten' | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid > 0) return pid;
    return Date.now() - statSync(file).mtimeMs < writtenWithinMs ? 'unwritten' : null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
