import type { Readable } from 'node:stream';

/**
 * Where the files of captures are kept. One interface, one test suite (`storage-suite.ts`) that every implementation
 * passes. Files are written whole and never changed: a key is used once.
 */
export interface Storage {
  /**
   * Writes a file. When it resolves the whole file is there under its key; when it rejects, or the process dies, no part
   * of it ever is.
   */
  put(key: string, bytes: Buffer): Promise<void>;
  /**
   * Opens a file, or gives null if there is none (any more). `size` is in bytes and is what the stream gives. Whoever
   * opens reads to the end or destroys the stream.
   */
  open(key: string): Promise<StoredFile | null>;
  /** Removes a file; one that is not there is no error. */
  remove(key: string): Promise<void>;
  /**
   * The keys of everything last written before `writtenBefore`, in no order: what a sweep for files without a row looks
   * through. What an interrupted `put` left behind is among them.
   */
  list(writtenBefore: Date): AsyncIterable<string>;
  /**
   * A URL under which the store itself gives the file, with these headers, to whoever has it, for `expiresInS` seconds at
   * most. Only of a store that was opened so; without it files go through whoever serves them.
   */
  link?(key: string, file: LinkedFile): Promise<string>;
}

/** What a store says of a file that it gives away itself. */
export interface LinkedFile {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
  expiresInS: number;
}

export interface StoredFile {
  size: number;
  stream: Readable;
}

/** S3 allows 1,024 bytes and file systems 255 a name; ours are a tenth of that. */
const longestKey = 512;

const segment = '[A-Za-z0-9][A-Za-z0-9._-]{0,199}';
const keyForm = new RegExp(`^${segment}(?:/${segment})*$`);

/**
 * Lets only keys through that mean the same everywhere: letters, digits, `.`, `_`, `-` in segments that do not begin
 * with a dot, so that no key leads out of its store.
 *
 * @throws {Error} for any other key.
 */
export function checkKey(key: string): void {
  if (key.length > longestKey || !keyForm.test(key)) {
    throw new Error(`not a storage key: ${JSON.stringify(key.slice(0, 100))}`);
  }
}
