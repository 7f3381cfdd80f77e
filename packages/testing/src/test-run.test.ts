import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { identifyProcess } from '@capture/provisioning/process-identity';
import { expect, it } from '@jest/globals';
import { startProcess } from './processes/processes.ts';
import { databaseParent, makeRunFolder, makeTestFolder, required } from './test-run.ts';

it.each([
  ['files', os.tmpdir()],
  ['databases', databaseParent()],
])('removes the folders of killed runs, and none of a run in progress: those of %s', async (_, parent) => {
  const other = startProcess({ name: 'other run', args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'] });
  await other.waitForOutput(/up/);
  const leftover = path.join(parent, `capture-tests-of-${other.pid}`);
  mkdirSync(leftover);
  writeFileSync(path.join(leftover, 'owner.json'), JSON.stringify(identifyProcess(other.pid)));

  rmSync(makeRunFolder(parent), { recursive: true });
  expect(existsSync(leftover)).toBe(true);
  await other.kill();
  rmSync(makeRunFolder(parent), { recursive: true });
  expect(existsSync(leftover)).toBe(false);
  for (const folder of ['TEST_FOLDER', 'TEST_DATABASE_FOLDER']) expect(existsSync(required(folder))).toBe(true);
});

it('creates a separate folder for each test', () => {
  expect(makeTestFolder('mine')).not.toBe(makeTestFolder('mine'));
  expect(() => required('TEST_NOTHING')).toThrow('TEST_NOTHING is not set');
});
