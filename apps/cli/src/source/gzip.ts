import { gunzipSync } from 'node:zlib';
import { UsageError } from '../usage-error.ts';
import { listBytesAtMost } from './load-bytes.ts';

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** @param source as a message names it. @throws {UsageError} for what is broken, or far larger than any list. */
export function unzip(bytes: Buffer, source: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: listBytesAtMost });
  } catch (error) {
    throw new UsageError(`${source} cannot be unzipped (${(error as NodeJS.ErrnoException).code})`);
  }
}
