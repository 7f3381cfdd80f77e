import type { CaptureClient } from '@capture/sdk/client';
import pLimit from 'p-limit';
import { fetchFile } from './fetch-file.ts';
import type { ListFolder, StartedBatch } from './folder.ts';
import type { EndedItem } from './follow-batch.ts';
import type { Item } from './item.ts';

/** Files that are loaded at once. */
const downloadsAtOnce = 4;

/** Why there is no file. */
interface Failure {
  error_code: string;
  error_message: string;
  request_id?: string;
  batch_id?: string;
}

/** Writes down what became of captures, each once, with their files before. */
export class OutcomeKeeper {
  readonly #client: CaptureClient;
  readonly #folder: ListFolder;
  readonly #signal: AbortSignal;
  readonly #onOutcome: (key: string, status: 'completed' | 'failed') => void;
  readonly #downloads = pLimit(downloadsAtOnce);
  readonly #kept = new Set<string>();

  constructor(
    client: CaptureClient,
    folder: ListFolder,
    signal: AbortSignal,
    onOutcome: (key: string, status: 'completed' | 'failed') => void,
  ) {
    this.#client = client;
    this.#folder = folder;
    this.#signal = signal;
    this.#onOutcome = onOutcome;
  }

  /** Whether this run has written a capture down. */
  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /**
   * Loads the file of a capture that completed, and writes down what became of it.
   *
   * @returns false where the file is gone already, so that it is to be captured again.
   */
  keep(batch: StartedBatch, ended: EndedItem): Promise<boolean> {
    return this.#downloads(async () => {
      const { requestId, status, url, errorCode } = ended;
      const { key, type, file } = ended.item;
      // An earlier run, or a batch that was handed in again, has told of it.
      if (this.#folder.outcomeOf(key)?.request_id === requestId) return true;
      const ids = { request_id: requestId, ...(batch.batchId !== undefined && { batch_id: batch.batchId }) };
      if (status !== 'completed') {
        const { error_message } = await this.#record(requestId);
        const why = { error_code: errorCode ?? 'CANCELLED', error_message: error_message ?? 'It was cancelled.' };
        this.fail({ key, type, url }, { ...why, ...ids });
        return true;
      }
      // A batch of contract form A has no links to its files; the records have.
      const fileUrl = ended.fileUrl ?? (await this.#record(requestId)).file_url;
      const saved = fileUrl ? await fetchFile(this.#client, fileUrl, this.#folder.fileOf(file), this.#signal) : null;
      if (!saved) return false;
      this.#folder.record({ key, url, type, status: 'completed', file, ...saved, ...ids });
      this.#tell(key, 'completed');
      return true;
    });
  }

  fail({ key, type, url }: Pick<Item, 'key' | 'type' | 'url'>, why: Failure): void {
    this.#folder.record({ key, url, type, status: 'failed', ...why });
    this.#tell(key, 'failed');
  }

  #record(requestId: string) {
    return this.#client.captures.get(requestId, { signal: this.#signal });
  }

  #tell(key: string, status: 'completed' | 'failed'): void {
    this.#kept.add(key);
    this.#onOutcome(key, status);
  }
}
