import type { CaptureClient } from '@capture-platform/sdk/client';
import pLimit from 'p-limit';
import { fetchFile } from './fetch-file.ts';
import type { ListFolder, StartedBatch } from './folder.ts';
import type { EndedItem } from './follow-batch.ts';
import type { Item } from './item.ts';

/** Concurrent downloads. */
const downloadsAtOnce = 4;

/** Why a capture has no file. */
interface Failure {
  error_code: string;
  error_message: string;
  request_id?: string;
  batch_id?: string;
}

/** Downloads the files of captures and records each outcome once. */
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

  /** Whether this run has recorded the outcome of a capture. */
  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /**
   * Downloads the file of a completed capture and records the outcome.
   *
   * @returns false if the file no longer exists, so the capture must be repeated.
   */
  keep(batch: StartedBatch, ended: EndedItem): Promise<boolean> {
    return this.#downloads(async () => {
      const { requestId, status, url, errorCode } = ended;
      const { key, type, file } = ended.item;
      // An earlier run, or a batch that was submitted twice, has recorded it.
      if (this.#folder.outcomeOf(key)?.request_id === requestId) return true;
      const ids = { request_id: requestId, ...(batch.batchId !== undefined && { batch_id: batch.batchId }) };
      if (status !== 'completed') {
        const { error_message } = await this.#record(requestId);
        const why = { error_code: errorCode ?? 'CANCELLED', error_message: error_message ?? 'It was cancelled.' };
        this.fail({ key, type, url }, { ...why, ...ids });
        return true;
      }
      // Batch results of form A have no file links; the capture records have.
      const fileUrl = ended.fileUrl ?? (await this.#record(requestId)).file_url;
      const saved = fileUrl ? await fetchFile(this.#client, fileUrl, this.#folder.fileOf(file), this.#signal) : null;
      if (!saved) return false;
      this.#folder.record({ key, url, type, status: 'completed', file, ...saved, ...ids });
      this.#notify(key, 'completed');
      return true;
    });
  }

  fail({ key, type, url }: Pick<Item, 'key' | 'type' | 'url'>, why: Failure): void {
    this.#folder.record({ key, url, type, status: 'failed', ...why });
    this.#notify(key, 'failed');
  }

  #record(requestId: string) {
    return this.#client.captures.get(requestId, { signal: this.#signal });
  }

  #notify(key: string, status: 'completed' | 'failed'): void {
    this.#kept.add(key);
    this.#onOutcome(key, status);
  }
}
