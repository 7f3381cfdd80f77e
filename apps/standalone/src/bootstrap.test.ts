import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';

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

// In place of npm: records its arguments, removes what the real one would replace, and lists what it would have installed.
const npm = `
  const fs = require('node:fs');
  const args = process.argv.slice(2);
  fs.appendFileSync('calls.txt', args.filter((arg) => !/^--no-(audit|fund)$/.test(arg)).join(' ') + '\\n');
  if (args[0] === 'ci') fs.rmSync('node_modules/.package-lock.json', { force: true });
  if (process.env.NPM_FAILS) {
    console.error('npm error network');
    process.exit(1);
  }
  const packages = { 'node_modules/turbo': {}, ...(args.includes('--include=dev') && { 'node_modules/jest': {} }) };
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));`;

/** A checkout whose npm, build and programs only print what they would do. */
function makeCheckout() {
  const folder = makeTestFolder('checkout');
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  cpSync(bootstrap, path.join(folder, 'bootstrap.mjs'));
  cpSync(path.join(repositoryRoot, 'bootstrap'), path.join(folder, 'bootstrap'), { recursive: true });
  write('package.json', JSON.stringify({ devDependencies: { jest: '1.0.0' } }));
  write('package-lock.json', JSON.stringify({ packages: {} }));
  write('npm.js', npm);
  write('node_modules/turbo/bin/turbo', `require('node:fs').appendFileSync('calls.txt', process.argv[3] + '\\n');`);
  write('node_modules/jest/bin/jest.js', '');
  write('apps/standalone/dist/main.js', '');
  const run = async (command: string, env: Record<string, string> = {}) => {
    const npm_execpath = path.join(folder, 'npm.js');
    const args = [path.join(folder, 'bootstrap.mjs'), command];
    const child = startProcess({ name: command, args, cwd: folder, env: { npm_execpath, ...env } });
    const { code } = await child.exited;
    const calls = path.join(folder, 'calls.txt');
    const called = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
    rmSync(calls, { force: true });
    return { code, called, output: child.output() };
  };
  return { run, file: (name: string) => path.join(folder, name) };
}

describe('installing packages', () => {
  it('installs for a start what it needs, and adds the rest for the tests', async () => {
    const { run } = makeCheckout();
    expect(await run('start')).toMatchObject({ code: 0, called: ['ci --omit=dev', 'build'] });
    expect(await run('start')).toMatchObject({ code: 0, called: ['build'] });
    expect(await run('test')).toMatchObject({
      code: 0,
      called: ['install --no-save --include=dev', 'build', 'typecheck'],
    });
    expect(await run('start')).toMatchObject({ code: 0, called: ['build'] });
  });

  it('replaces all packages after an interrupted installation', async () => {
    const { run } = makeCheckout();
    const interrupted = { NPM_FAILS: '1' };
    expect(await run('start', interrupted)).toMatchObject({
      code: 1,
      output: expect.stringContaining('npm error network'),
    });
    expect((await run('start')).called[0]).toBe('ci --omit=dev');
    expect((await run('test', interrupted)).called).toEqual(['install --no-save --include=dev']);
    expect((await run('test')).called[0]).toBe('ci --include=dev');
  });

  it('replaces the packages when the lock file is newer', async () => {
    const { run, file } = makeCheckout();
    await run('test');
    const later = new Date(Date.now() + 60_000);
    utimesSync(file('package-lock.json'), later, later);
    expect((await run('start')).called).toEqual(['ci --omit=dev', 'build']);
  });
});

it('numbers its steps, in lines without control characters when there is no terminal', async () => {
  const { run } = makeCheckout();
  const lines = (await run('start')).output.trim().split('\n');
  expect(lines.map((line) => line.trim().replace(/\d+ s$/, '… s'))).toEqual([
    'Installing packages (1 of 3) …',
    'Installing packages (1 of 3): done after … s',
    'Building (2 of 3) …',
    'Building (2 of 3): done after … s',
    'Starting the platform (3 of 3) …',
  ]);
});
