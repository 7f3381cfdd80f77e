import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
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

// This program replaces npm. It records its arguments, removes the files that npm would replace, and lists the packages that npm
// would install.
const npm = `
  const fs = require('node:fs');
  const args = process.argv.slice(2);
  fs.appendFileSync('calls.txt', args.filter((arg) => !/^--no-(audit|fund)$/.test(arg)).join(' ') + '\\n');
  if (args[0] === 'ci') fs.rmSync('node_modules/.package-lock.json', { force: true });
  if (process.env.NPM_FAILS) {
    if (args[0] === 'install') fs.mkdirSync('node_modules/jest/half', { recursive: true });
    console.error('npm error network');
    process.exit(1);
  }
  const paused = new Int32Array(new SharedArrayBuffer(4));
  while (process.env.NPM_WAITS && !fs.existsSync('continue')) Atomics.wait(paused, 0, 0, 20);
  if (args.includes('--include=dev')) {
    fs.mkdirSync('node_modules/jest/bin', { recursive: true });
    fs.writeFileSync('node_modules/jest/bin/jest.js', '');
  }
  const packages = { 'node_modules/turbo': {}, ...(args.includes('--include=dev') && { 'node_modules/jest': {} }) };
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));`;

/** Creates a checkout whose npm, build and programs only print their calls. */
function makeCheckout() {
  const folder = makeTestFolder('checkout');
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  cpSync(bootstrap, path.join(folder, 'bootstrap.mjs'));
  cpSync(path.join(repositoryRoot, 'bootstrap'), path.join(folder, 'bootstrap'), { recursive: true });
  write('package.json', JSON.stringify({ devDependencies: { jest: '1.0.0' } }));
  const jest = { integrity: 'sha512-', dev: true };
  write('package-lock.json', JSON.stringify({ packages: { 'node_modules/jest': jest } }));
  write('npm.js', npm);
  write('node_modules/turbo/bin/turbo', `require('node:fs').appendFileSync('calls.txt', process.argv[3] + '\\n');`);
  write('apps/standalone/dist/main.js', '');
  const begin = (command: string, env: Record<string, string> = {}) => {
    const npm_execpath = path.join(folder, 'npm.js');
    const args = [path.join(folder, 'bootstrap.mjs'), command];
    return startProcess({ name: command, args, cwd: folder, env: { npm_execpath, ...env } });
  };
  const called = () => {
    const calls = path.join(folder, 'calls.txt');
    return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
  };
  const run = async (command: string, env: Record<string, string> = {}) => {
    rmSync(path.join(folder, 'calls.txt'), { force: true });
    const child = begin(command, env);
    const { code } = await child.exited;
    return { code, called: called(), output: child.output() };
  };
  return { begin, called, run, write, file: (name: string) => path.join(folder, name) };
}

describe('installing packages', () => {
  it('installs only the packages of a start at first, and adds the rest for the tests', async () => {
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
  });

  it('repeats an interrupted addition without replacing the packages of a running platform', async () => {
    const { run, file } = makeCheckout();
    await run('start');
    const added = ['install --no-save --include=dev'];
    expect(await run('test', { NPM_FAILS: '1' })).toMatchObject({ code: 1, called: added });
    expect(existsSync(file('node_modules/jest/half'))).toBe(true);
    expect(await run('start')).toMatchObject({ code: 0, called: ['build'] });
    expect((await run('test')).called).toEqual([...added, 'build', 'typecheck']);
    expect(existsSync(file('node_modules/jest/half'))).toBe(false);
    expect((await run('test')).called).toEqual(['build', 'typecheck']);
  });

  it('replaces the packages when the lock file is newer', async () => {
    const { run, file } = makeCheckout();
    await run('test');
    const later = new Date(Date.now() + 60_000);
    utimesSync(file('package-lock.json'), later, later);
    expect((await run('start')).called).toEqual(['ci --omit=dev', 'build']);
  });
});

describe('two commands at once', () => {
  const waiting = { NPM_WAITS: '1' };
  const ci = 'ci --omit=dev';
  const waitLine = /Waiting for another installation or build \(pid (\d+); .*\) …/;

  it('installs once: the second command waits, and reports the reason', async () => {
    const { begin, called, write } = makeCheckout();
    const first = begin('start', waiting);
    await waitUntil(() => called().includes(ci), { what: 'the first installation' });
    const second = begin('start', waiting);
    const [, pid] = await second.waitForOutput(waitLine);
    expect(Number(pid)).toBeGreaterThan(0);
    write('continue', '');
    expect([await first.exited, await second.exited]).toEqual(Array(2).fill({ code: 0, signal: null }));
    expect(called()).toEqual([ci, 'build', 'build']);
    expect(second.output().match(new RegExp(waitLine, 'g'))).toHaveLength(1);
  });

  it('waits for the npm of a command that was killed', async () => {
    const { begin, called, write } = makeCheckout();
    const first = begin('start', waiting);
    await waitUntil(() => called().includes(ci), { what: 'the first installation' });
    await first.kill();
    const second = begin('start', waiting);
    const [, pid] = await second.waitForOutput(waitLine);
    expect(Number(pid)).not.toBe(first.pid);
    write('continue', '');
    expect(await second.exited).toEqual({ code: 0, signal: null });
    expect(called()).toEqual([ci, 'build']);
  });

  it('ignores a lock from before the machine started, whose pid is now another program', async () => {
    const { run, write, file } = makeCheckout();
    const lock = `.turbo/lock/${process.pid}`;
    write(lock, '');
    utimesSync(file(lock), 1, 1);
    expect(await run('start')).toMatchObject({ code: 0, called: [ci, 'build'] });
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
