import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { identifyProcess } from '@capture/provisioning/process-identity';
import { expect, it } from '@jest/globals';
import { startProcess } from './processes/processes.ts';
import { makeRunFolder, makeTestFolder, required } from './test-run.ts';

it('removes the folders of killed runs, and none of a run in progress', async () => {
  const other = startProcess({ name: 'other run', args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'] });
  await other.waitForOutput(/up/);
  const leftover = path.join(os.tmpdir(), `capture-tests-of-${other.pid}`);
  mkdirSync(leftover);
  writeFileSync(path.join(leftover, 'owner.json'), JSON.stringify(identifyProcess(other.pid)));

  rmSync(makeRunFolder(), { recursive: true });
  expect(existsSync(leftover)).toBe(true);
  await other.kill();
  rmSync(makeRunFolder(), { recursive: true });
  expect(existsSync(leftover)).toBe(false);
  expect(existsSync(required('TEST_FOLDER'))).toBe(true);
});

it('creates a separate folder for each test', () => {
  expect(makeTestFolder('mine')).not.toBe(makeTestFolder('mine'));
  expect(() => required('TEST_NOTHING')).toThrow('TEST_NOTHING is not set');
});
