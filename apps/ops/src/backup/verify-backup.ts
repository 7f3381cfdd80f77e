import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FailedError } from '../exit-codes.ts';
import { type ListedFile, readLines } from './file-list.ts';
import { inParallel } from './in-parallel.ts';
import { Checksum, type Manifest } from './manifest.ts';

const atOnce = 4;

/** @throws {FailedError} if a table or the file list is damaged. */
export async function verifyDatabase(folder: string, { tables, files }: Manifest): Promise<void> {
  for (const { file, sha256 } of tables) await verify(folder, file, sha256);
  if (files) await verify(folder, files.list, files.sha256);
}

/** Reads every file of a backup. @throws {FailedError} if a file is missing or damaged. */
export async function verifyFiles(
  folder: string,
  { files }: Manifest,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  if (!files) return;
  let done = 0;
  await inParallel(readLines(path.join(folder, files.list)), atOnce, async (line) => {
    const { key, sha256 }: ListedFile = JSON.parse(line);
    await verify(folder, path.join('files', ...key.split('/')), sha256);
    done += 1;
    onProgress(done, files.count);
  });
}

async function verify(folder: string, file: string, sha256: string): Promise<void> {
  const checksum = new Checksum();
  try {
    await pipeline(createReadStream(path.join(folder, file)), checksum, async (bytes) => {
      for await (const _chunk of bytes);
    });
  } catch (cause) {
    throw new FailedError(`${file} of the backup cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (checksum.sha256() !== sha256) throw new FailedError(`${file} of the backup is damaged: its checksum differs`);
}
