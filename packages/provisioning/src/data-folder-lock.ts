import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';
import { ProvisioningError, type Report } from './provisioning-error.ts';

/** The process that holds a data folder. */
interface Holder extends ProcessIdentity {
  /** Whether the process is ending; the next start may then wait for it. */
  stopping?: boolean;
}

export interface DataFolderLock {
  /** Records that this process is ending, so that the next start waits for it instead of failing. */
  announceStop(): void;
  release(): void;
}

/** An orderly stop takes at most 30 s. */
const defaultWaitMs = 32_000;

/**
 * Locks the data folder for this process, because two platforms on one folder would destroy it. The lock names its holder by
 * process id and start time, so that the lock of a killed process is recognized even after its id was reused.
 *
 * @throws {ProvisioningError} if a running process holds the lock and is not ending.
 */
export async function lockDataFolder(dataDir: string, report: Report, waitMs = defaultWaitMs): Promise<DataFolderLock> {
  const lock = path.join(dataDir, 'lock');
  const own = `${lock}.${randomBytes(6).toString('hex')}`;
  const identity = identifyProcess(process.pid);
  let content = JSON.stringify(identity);
  writeFileSync(own, content, { mode: 0o600 });
  const waitUntil = Date.now() + waitMs;
  let waiting = false;
  try {
    // Creating a link is atomic, and fails if the file exists.
    while (!tryLink(own, lock)) {
      const held = read(lock);
      const holder = held === null ? null : parse(held);
      if (held === null) continue;
      if (!holder || !isRunning(holder)) removeStale(lock, held);
      else if (!holder.stopping || Date.now() > waitUntil) throw taken(dataDir, holder);
      else {
        if (!waiting) report(`the previous platform (process ${holder.pid}) is stopping; waiting for it to end`);
        waiting = true;
        await sleep(100);
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
  return {
    announceStop() {
      if (read(lock) !== content) return;
      content = JSON.stringify({ ...identity, stopping: true });
      writeFileSync(own, content, { mode: 0o600 });
      renameSync(own, lock);
    },
    release() {
      if (read(lock) === content) rmSync(lock, { force: true });
    },
  };
}

function tryLink(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Two processes that find the same stale lock must not remove each other's new lock, so this function checks the moved file. */
function removeStale(lock: string, stale: string): void {
  const aside = `${lock}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  if (read(aside) !== stale) tryLink(aside, lock);
  rmSync(aside, { force: true });
}

function taken(dataDir: string, holder: ProcessIdentity): ProvisioningError {
  return new ProvisioningError(
    `Another platform (process ${holder.pid}) runs on ${dataDir}: stop it, or choose another DATA_DIR and PORT for this one.`,
  );
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function parse(text: string): Holder | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
