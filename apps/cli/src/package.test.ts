import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { expect, it, jest } from '@jest/globals';

jest.setTimeout(400_000);

const run = promisify(execFile);

const ownPackages = ['packages/sdk', 'apps/cli'];
const dependencies = [
  ...['commander', 'cli-progress', 'csv-parse', 'p-limit', 'yocto-queue', 'saxes', 'xmlchars'],
  ...['string-width', 'strip-ansi', 'ansi-regex', 'emoji-regex', 'is-fullwidth-code-point'],
];

it('the packed command line and SDK install into an empty project and run', async () => {
  const folder = makeTestFolder('package');
  const project = path.join(folder, 'project');
  mkdirSync(project);
  const npm = async (cwd: string, ...args: string[]) => (await run('npm', args, { cwd, maxBuffer: 10_000_000 })).stdout;
  // The test is about our packages, not the registry, so dependencies come from this checkout.
  const installed = (name: string) => {
    const places = ['apps/cli/node_modules', 'node_modules'].map((place) => path.join(repositoryRoot, place, name));
    return places.find((place) => existsSync(place))!;
  };
  const folders = [...ownPackages.map((place) => path.join(repositoryRoot, place)), ...dependencies.map(installed)];
  const packed: { name: string; filename: string }[] = JSON.parse(
    await npm(folder, 'pack', ...folders, '--ignore-scripts', '--json'),
  );
  const tarballs = new Map(packed.map(({ name, filename }) => [name, `file:${path.join(folder, filename)}`]));
  const manifest = {
    dependencies: Object.fromEntries([...tarballs].filter(([name]) => name.startsWith('@capture-platform/'))),
    overrides: Object.fromEntries([...tarballs].filter(([name]) => dependencies.includes(name))),
  };
  expect(Object.keys(manifest.dependencies).sort()).toEqual(['@capture-platform/cli', '@capture-platform/sdk']);
  writeFileSync(path.join(project, 'package.json'), JSON.stringify(manifest));
  await npm(project, 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts');

  const bin = path.join(project, 'node_modules', '.bin', 'capture');
  expect((await run(bin, ['--version'], { cwd: project })).stdout).toBe('0.1.0\n');
  expect((await run(bin, ['screenshot', '--help'], { cwd: project })).stdout).toContain('--full-page');
  // Outside of a checkout, there is no platform to start.
  const alone = await run(bin, ['screenshot', 'https://example.com/'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: folder },
  }).catch((error) => error);
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringMatching(/^no server: pass --server [^\n]+\n$/)]);
  const files = readdirSync(path.join(project, 'node_modules', '@capture-platform', 'cli'), { recursive: true }).map(
    String,
  );
  expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json', path.join('dist', 'main.js')]));
  expect(files.filter((name) => /generate|test|\.map$/.test(name) && !name.includes('generated'))).toEqual([]);
});
