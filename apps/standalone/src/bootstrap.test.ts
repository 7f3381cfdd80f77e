import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';

const bootstrap = path.join(repositoryRoot, 'bootstrap.mjs');

it.each([
  ['18.20.8', false],
  ['20.18.3', false],
  ['21.7.3', false],
  ['22.11.0', false],
  ['23.11.0', false],
  ['20.19.0', true],
  ['22.12.0', true],
  ['24.0.0', true],
  ['26.1.0', true],
])('accepts or rejects Node.js %s (supported: %s)', async (version, isSupported) => {
  const disguise = path.join(makeTestFolder('node'), 'disguise.cjs');
  writeFileSync(disguise, `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`);
  // A supported version rejects only the unknown command.
  const child = startProcess({ name: 'bootstrap', args: ['--require', disguise, bootstrap, 'nothing'] });
  expect(await child.exited).toEqual({ code: 1, signal: null });
  expect(child.output().trim()).toMatch(isSupported ? /^Use: npm start/ : /^This needs Node\.js 20\.19[^\n]+$/);
});
