import type { CaptureClient } from '@capture-platform/sdk/client';
import pLimit from 'p-limit';
import { fetchFile } from './fetch-file.ts';
import { fileOfOutput } from './file-name.ts';
import type { ListFolder, SavedOutput, StartedBatch } from './folder.ts';
import type { EndedItem } from './follow-batch.ts';
import type { Item } from './item.ts';

const downloadsAtOnce = 4;

interface Output {
  name: string;
  kind: string;
  format: string;
  file_url: string;
}

/** The reason that a capture has no file. */
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
   * Downloads the files of a completed capture and records the outcome.
   *
   * @returns false if a file no longer exists, so the capture must be repeated.
   */
  keep(batch: StartedBatch, ended: EndedItem): Promise<boolean> {
    return this.#downloads(async () => {
      const { requestId, status, url, errorCode } = ended;
      const { key, type, file, mayHaveOutputs } = ended.item;
      // An earlier run has recorded the outcome, or the batch was submitted twice.
      if (this.#folder.outcomeOf(key)?.request_id === requestId) return true;
      const ids = { request_id: requestId, ...(batch.batchId !== undefined && { batch_id: batch.batchId }) };
      if (status !== 'completed') {
        const { error_message } = await this.#record(requestId);
        const why = { error_code: errorCode ?? 'CANCELLED', error_message: error_message ?? 'It was cancelled.' };
        this.fail({ key, type, url }, { ...why, ...ids });
        return true;
      }
      // Batch results have no file links in form A, but the capture records have.
      const record = mayHaveOutputs || !ended.fileUrl ? await this.#record(requestId) : null;
      const fileUrl = record ? record.file_url : ended.fileUrl;
      const saved = fileUrl ? await this.#fetch(fileUrl, file) : null;
      const outputs = await this.#saveOutputs(file, record?.outputs?.slice(1) ?? []);
      if (!saved || !outputs) return false;
      const further = outputs.length > 0 ? { outputs } : {};
      this.#folder.record({ key, url, type, status: 'completed', file, ...saved, ...further, ...ids });
      this.#notify(key, 'completed');
      return true;
    });
  }

  fail({ key, type, url }: Pick<Item, 'key' | 'type' | 'url'>, why: Failure): void {
    this.#folder.record({ key, url, type, status: 'failed', ...why });
    this.#notify(key, 'failed');
  }

  /** @returns null if one of the files no longer exists. */
  async #saveOutputs(own: string, outputs: readonly Output[]): Promise<SavedOutput[] | null> {
    const all: SavedOutput[] = [];
    for (const { name, kind, format, file_url } of outputs) {
      const file = fileOfOutput(own, { name, format });
      const saved = await this.#fetch(file_url, file);
      if (!saved) return null;
      all.push({ name, kind, file, ...saved });
    }
    return all;
  }

  #fetch(fileUrl: string, file: string) {
    return fetchFile(this.#client, fileUrl, this.#folder.fileOf(file), this.#signal);
  }

  #record(requestId: string) {
    return this.#client.captures.get(requestId, { signal: this.#signal });
  }

  #notify(key: string, status: 'completed' | 'failed'): void {
    this.#kept.add(key);
    this.#onOutcome(key, status);
  }
}
