import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { makeTestFolder, repositoryRoot } from './test-run.ts';

const openResources = path.join(repositoryRoot, 'packages', 'testing', 'dist', 'open-resources.js');
const environment = path.join(repositoryRoot, 'packages', 'testing', 'dist', 'environment.js');

/** Runs Jest on one file, with the environment of the project, and returns its report. */
function runJest(file: string) {
  const folder = makeTestFolder('jest');
  writeFileSync(path.join(folder, 'some.test.mjs'), file);
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  const config = { rootDir: folder, testEnvironment: environment, testMatch: ['**/*.test.mjs'], transform: {} };
  const jest = path.join(repositoryRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--experimental-vm-modules', jest, '--json', '--config', JSON.stringify(config)];
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
