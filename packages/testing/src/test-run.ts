import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { identifyProcess, isRunning, type ProcessIdentity } from '@capture/provisioning/process-identity';

const prefix = 'capture-tests-';
const ownerFile = 'owner.json';

/** Creates a folder for the data of one test run, marked with its process. Folders of dead runs are removed. */
export function makeRunFolder(parent = os.tmpdir()): string {
  removeDeadRuns(parent);
  const folder = mkdtempSync(path.join(parent, prefix));
  writeFileSync(path.join(folder, ownerFile), JSON.stringify(identifyProcess(process.pid)));
  return folder;
}

function removeDeadRuns(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(parent, name);
    const owner = readOwner(folder);
    // Another run may just be creating a folder that has no mark yet.
    if (!owner || isRunning(owner)) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The folder belongs to another user, or its servers are still stopping. A later run removes it.
    }
  }
}

function readOwner(folder: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(path.join(folder, ownerFile), 'utf8'));
  } catch {
    return null;
  }
}

/** Creates a folder inside the run's, for files that a test writes. The folder is removed with the run. */
export function makeTestFolder(name: string): string {
  const parent = path.join(required('TEST_FOLDER'), 'files');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(path.join(parent, `${name}-`));
}

/** Linux keeps the files of this folder in memory. */
const memory = '/dev/shm';

/** All databases of a run fit into this space, bytes. */
const enoughBytes = 3 * 1024 ** 3;

/** Returns the folder for databases, in memory if there is room. On a busy disk, creating one takes four times as long. */
export function databaseParent(): string {
  // The databases of killed runs would take the room.
  if (isUsable(memory)) removeDeadRuns(memory);
  return hasRoom(memory) ? memory : os.tmpdir();
}

/** Creates a folder for a database server of one test. The folder is removed with the run. */
export function makeDatabaseFolder(): string {
  const { TEST_DATABASE_FOLDER: parent } = process.env;
  // The benchmarks measure databases on the disk.
  return parent && hasRoom(parent) ? mkdtempSync(path.join(parent, 'postgres-')) : makeTestFolder('postgres');
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether there is room for this run and another run that may have just started. */
function hasRoom(folder: string): boolean {
  if (!isUsable(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, os.freemem()) > enoughBytes * 2;
}

/** Returns an environment variable that the global setup set for the test files. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: Jest's globalSetup of @capture/testing sets it`);
  return value;
}

export const repositoryRoot = path.join(import.meta.dirname, '..', '..', '..');
