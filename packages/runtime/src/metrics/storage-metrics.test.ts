import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeTestFolder } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';
import { Registry } from './metrics.ts';
import { measureStorage } from './storage-metrics.ts';

/** Returns the measured calls of a storage, on a real folder, and a call that is not measured. */
function folderStorage(folder: string) {
  return {
    put: (key: string, bytes: Buffer) => writeFile(path.join(folder, key), bytes),
    open: (key: string) => readFile(path.join(folder, key)).catch(() => null),
    remove: (key: string) => rm(path.join(folder, key)),
    list: () => ['a key'],
  };
}

async function open(url?: string) {
  const folder = makeTestFolder('measured');
  await mkdir(folder, { recursive: true });
  const registry = new Registry();
  const storage = measureStorage(registry, url ?? pathToFileURL(folder).href, folderStorage(folder));
  const figure = async (series: string) => {
    const line = (await registry.metrics()).split('\n').find((each) => each.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length));
  };
  return { folder, storage, figure };
}

describe('a measured storage', () => {
  it('works as before, times the calls, and counts no failure', async () => {
    const { folder, storage, figure } = await open();
    await storage.put('one', Buffer.from('bytes'));
    expect(await storage.open('one')).toEqual(Buffer.from('bytes'));
    expect(await storage.open('none')).toBeNull();
    await storage.remove('one');
    expect(storage.list()).toEqual(['a key']);
    expect(existsSync(path.join(folder, 'one'))).toBe(false);
    expect(await figure('capture_storage_duration_seconds_count{operation="put"}')).toBe(1);
    expect(await figure('capture_storage_duration_seconds_count{operation="open"}')).toBe(2);
    for (const operation of ['put', 'open', 'remove']) {
      expect(await figure(`capture_storage_failures_total{operation="${operation}"}`)).toBe(0);
    }
  });

  it('counts failures, and fails as before', async () => {
    const { folder, storage, figure } = await open();
    await rm(folder, { recursive: true });
    await expect(storage.put('one', Buffer.alloc(1))).rejects.toThrow('ENOENT');
    await expect(storage.remove('one')).rejects.toThrow('ENOENT');
    expect(await figure('capture_storage_failures_total{operation="put"}')).toBe(1);
    expect(await figure('capture_storage_failures_total{operation="remove"}')).toBe(1);
    expect(await figure('capture_storage_duration_seconds_count{operation="put"}')).toBe(1);
    // The free space of a missing folder is unknown.
    expect(await figure('capture_storage_free_bytes')).toBeNull();
  });

  it('reports the free space of a folder, but not of a bucket', async () => {
    const { figure } = await open();
    const [free, size] = [await figure('capture_storage_free_bytes'), await figure('capture_storage_size_bytes')];
    expect(free).toBeGreaterThan(0);
    expect(size).toBeGreaterThan(free ?? 0);
    const bucket = await open('s3://bucket');
    expect(await bucket.figure('capture_storage_free_bytes')).toBeNull();
  });
});
