import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openDiskStorage } from './disk-storage.ts';
import { checkKey, type Storage } from './storage.ts';

let place: string;
let storage: Storage;

beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'disk-storage-escape-'));
  await writeFile(path.join(place, 'outside'), 'secret');
  storage = await openDiskStorage({ directory: path.join(place, 'files') });
});
afterEach(() => rm(place, { recursive: true }));

const ways = [
  '../outside',
  'a/../../outside',
  'a/../../../outside',
  './../outside',
  '..\\outside',
  '%2e%2e/outside',
  '..%2foutside',
];
const odd = [
  '\u2024\u2024/outside',
  '．．/outside',
  '..\0/outside',
  '../outside\0.png',
  '~/outside',
  'C:/outside',
  'file:///outside',
  '-/../outside',
  '..',
];

it.each([...ways, ...odd])('no key leads out of the store: %j', async (key) => {
  await expect(storage.open(key)).rejects.toThrow('not a storage key');
  await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow('not a storage key');
  await expect(storage.remove(key)).rejects.toThrow('not a storage key');
  expect((await readdir(place)).sort()).toEqual(['files', 'outside']);
  expect(await readFile(path.join(place, 'outside'), 'utf8')).toBe('secret');
});

it('no absolute key leads out of the store', async () => {
  await expect(storage.open(path.join(place, 'outside'))).rejects.toThrow('not a storage key');
});

it('every accepted key stays inside the store', () => {
  const pieces = ['..', '.', '/', '\\', 'a', '%2e', '\0', '\n', ' ', '-', '_', 'é', '..a', 'a..'];
  for (const one of pieces) {
    for (const two of pieces) {
      for (const three of pieces) {
        const key = one + two + three;
        try {
          checkKey(key);
        } catch {
          continue;
        }
        expect(path.posix.resolve('/store', key)).toMatch(/^\/store\/[^/]/);
        expect(path.posix.normalize(key)).toBe(key);
      }
    }
  }
});
