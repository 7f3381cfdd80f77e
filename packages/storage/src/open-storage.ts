import { fileURLToPath } from 'node:url';
import { openDiskStorage } from './disk-storage.ts';
import type { Storage } from './storage.ts';

/**
 * Opens the store that a URL names: `file:///dir` is a folder of this machine.
 *
 * @throws {Error} one sentence, when the URL names no store that there is or its folder cannot be used.
 */
export async function openStorage(url: string): Promise<Storage> {
  const { protocol } = parse(url);
  switch (protocol) {
    case 'file:':
      return openFolder(url);
    case 's3:':
      throw new Error('STORAGE_URL: s3:// is not supported yet; use file:///an/absolute/folder.');
    default:
      throw new Error(`STORAGE_URL: ${protocol}// names no store; use file:///an/absolute/folder.`);
  }
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    // The URL itself may hold a key of a store; it is not repeated.
    throw new Error('STORAGE_URL is not a URL; use file:///an/absolute/folder.');
  }
}

async function openFolder(url: string): Promise<Storage> {
  let directory: string;
  try {
    directory = fileURLToPath(url);
  } catch (cause) {
    throw new Error('STORAGE_URL: a file URL has three slashes and no host: file:///an/absolute/folder.', { cause });
  }
  try {
    return await openDiskStorage({ directory });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Error(`STORAGE_URL: the folder ${directory} cannot be used (${code}).`, { cause });
  }
}
