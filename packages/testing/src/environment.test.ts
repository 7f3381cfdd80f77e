import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { makeTestFolder, repositoryRoot } from './test-run.ts';

const dist = path.join(repositoryRoot, 'packages', 'testing', 'dist');
const openResources = path.join(dist, 'open-resources.js');

/** Runs Jest on files one after the other in one process, with the environment of the project, and returns its report. */
function runJest(...files: string[]) {
  const folder = makeTestFolder('jest');
  for (const [index, file] of files.entries()) writeFileSync(path.join(folder, `${index}.test.mjs`), file);
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  const config = {
    rootDir: folder,
    testEnvironment: path.join(dist, 'environment.js'),
    runtime: path.join(dist, 'runtime.js'),
    testMatch: ['**/*.test.mjs'],
    transform: {},
  };
  const jest = path.join(repositoryRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--experimental-vm-modules', jest, '--json', '--runInBand', '--config', JSON.stringify(config)];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return JSON.parse(stdout);
}

it('fails only the test that leaves something open', () => {
  const report = runJest(`
    import { noteOpen } from ${JSON.stringify(openResources)};
    let closed, kept, wasClosed = false;
    beforeAll(() => { kept = noteOpen('for all', () => {}); });
    afterEach(() => closed?.());
    afterAll(() => kept());
    test('closes', () => { closed = noteOpen('a thing', () => {}); });
    test('leaks', () => { noteOpen('a server on port 7', () => { wasClosed = true; }); });
    test('comes after', () => { expect(wasClosed).toBe(true); });`);
  const [file] = report.testResults;
  expect(file.assertionResults.map((result: { status: string }) => result.status)).toEqual([
    'passed',
    'failed',
    'passed',
  ]);
  expect(file.assertionResults[1].failureMessages.join()).toContain('left open: a server on port 7');
});

it('fails the file whose beforeAll leaves something open', () => {
  const report = runJest(`
    import { noteOpen } from ${JSON.stringify(openResources)};
    beforeAll(() => { noteOpen('a database', () => {}); });
    test('passes', () => {});`);
  expect(report.success).toBe(false);
  expect(report.testResults[0].message).toContain('left open: a database');
});

it('loads packages once for all files, and files of our own for each', () => {
  const file = `
    import { writeFileSync } from 'node:fs';
    import pg from ${JSON.stringify(path.join(repositoryRoot, 'node_modules', 'pg', 'lib', 'index.js'))};
    import * as own from ${JSON.stringify(openResources)};
    test('loads', () => {
      const loads = (pg.loads ??= []);
      expect(loads).not.toContain(own.noteOpen);
      loads.push(own.noteOpen);
      writeFileSync('loads.txt', String(loads.length));
    });`;
  const report = runJest(file, file);
  expect(report.numPassedTests).toBe(2);
  const { dir } = path.parse(report.testResults[0].name);
  expect(readFileSync(path.join(dir, 'loads.txt'), 'utf8')).toBe('2');
});

it('shares classes with Node, and lets no file change the next one', () => {
  const file = `
    import { readFile } from 'node:fs/promises';
    test('has its own variables', async () => {
      await expect(readFile('/missing')).rejects.toBeInstanceOf(Error);
      expect(process.env.SET_BY_A_TEST).toBeUndefined();
      process.env.SET_BY_A_TEST = 'yes';
      process.exit = console.log = () => {};
    });`;
  expect(runJest(file, file)).toMatchObject({ success: true, numPassedTests: 2 });
});
