import { gunzipSync } from 'node:zlib';
import { UsageError } from '../usage-error.ts';
import { maxListBytes } from './load-bytes.ts';

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** @param source the name in messages. @throws {UsageError} if the bytes are damaged, or far larger than any list. */
export function unzip(bytes: Buffer, source: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxListBytes });
  } catch (error) {
    throw new UsageError(`${source} cannot be unzipped (${(error as NodeJS.ErrnoException).code})`);
  }
}
