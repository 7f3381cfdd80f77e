import { chmod, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Request } from '@ghostery/adblocker';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ListFolder, makeLists } from './clean.test-support.ts';
import { FilterLibrary, type Filters } from './filters.ts';

describe('FilterLibrary', () => {
  let lists: ListFolder;
  let parsed: boolean[];
  const library = (adListsDir: string | undefined = lists.folder) =>
    new FilterLibrary({
      adListsDir,
      cacheDir: lists.cacheDir,
      log: { info: (facts: { parsed: boolean }) => parsed.push(facts.parsed), warn: () => undefined } as never,
    });
  const blocks = (filters: Filters | null, url: string) =>
    filters?.engine.match(Request.fromRawDetails({ url, type: 'script', sourceUrl: 'https://site.example/' })).match;

  beforeEach(async () => {
    parsed = [];
    lists = await makeLists({
      'ads.txt':
        '||ads.example^\n!#if env_firefox\n||firefox.example^\n!#endif\n!#if env_chromium\n||chromium.example^\n!#endif',
      'easylist-cookie.txt': '! Title: EasyList Cookie List\n||consent.example^',
      README: '||readme.example^',
    });
  });

  it('loads the lists of the folder by subject and applies the conditions for this browser', async () => {
    const ads = await library().get('ads');
    const banners = await library().get('cookie banners');
    const hosts = ['ads', 'chromium', 'firefox', 'consent', 'readme'];
    const blocked = (filters: Filters | null) =>
      hosts.filter((host) => blocks(filters, `https://${host}.example/x.js`));
    expect(blocked(ads)).toEqual(['ads', 'chromium']);
    expect(blocked(banners)).toEqual(['consent']);
    expect(ads?.lists).toMatchObject([{ name: 'ads', version: null }]);
    expect(banners?.lists).toMatchObject([
      { name: 'EasyList Cookie List', date: new Date().toISOString().slice(0, 10) },
    ]);
  });

  it('parses lists once, and again when they change', async () => {
    const first = library();
    expect(await first.get('ads')).toBe(await first.get('ads'));
    expect(blocks(await library().get('ads'), 'https://ads.example/x.js')).toBe(true);
    expect(parsed).toEqual([true, false]);
    await writeFile(path.join(lists.folder, 'ads.txt'), '||other.example^');
    const changed = await library().get('ads');
    expect([blocks(changed, 'https://ads.example/x.js'), blocks(changed, 'https://other.example/x.js')]).toEqual([
      false,
      true,
    ]);
    expect(parsed).toEqual([true, false, true]);
  });

  it.each([
    ['truncated', (file: string) => truncate(file, 200)],
    ['damaged', async (file: string) => writeFile(file, (await readFile(file)).fill(7, 100, 120))],
  ])('parses the lists again when the cached engine is %s', async (_, damage) => {
    await library().get('ads');
    const [cached = ''] = await readdir(lists.cacheDir);
    await damage(path.join(lists.cacheDir, cached));
    expect(blocks(await library().get('ads'), 'https://ads.example/x.js')).toBe(true);
    expect(parsed).toEqual([true, true]);
  });

  it('does not read a cache folder that other users can write', async () => {
    await library().get('ads');
    await chmod(lists.cacheDir, 0o777);
    await library().get('ads');
    expect(parsed).toEqual([true, true]);
  });

  it('finds lists installed after the worker started', async () => {
    const late = await makeLists({});
    const filters = library(late.folder);
    expect(await filters.get('ads')).toBeNull();
    await writeFile(path.join(late.folder, 'ads.txt'), '||ads.example^');
    expect(blocks(await filters.get('ads'), 'https://ads.example/x.js')).toBe(true);
  });

  it('rejects every time while the folder cannot be read', async () => {
    const missing = library(path.join(lists.folder, 'missing'));
    await expect(missing.get('ads')).rejects.toThrow('ENOENT');
    await expect(missing.get('ads')).rejects.toThrow('ENOENT');
  });
});
