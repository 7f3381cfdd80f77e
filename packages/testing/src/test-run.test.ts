import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { identifyProcess } from '@capture/provisioning/process-identity';
import { expect, it } from '@jest/globals';
import { startProcess } from './processes.ts';
import { makeRunFolder, makeTestFolder, required } from './test-run.ts';

it('removes what a run that was killed left, and nothing of one that still runs', async () => {
  const other = startProcess({ name: 'other run', args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'] });
  await other.waitForOutput(/up/);
  const left = path.join(os.tmpdir(), `capture-tests-of-${other.pid}`);
  mkdirSync(left);
  writeFileSync(path.join(left, 'owner.json'), JSON.stringify(identifyProcess(other.pid)));

  rmSync(makeRunFolder(), { recursive: true });
  expect(existsSync(left)).toBe(true);
  await other.kill();
  rmSync(makeRunFolder(), { recursive: true });
  expect(existsSync(left)).toBe(false);
  expect(existsSync(required('TEST_FOLDER'))).toBe(true);
});

it('gives each test a folder of its own', () => {
  expect(makeTestFolder('mine')).not.toBe(makeTestFolder('mine'));
  expect(() => required('TEST_NOTHING')).toThrow('TEST_NOTHING is not set');
});
