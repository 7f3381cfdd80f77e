import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDiskStorage } from './disk-storage.ts';
import { testStorage } from './storage-suite.ts';

const makeFolder = () => mkdtemp(path.join(tmpdir(), 'disk-storage-test-'));

for (const syncToDisk of [false, true]) {
  testStorage(`disk${syncToDisk ? ', synced' : ''}`, async () => {
    const directory = await makeFolder();
    return {
      storage: await openDiskStorage({ directory, syncToDisk }),
      discard: () => rm(directory, { recursive: true }),
    };
  });
}

describe('disk storage', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await makeFolder();
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('creates its folder, closed to other users', async () => {
    await openDiskStorage({ directory: path.join(directory, 'new', 'files') });
    expect((await stat(path.join(directory, 'new', 'files'))).mode & 0o007).toBe(0);
  });

  it('leaves neither temporary files nor empty folders', async () => {
    const storage = await openDiskStorage({ directory });
    await storage.put('a/b/one', Buffer.from('1'));
    expect(await readdir(path.join(directory, 'a', 'b'))).toEqual(['one']);
    await storage.remove('a/b/one');
    expect(await readdir(directory)).toEqual([]);
  });

  it('leaves no partial file when a write fails', async () => {
    const storage = await openDiskStorage({ directory });
    await mkdir(path.join(directory, 'taken', 'inside'), { recursive: true });
    await expect(storage.put('taken', Buffer.from('x'))).rejects.toThrow();
    expect(await readdir(directory)).toEqual(['taken']);
  });

  it('lists files that a killed process left', async () => {
    const storage = await openDiskStorage({ directory });
    await writeFile(path.join(directory, 'req_1-1.png.part-0123456789ab'), 'half');
    const found: string[] = [];
    for await (const key of storage.list(new Date(Date.now() + 60_000))) found.push(key);
    expect(found).toEqual(['req_1-1.png.part-0123456789ab']);
    await storage.remove(found[0]!);
    expect(await readdir(directory)).toEqual([]);
  });
});
