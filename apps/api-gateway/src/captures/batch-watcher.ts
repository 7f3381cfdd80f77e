import { findBatches, type StoredBatch } from '@capture/database/captures/find-batch';
import type { Database } from '@capture/database/database';
import { every } from '@capture/runtime/every';
import type { Logger } from '@capture/runtime/log';

/** How often the watched batches are looked at, all in one statement, milliseconds. */
const pollMs = 500;

export interface BatchListener {
  /** The batch has changed. */
  changed(batch: StoredBatch): void;
  /** This process stops, or the batch is gone: whoever watches comes again. */
  ended(): void;
}

/** Tells of changes of batches to whoever watches them, for one look into Postgres twice a second. */
export class BatchWatcher {
  readonly #database: Pick<Database, 'prisma'>;
  readonly #listeners = new Map<string, Set<BatchListener>>();
  readonly #stopPolling: () => Promise<void>;

  constructor(database: Pick<Database, 'prisma'>, log: Logger) {
    this.#database = database;
    this.#stopPolling = every(pollMs, 'look at watched batches', log, () => this.#poll());
  }

  /** How many batches are watched. */
  get size(): number {
    return this.#listeners.size;
  }

  /** @returns what ends the watching. */
  watch(batchId: string, listener: BatchListener): () => void {
    const listeners = this.#listeners.get(batchId) ?? new Set();
    this.#listeners.set(batchId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(batchId) === listeners) this.#listeners.delete(batchId);
    };
  }

  async #poll(): Promise<void> {
    if (this.#listeners.size === 0) return;
    const watched = [...this.#listeners.keys()];
    const found = new Map((await findBatches(this.#database, watched)).map((batch) => [batch.id, batch]));
    for (const id of watched) {
      const batch = found.get(id);
      for (const listener of [...(this.#listeners.get(id) ?? [])]) {
        if (batch) listener.changed(batch);
        else listener.ended();
      }
    }
  }

  /** Ends everybody's watching: an open stream would keep the server from closing. */
  async close(): Promise<void> {
    await this.#stopPolling();
    for (const listeners of this.#listeners.values()) for (const listener of [...listeners]) listener.ended();
  }
}
