import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Kind } from '../options/capture-option.ts';
import { UsageError } from '../usage-error.ts';
import { FileNames } from './file-name.ts';
import { lockFolder } from './folder-lock.ts';
import type { Item } from './item.ts';
import { JsonLines } from './json-lines.ts';

/** A line of `manifest.jsonl`: the outcome of a capture. The last line of a key is the valid one. */
export interface Outcome {
  key: string;
  url: string;
  type: Kind;
  status: 'completed' | 'failed';
  /** The file name in the same folder, only if completed. */
  file?: string;
  bytes?: number;
  sha256?: string;
  /** Further files of the same visit, in the same folder. */
  outputs?: SavedOutput[];
  error_code?: string;
  error_message?: string;
  request_id?: string;
  batch_id?: string;
  at: string;
}

/** A further file of a capture. */
export interface SavedOutput {
  name: string;
  kind: string;
  file: string;
  bytes: number;
  sha256: string;
}

/** The part of an outcome or output that describes a file. */
type MaybeFile = { [Key in 'file' | 'bytes' | 'sha256']: Outcome[Key] | undefined };

/** A capture and its reserved file name. */
export interface PlannedItem {
  key: string;
  file: string;
  type: Kind;
  /** Whether the capture's options, or a preset, may ask for further files. */
  mayHaveOutputs?: boolean;
}

/** A batch that is submitted, or about to be. */
export interface StartedBatch {
  /** The `Idempotency-Key`. A second submission creates nothing. */
  id: string;
  items: PlannedItem[];
  /** The server's ID, after its response. */
  batchId?: string;
}

/** A line of the journal: a batch is about to be submitted, was accepted, or is in the manifest completely. */
type JournalLine =
  | { begin: string; items: PlannedItem[] }
  | { accepted: string; batch_id: string }
  | { end: string; reason?: string };

/**
 * The folder of a list: the files, `manifest.jsonl`, and in `.capture` the state from which a later run continues after any
 * interruption. A batch is in the journal before it is submitted, and a file has its name before it is in the manifest.
 */
export class ListFolder {
  readonly path: string;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #manifest: JsonLines<Outcome>;
  readonly #journal: JsonLines<JournalLine>;
  readonly #names: FileNames;
  readonly #reserved = new Map<string, PlannedItem>();
  readonly #unlock: () => void;
  /** Batches of earlier runs that are not completely in the manifest. */
  readonly unfinished: readonly StartedBatch[];

  /** @throws {UsageError} if the folder is not writable, or another run is using it. */
  constructor(folder: string) {
    this.path = path.resolve(folder);
    const stateFolder = path.join(this.path, '.capture');
    try {
      mkdirSync(stateFolder, { recursive: true });
      this.#unlock = lockFolder(path.join(stateFolder, 'lock'));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new UsageError(`the folder ${this.path} cannot be used (${(error as NodeJS.ErrnoException).code})`);
    }
    const manifest = JsonLines.open<Outcome>(path.join(this.path, 'manifest.jsonl'));
    const journal = JsonLines.open<JournalLine>(path.join(stateFolder, 'journal.jsonl'), 0o600);
    this.#manifest = manifest.log;
    this.#journal = journal.log;
    for (const outcome of manifest.rows) this.#outcomes.set(outcome.key, outcome);
    this.unfinished = this.#replay(journal.rows);
    for (const { key, file, type } of manifest.rows) if (file) this.#reserved.set(key, { key, file, type });
    const reserved = [...this.#reserved.values()].map(({ file }) => file);
    this.#names = new FileNames([...readdirSync(this.path), ...reserved]);
  }

  /** Returns the outcome of a capture in this or an earlier run. */
  outcomeOf(key: string): Outcome | undefined {
    return this.#outcomes.get(key);
  }

  /** Whether all files of a completed capture still exist with the same size and, with `verify`, the same checksum. */
  async hasFiles({ status, file, bytes, sha256, outputs = [] }: Outcome, verify: boolean): Promise<boolean> {
    if (status !== 'completed') return false;
    for (const saved of [{ file, bytes, sha256 }, ...outputs]) if (!(await this.#isWhole(saved, verify))) return false;
    return true;
  }

  async #isWhole({ file: name, bytes, sha256 }: MaybeFile, verify: boolean) {
    if (name === undefined) return false;
    const file = this.fileOf(name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile() || found.size !== bytes) return false;
    return !verify || (await computeChecksum(file)) === sha256;
  }

  /** Returns the path of a file. A user may have edited the manifest, so names never lead out of the folder. */
  fileOf(name: string): string {
    return path.join(this.path, path.basename(name));
  }

  /** Returns the file name for a capture: the name reserved before, or a new name. */
  plan(item: Item): PlannedItem {
    const { key, type, options } = item;
    const file = this.#reserved.get(key)?.file ?? this.#names.take(item);
    const mayHaveOutputs = options.outputs !== undefined || options.preset !== undefined;
    const planned = { key, type, file, ...(mayHaveOutputs && { mayHaveOutputs }) };
    this.#reserved.set(key, planned);
    return planned;
  }

  begin(batch: StartedBatch): void {
    this.#journal.add({ begin: batch.id, items: batch.items }, { durable: true });
  }

  accept(batch: StartedBatch, batchId: string): void {
    this.#journal.add({ accepted: batch.id, batch_id: batchId }, { durable: true });
  }

  /** Closes a batch. */
  end(batch: StartedBatch, reason?: string): void {
    this.#journal.add({ end: batch.id, ...(reason !== undefined && { reason }) });
  }

  record(outcome: Omit<Outcome, 'at'>): void {
    const line = { ...outcome, at: new Date().toISOString() };
    this.#manifest.add(line);
    this.#outcomes.set(outcome.key, line);
  }

  close(): void {
    this.#manifest.close();
    this.#journal.close();
    this.#unlock();
  }

  #replay(lines: readonly JournalLine[]): StartedBatch[] {
    const open = new Map<string, StartedBatch>();
    for (const line of lines) {
      if ('begin' in line) {
        open.set(line.begin, { id: line.begin, items: line.items });
        for (const item of line.items) this.#reserved.set(item.key, item);
      } else if ('accepted' in line) {
        const batch = open.get(line.accepted);
        if (batch) batch.batchId = line.batch_id;
      } else open.delete(line.end);
    }
    return [...open.values()];
  }
}

/** Returns the SHA-256 of a file's content, in hex. */
export async function computeChecksum(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
