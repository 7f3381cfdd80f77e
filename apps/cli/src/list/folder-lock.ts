import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

/** The longest time between creating the lock file and writing the process ID into it, milliseconds. */
const unwrittenMs = 10_000;

/**
 * Locks a folder, because two runs at once would capture everything twice. The lock of a killed run is taken over.
 *
 * @returns a function that releases the lock.
 * @throws {UsageError} while another run holds the lock.
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
      throw new UsageError(`another run${named} is using this folder; if there is none, delete ${file}`);
    }
    rmSync(file, { force: true });
  }
}

/** Reads which process holds the lock; null if the lock is gone, or its run was killed before it wrote its ID. */
function readHolder(file: string): number | 'unwritten' | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid > 0) return pid;
    return Date.now() - statSync(file).mtimeMs < unwrittenMs ? 'unwritten' : null;
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
