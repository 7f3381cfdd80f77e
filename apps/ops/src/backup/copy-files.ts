import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { checkKey, type Storage } from '@capture/storage/storage';
import { readLines } from './file-list.ts';
import { inParallel } from './in-parallel.ts';
import { Checksum, type Manifest } from './manifest.ts';

/** The number of concurrent copies. A bucket takes about 50 ms for a file, and eight copies do not slow down its other clients. */
const atOnce = 8;

const list = 'files.ndjson.gz';

/**
 * Copies the files of a list of keys out of their store, and lists each with its size and checksum.
 *
 * @param keys the list, one key per line; removed afterwards.
 * @param onProgress called with the number of copied files.
 */
export async function copyFiles(
  store: Storage,
  folder: string,
  keys: { file: string; count: number },
  onProgress: (done: number, total: number) => void,
): Promise<Manifest['files']> {
  const found = { count: 0, bytes: 0, vanished: 0 };
  const lines = new PassThrough();
  const checksum = new Checksum();
  const out = createWriteStream(path.join(folder, list), { mode: 0o600, flush: true });
  const listed = pipeline(lines, createGzip(), checksum, out);
  listed.catch(() => undefined);
  await inParallel(readLines(keys.file), atOnce, async (key) => {
    const file = await copyFile(store, folder, key);
    if (file) {
      found.count += 1;
      found.bytes += file.size;
      if (!lines.write(`${JSON.stringify({ key, ...file })}\n`)) await Promise.race([listed, drained(lines)]);
    } else {
      // The file expired or its capture was deleted after the snapshot of the database.
      found.vanished += 1;
    }
    onProgress(found.count + found.vanished, keys.count);
  });
  lines.end();
  await listed;
  await rm(keys.file);
  return { ...found, list, sha256: checksum.sha256() };
}

const drained = (stream: PassThrough) => new Promise((resolve) => stream.once('drain', resolve));

async function copyFile(store: Storage, folder: string, key: string) {
  checkKey(key);
  const found = await store.open(key);
  if (!found) return null;
  const file = path.join(folder, 'files', ...key.split('/'));
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const checksum = new Checksum();
  await pipeline(found.stream, checksum, createWriteStream(file, { mode: 0o600 }));
  return { size: checksum.bytes, sha256: checksum.sha256() };
}
