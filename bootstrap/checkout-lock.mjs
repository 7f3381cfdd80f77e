import { accessSync, constants, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inCheckout } from './checkout.mjs';
import { say } from './progress.mjs';

/** A folder with one file per process that installs or builds in this checkout. The file's name is the process's pid. */
const folder = inCheckout('.turbo/lock');
const lockFile = (pid) => path.join(folder, String(pid));

/** The pids that hold the lock for this process: its pid and the pids of the commands that it runs. */
const own = new Set([process.pid]);

/** Runs a task while no other process installs or builds here, because `npm ci` removes files that other processes read. */
export async function withLock(task) {
  // A process that cannot write to the checkout installs and builds nothing, so it needs no lock.
  if (!canLock()) return task();
  let isReported = false;
  for (;;) {
    const other = owner() ?? tryToLock();
    if (other === undefined) break;
    if (!isReported)
      say(
        `Waiting for another installation or build (pid ${other}; if there is no such process, delete .turbo/lock) …`,
      );
    isReported = true;
    // Two processes that see each other at the same time both withdraw, and try again at different times.
    await sleep(300 + Math.random() * 300);
  }
  process.on('exit', unlock);
  try {
    await task();
  } finally {
    unlock();
    process.off('exit', unlock);
  }
}

function canLock() {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Keeps the lock until a command has ended too, because npm continues when this process is killed. */
export function shareLock(pid) {
  if (!canLock()) return;
  writeFileSync(lockFile(pid), '');
  own.add(pid);
}

/** Writes a file before looking for others, so that of two processes at least one sees the other. Returns the other process's pid. */
function tryToLock() {
  writeFileSync(lockFile(process.pid), '');
  const other = owner();
  if (other !== undefined) unlock();
  return other;
}

function unlock() {
  for (const pid of own) rmSync(lockFile(pid), { force: true });
}

/** The pid of another process that holds the lock. Removes the files of processes that have ended. */
function owner() {
  const others = readdirSync(folder)
    .map(Number)
    .filter((pid) => !own.has(pid));
  return others.find((pid) => {
    if (isRunning(pid)) return true;
    rmSync(lockFile(pid), { force: true });
    return false;
  });
}

function isRunning(pid) {
  const lockedAt = statSync(lockFile(pid), { throwIfNoEntry: false })?.mtimeMs;
  // A file from before the machine started names a pid that now belongs to another program.
  if (lockedAt === undefined || lockedAt < Date.now() - uptime() * 1000) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
