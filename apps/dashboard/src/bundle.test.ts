import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { repositoryRoot } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';

const built = path.join(repositoryRoot, 'apps', 'dashboard', 'dist');
const page = readFileSync(path.join(built, 'index.html'), 'utf8');
const read = (name: string) => readFileSync(path.join(built, 'assets', name));

/** Finds a script and its static imports. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, imported = ''] of read(name)
    .toString()
    .matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
    withImports(imported, found);
  }
  return found;
}

const namesIn = (html: string, suffix: string) =>
  [...html.matchAll(/\/dashboard\/assets\/([\w.-]+)"/g)]
    .map(([, name = '']) => name)
    .filter((name) => name.endsWith(suffix));

it('loads less than 300 kB of compressed scripts for the first page', () => {
  const first = new Set(namesIn(page, '.js').flatMap((name) => [...withImports(name)]));
  // Most visitors start on the playground.
  const playground = readdirSync(path.join(built, 'assets')).find((name) => /^playground-.*\.js$/.test(name)) as string;
  for (const name of withImports(playground)) first.add(name);
  expect(first.size).toBeGreaterThan(3);
  const size = [...first].reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
  expect(size).toBeLessThan(300_000);
  // Charts are loaded on demand.
  expect([...first].filter((name) => /^usage-/.test(name))).toEqual([]);
});

it('has no inline script or style and loads nothing from other hosts', () => {
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|https?:/);
  expect(page).toContain('nonce="nonce-of-this-page"');
});
