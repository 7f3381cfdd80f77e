import type { Readable } from 'node:stream';

/**
 * Stores the files of captures. Every implementation passes the same tests (`storage-suite.ts`). Files are written completely and
 * never changed, because a key is used once.
 */
export interface Storage {
  /** Writes a file atomically: if the call rejects or the process dies, no part of the file is visible under its key. */
  put(key: string, bytes: Buffer): Promise<void>;
  /**
   * Opens a file, or a part of it; null if there is no such file. `size` is the length of the stream in bytes. The caller must
   * read to the end or destroy the stream.
   */
  open(key: string, part?: FilePart): Promise<StoredFile | null>;
  /** Removes a file; a missing file is not an error. */
  remove(key: string): Promise<void>;
  /**
   * Lists the keys of all files last written before `writtenBefore`, in any order, for the cleanup of files without a row.
   * Includes leftovers of an interrupted `put` and files of other programs, whose names may not be valid keys.
   */
  list(writtenBefore: Date): AsyncIterable<string>;
  /**
   * Returns a URL under which the store itself serves the file, with these headers, to anyone who has the URL, for at most
   * `expiresInS` seconds. Exists only if the store was opened with `links=presigned`; otherwise the gateway serves files.
   */
  link?(key: string, file: LinkedFile): Promise<string>;
}

/** A store on another machine cannot be reached or refuses a request. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** The headers and lifetime of a link to a file. */
export interface LinkedFile {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
  expiresInS: number;
}

/** The bytes of a file from `start` to `end`, both inclusive. The file must contain them. */
export interface FilePart {
  start: number;
  end: number;
}

export interface StoredFile {
  size: number;
  stream: Readable;
}

/** S3 allows 1,024 bytes and file systems 255 per name; our keys are a tenth of that. */
const longestKey = 512;

const segment = '[A-Za-z0-9][A-Za-z0-9._-]{0,199}';
const keyForm = new RegExp(`^${segment}(?:/${segment})*$`);

/**
 * Accepts only keys that every store treats alike: letters, digits, `.`, `_`, `-` in segments that do not begin with a dot, so
 * that no key leaves its store.
 *
 * @throws {Error} for any other key.
 */
export function checkKey(key: string): void {
  if (key.length > longestKey || !keyForm.test(key)) {
    throw new Error(`not a storage key: ${JSON.stringify(key.slice(0, 100))}`);
  }
}
