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

/** A line of `manifest.jsonl`: what became of a capture. The last line of a key is the one that holds. */
export interface Outcome {
  key: string;
  url: string;
  type: Kind;
  status: 'completed' | 'failed';
  /** In the same folder; of a completed one. */
  file?: string;
  bytes?: number;
  sha256?: string;
  error_code?: string;
  error_message?: string;
  request_id?: string;
  batch_id?: string;
  at: string;
}

/** A capture and the file that it was promised. */
export interface PlannedItem {
  key: string;
  file: string;
  type: Kind;
}

/** A batch as it was handed in, or is about to be. */
export interface StartedBatch {
  /** Its `Idempotency-Key`: sent again, it makes nothing twice. */
  id: string;
  items: PlannedItem[];
  /** The server's name for it, once it answered. */
  batchId?: string;
}

/** A line of the journal: a batch is about to be handed in, was accepted, or all of it is in the manifest. */
type JournalLine =
  | { begin: string; items: PlannedItem[] }
  | { accepted: string; batch_id: string }
  | { end: string; reason?: string };

/**
 * The folder of a list: the files, `manifest.jsonl`, and in `.capture` what a later run needs in order to go on where this
 * one was broken off, at whatever point. A batch is in the journal before the server hears of it, and a file under its name
 * before the manifest says so.
 */
export class ListFolder {
  readonly path: string;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #manifest: JsonLines<Outcome>;
  readonly #journal: JsonLines<JournalLine>;
  readonly #names: FileNames;
  readonly #promised = new Map<string, PlannedItem>();
  readonly #unlock: () => void;
  /** Batches of an earlier run that are not all in the manifest yet. */
  readonly unfinished: readonly StartedBatch[];

  /** @throws {UsageError} when it cannot be written to, or another run works on it. */
  constructor(folder: string) {
    this.path = path.resolve(folder);
    const own = path.join(this.path, '.capture');
    try {
      mkdirSync(own, { recursive: true });
      this.#unlock = lockFolder(path.join(own, 'lock'));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new UsageError(`the folder ${this.path} cannot be used (${(error as NodeJS.ErrnoException).code})`);
    }
    const manifest = JsonLines.open<Outcome>(path.join(this.path, 'manifest.jsonl'));
    const journal = JsonLines.open<JournalLine>(path.join(own, 'journal.jsonl'), 0o600);
    this.#manifest = manifest.log;
    this.#journal = journal.log;
    for (const outcome of manifest.rows) this.#outcomes.set(outcome.key, outcome);
    this.unfinished = this.#replay(journal.rows);
    for (const { key, file, type } of manifest.rows) if (file) this.#promised.set(key, { key, file, type });
    const promised = [...this.#promised.values()].map(({ file }) => file);
    this.#names = new FileNames([...readdirSync(this.path), ...promised]);
  }

  /** What is known of a capture from this run or an earlier one. */
  outcomeOf(key: string): Outcome | undefined {
    return this.#outcomes.get(key);
  }

  /** Whether a capture that completed still has its file, of the length that it had; or, if asked, of the same content. */
  async hasFile(outcome: Outcome, verify: boolean): Promise<boolean> {
    if (outcome.status !== 'completed' || outcome.file === undefined) return false;
    const file = this.fileOf(outcome.file);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile() || found.size !== outcome.bytes) return false;
    return !verify || (await checksumOf(file)) === outcome.sha256;
  }

  /** Where a file lies. Names in the manifest are ours, but a manifest may have been edited: none leads out of the folder. */
  fileOf(name: string): string {
    return path.join(this.path, path.basename(name));
  }

  /** The file that a capture gets: the one that it was promised before, or a name that is free. */
  plan(item: Item): PlannedItem {
    const { key, type } = item;
    const planned = this.#promised.get(key) ?? { key, type, file: this.#names.take(item) };
    this.#promised.set(key, planned);
    return planned;
  }

  begin(batch: StartedBatch): void {
    this.#journal.add({ begin: batch.id, items: batch.items }, { durable: true });
  }

  accept(batch: StartedBatch, batchId: string): void {
    this.#journal.add({ accepted: batch.id, batch_id: batchId }, { durable: true });
  }

  /** Nothing more is to be expected of a batch. */
  end(batch: StartedBatch, reason?: string): void {
    this.#journal.add({ end: batch.id, ...(reason !== undefined && { reason }) });
  }

  record(outcome: Omit<Outcome, 'at'>): void {
    const whole = { ...outcome, at: new Date().toISOString() };
    this.#manifest.add(whole);
    this.#outcomes.set(outcome.key, whole);
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
        for (const item of line.items) this.#promised.set(item.key, item);
      } else if ('accepted' in line) {
        const batch = open.get(line.accepted);
        if (batch) batch.batchId = line.batch_id;
      } else open.delete(line.end);
    }
    return [...open.values()];
  }
}

/** SHA-256 of a file's content, in hex. */
export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
