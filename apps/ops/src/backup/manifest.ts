import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { z } from 'zod';
import { FailedError } from '../exit-codes.ts';

/** The format's number. It increases when this version can no longer read older backups in the same way. */
const format = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const shape = z.object({
  format: z.literal(format),
  /** The time of the database snapshot. */
  taken_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  contract_form: z.string(),
  postgres: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int(), file: z.string(), sha256 }),
  ),
  files: z.object({ count: z.int(), bytes: z.int(), vanished: z.int(), list: z.string(), sha256 }).nullable(),
});

/** The content of a backup. The manifest is written last, so a folder without it is not a complete backup. */
export type Manifest = z.output<typeof shape>;

const manifestPath = (folder: string) => path.join(folder, 'manifest.json');

export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format, ...manifest }, null, 2)}\n`;
  await writeFile(`${manifestPath(folder)}.new`, text, { mode: 0o600, flush: true });
  await rename(`${manifestPath(folder)}.new`, manifestPath(folder));
}

/** @throws {FailedError} if the folder is not a complete backup, or a later version wrote it. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(manifestPath(folder), 'utf8').catch(() => null);
  if (text === null) throw new FailedError(`${folder} is not a complete backup: it has no manifest.json`);
  const read = shape.safeParse(parse(text));
  if (read.success) return read.data;
  throw new FailedError(`${manifestPath(folder)} cannot be read: it was altered, or made by a later version`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Passes bytes on and computes their SHA-256 and count. */
export class Checksum extends Transform {
  readonly #hash = createHash('sha256');
  bytes = 0;

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }

  /** Returns the checksum of all bytes. Can be called once. */
  sha256(): string {
    return this.#hash.digest('hex');
  }
}
