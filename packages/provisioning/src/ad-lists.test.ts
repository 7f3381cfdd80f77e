import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findAdLists } from './ad-lists.ts';
import { findOrInstallAdLists } from './install-ad-lists.ts';

describe('the ad lists of a machine', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ad-lists-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = async (name: string, text: string) => {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    await utimes(file, 0, Date.parse('2025-10-31T12:00:00Z') / 1_000);
    return file;
  };

  it('are the text files of the configured folder, under their own titles', async () => {
    const own = await write('b.txt', '||ads.example^');
    const easy = await write(
      'a.txt',
      '! Title: EasyList\r\n! Version: 202611200815\n! Last modified: 20 Nov 2026 08:15 UTC\n',
    );
    const cookies = await write('fanboy-cookies.txt', '[Adblock Plus]\n! Title: Fanboy\n! Last modified: %timestamp%');
    await write('README.md', 'x');
    expect(await findAdLists(folder)).toEqual([
      { file: easy, name: 'EasyList', version: '202611200815', date: '2026-11-20', subject: 'ads' },
      { file: own, name: 'b', version: null, date: '2025-10-31', subject: 'ads' },
      { file: cookies, name: 'Fanboy', version: null, date: '2025-10-31', subject: 'cookie banners' },
    ]);
  });

  it('default to those of uBlock Origin, with its version', async () => {
    await write('manifest.json', '{"version": "1.67.0"}');
    const easy = await write(
      'assets/thirdparties/easylist/easylist.txt',
      '! Title: EasyList\n! Last modified: %timestamp%\n',
    );
    await write('assets/ublock/badlists.txt', '! Title: no list');
    expect(await findAdLists(undefined, folder)).toEqual([
      { file: easy, name: 'EasyList', version: 'uBlock Origin 1.67.0', date: '2025-10-31', subject: 'ads' },
    ]);
  });

  it('may be empty', async () => {
    expect(await findAdLists(folder)).toEqual([]);
    expect(await findAdLists(undefined, path.join(folder, 'missing'))).toEqual([]);
  });

  it('are reported at the start, with instructions if there are none', async () => {
    const reportOf = async (adListsDir: string) => {
      const lines: string[] = [];
      await findOrInstallAdLists({ AD_LISTS_DIR: adListsDir }, (line) => lines.push(line));
      return lines;
    };
    expect(await reportOf(folder)).toEqual([expect.stringMatching(/^ad lists: none; .* AD_LISTS_DIR/)]);
    expect(await reportOf(path.join(folder, 'missing'))).toEqual([
      expect.stringMatching(/^ad lists: ENOENT.* AD_LISTS_DIR/),
    ]);
    await write('a.txt', '! Title: EasyList');
    expect(await reportOf(folder)).toEqual(['ad lists: EasyList']);
  });
});
