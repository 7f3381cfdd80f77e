import type { Readable } from 'node:stream';

/**
 * Stores the files of captures. Every implementation passes the same tests (`storage-suite.ts`). Files are written
 * completely and never changed: a key is used once.
 */
export interface Storage {
  /**
   * Writes a file atomically: if it rejects, or the process dies, no part of the file is visible under its key.
   */
  put(key: string, bytes: Buffer): Promise<void>;
  /**
   * Opens a file, or a part of it; null if there is none. `size` is the length of the stream in bytes. The caller reads to
   * the end or destroys the stream.
   */
  open(key: string, part?: FilePart): Promise<StoredFile | null>;
  /** Removes a file; a missing file is no error. */
  remove(key: string): Promise<void>;
  /**
   * The keys of all files last written before `writtenBefore`, in no order, for the cleanup of files without a row.
   * Includes leftovers of an interrupted `put`, and files that others put there, whose names may be no keys of ours.
   */
  list(writtenBefore: Date): AsyncIterable<string>;
  /**
   * A URL under which the store itself serves the file, with these headers, to anyone who has the URL, for at most
   * `expiresInS` seconds. Only if the store was opened with `links=presigned`; otherwise the gateway serves files.
   */
  link?(key: string, file: LinkedFile): Promise<string>;
}

/** A store on another machine cannot be reached, or does not do what it is asked to. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** Headers and lifetime of a link to a file. */
export interface LinkedFile {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
  expiresInS: number;
}

/** Bytes of a file, from `start` to `end`, both included; the file has them. */
export interface FilePart {
  start: number;
  end: number;
}

export interface StoredFile {
  size: number;
  stream: Readable;
}

/** S3 allows 1,024 bytes, file systems 255 per name; our keys are a tenth of that. */
const longestKey = 512;

const segment = '[A-Za-z0-9][A-Za-z0-9._-]{0,199}';
const keyForm = new RegExp(`^${segment}(?:/${segment})*$`);

/**
 * Accepts only keys that mean the same everywhere: letters, digits, `.`, `_`, `-` in segments that do not begin
 * with a dot, so that no key leaves its store.
 *
 * @throws {Error} for any other key.
 */
export function checkKey(key: string): void {
  if (key.length > longestKey || !keyForm.test(key)) {
    throw new Error(`not a storage key: ${JSON.stringify(key.slice(0, 100))}`);
  }
}
