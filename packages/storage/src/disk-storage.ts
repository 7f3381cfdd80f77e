import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, opendir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { checkKey, type Storage } from './storage.ts';

/** The bytes per read. Most images take one read; with Node's 64 KiB they would need a dozen turns on Node's few threads. */
const readAtOnce = 512 * 1024;

export interface DiskStorageOptions {
  /** An absolute path; the folder is created if it is missing. */
  directory: string;
  /**
   * Whether `put` flushes the file and its folder to disk. Off by default, because a capture whose file is lost in a power
   * failure can be repeated, and flushing costs each capture 5 to 20 ms.
   */
  syncToDisk?: boolean;
}

/**
 * Stores files in a folder of this machine. A file is written under another name and renamed, so that partial files are never
 * visible.
 *
 * @throws if the folder cannot be created or written to.
 */
export async function openDiskStorage({ directory, syncToDisk = false }: DiskStorageOptions): Promise<Storage> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  const place = (key: string) => {
    checkKey(key);
    return path.join(directory, ...key.split('/'));
  };
  return {
    async put(key, bytes) {
      const file = place(key);
      await inFolder(path.dirname(file), () => writeWhole(file, bytes, syncToDisk));
    },

    async open(key, part) {
      const handle = await open(place(key), 'r').catch(nullIfMissing);
      if (!handle) return null;
      try {
        const facts = await handle.stat();
        if (!facts.isFile()) {
          await handle.close();
          return null;
        }
        const size = part ? part.end - part.start + 1 : facts.size;
        return { size, stream: handle.createReadStream({ highWaterMark: readAtOnce, ...part }) };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    async remove(key) {
      const file = place(key);
      await unlink(file).catch(nullIfMissing);
      await removeEmptyFolders(directory, path.dirname(file));
    },

    list: (writtenBefore) => listFiles(directory, '', writtenBefore),
  };
}

/** Runs `write` in a folder, which is created if it is missing. */
async function inFolder(folder: string, write: () => Promise<void>): Promise<void> {
  // A concurrent removal may delete the folder while it is empty. The tries are limited, so that the loop ends.
  for (let tries = 3; ; tries -= 1) {
    try {
      return await write();
    } catch (error) {
      if (!isMissing(error) || tries === 0) throw error;
      await mkdir(folder, { recursive: true, mode: 0o750 });
    }
  }
}

async function writeWhole(file: string, bytes: Buffer, syncToDisk: boolean): Promise<void> {
  // The name is a valid key, so that the cleanup job finds the file if the process is killed.
  const part = `${file}.part-${randomBytes(6).toString('hex')}`;
  const handle = await open(part, 'wx', 0o640);
  try {
    try {
      await handle.writeFile(bytes);
      if (syncToDisk) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await unlink(part).catch(() => undefined);
    throw error;
  }
  if (syncToDisk) await syncFolder(path.dirname(file));
}

/** Flushes a folder, which makes a rename in it durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  for (let empty = folder; empty.startsWith(root + path.sep); empty = path.dirname(empty)) {
    try {
      await rmdir(empty);
    } catch {
      return;
    }
  }
}

async function* listFiles(root: string, folder: string, writtenBefore: Date): AsyncGenerator<string> {
  // The folder may contain a folder that another program made and closed, such as `lost+found`.
  const nullIfClosed = (error: NodeJS.ErrnoException) =>
    folder !== '' && error.code === 'EACCES' ? null : nullIfMissing(error);
  const entries = await opendir(path.join(root, folder)).catch(nullIfClosed);
  if (!entries) return;
  for await (const entry of entries) {
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(root, key, writtenBefore);
    else if (entry.isFile()) {
      const facts = await stat(path.join(root, key)).catch(nullIfClosed);
      if (facts && facts.mtime < writtenBefore) yield key;
    }
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
