import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type PlatformUnderTest, startPlatform } from '@capture/testing/processes/platform';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { isAboutImage, isForPeers } from './case.ts';
import { allCases } from './cases/all.ts';
import { findPairs } from './compare/compare.ts';
import { pairs } from './compare/pairs.ts';
import { libraries } from './libraries.ts';
import type { Run } from './report/summary.ts';
import { runCases, useService } from './run.ts';
import { behaviours } from './server/behaviours.ts';
import { type CorpusServer, openServer, pagesFolder } from './server.ts';

jest.setTimeout(300_000);

describe('the cases', () => {
  it('have different names', () => {
    const names = allCases.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)*$/.test(name))).toEqual([]);
  });

  it('have pages that exist', () => {
    const missing = allCases.filter(({ page }) => {
      const [name = ''] = page.split('?');
      const [, first = '', ...rest] = name.split('/');
      if (first === 'pages') return !existsSync(path.join(pagesFolder, ...rest));
      // The page comes with a library, and exists once the library is installed.
      if (first === 'lib') return !Object.keys(libraries).some((library) => rest.join('/').startsWith(`${library}/`));
      return !Object.hasOwn(behaviours, first);
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('expect something, and say what a visitor sees', () => {
    const vague = allCases.filter(({ expect: expected, what }) => expected.length === 0 || !/^\S.*\.$/s.test(what));
    expect(vague.map(({ name }) => name)).toEqual([]);
  });

  it('are asked of other tools only where their images say who is right', () => {
    for (const each of allCases.filter(isForPeers))
      expect([each.name, each.expect.some(isAboutImage)]).toEqual([each.name, true]);
  });
});

describe('the pairs of docs/captures.md', () => {
  it('show cases that exist, under different names', () => {
    expect(findPairs(allCases)).toHaveLength(pairs.length);
    expect(new Set(pairs.map(({ name }) => name)).size).toBe(pairs.length);
  });

  it('are all in the document, in their order', () => {
    const document = readFileSync(path.join(import.meta.dirname, '../../../docs/captures.md'), 'utf8');
    const shown = [...document.matchAll(/images\/compared-([a-z-]+)\.webp/g)].map(([, name]) => name);
    expect(shown).toEqual(pairs.map(({ name }) => name));
  });
});

// The test would have to install the other libraries. `npm run corpus` runs their cases.
const quick = allCases.filter((each) => each.quick && each.group !== 'libraries');

describe('the platform draws what a patient visitor sees:', () => {
  const done = new Map<string, Run>();
  const stopping = new AbortController();
  let platform: PlatformUnderTest;
  let server: CorpusServer;
  let running: Promise<unknown>;

  beforeAll(async () => {
    server = await openServer();
    platform = await startPlatform({ services: ['capture-worker'] });
    const drawer = useService({ url: platform.url, key: await platform.register('enterprise') });
    // One run captures all cases, two at a time, and each test waits for its case.
    running = runCases({
      cases: quick,
      drawer,
      url: server.url,
      runs: 1,
      concurrency: 2,
      aborted: stopping.signal,
      progress: (run) => void done.set(run.case.name, run),
    }).catch(() => undefined);
  });

  afterAll(async () => {
    stopping.abort();
    await running;
    await platform?.close();
    await server?.close();
  });

  it.each(quick.map(({ name, what }) => [name, what]))('%s: %s', async (name) => {
    const { wrong } = await waitUntil(() => done.get(name), { what: `${name} to be captured`, timeoutMs: 240_000 });
    expect(wrong).toEqual([]);
  });
});
