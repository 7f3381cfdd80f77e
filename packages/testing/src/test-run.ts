import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { identifyProcess, isRunning, type ProcessIdentity } from '@capture/provisioning/process-identity';

const prefix = 'capture-tests-';
const ownerFile = 'owner.json';

/** Creates a folder for the data of one test run, marked with its process. Folders of dead runs are removed. */
export function makeRunFolder(): string {
  removeDeadRuns();
  const folder = mkdtempSync(path.join(os.tmpdir(), prefix));
  writeFileSync(path.join(folder, ownerFile), JSON.stringify(identifyProcess(process.pid)));
  return folder;
}

function removeDeadRuns(): void {
  for (const name of readdirSync(os.tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(os.tmpdir(), name);
    const owner = readOwner(folder);
    // Another run may be just creating a folder that has no mark yet.
    if (!owner || isRunning(owner)) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // It is another user's, or its servers are still stopping: a later run removes it.
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

/** Creates a folder inside the run's, for what a test writes; it is removed with the run. */
export function makeTestFolder(name: string): string {
  const parent = path.join(required('TEST_FOLDER'), 'files');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(path.join(parent, `${name}-`));
}

/** An environment variable that the global setup set for the test files. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: Jest's globalSetup of @capture/testing sets it`);
  return value;
}

/** The root of the repository. */
export const repositoryRoot = path.join(import.meta.dirname, '..', '..', '..');
