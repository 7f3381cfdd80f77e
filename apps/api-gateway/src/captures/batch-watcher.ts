import { areAccepted } from '@capture/database/accounts/find-key';
import { findBatches, type StoredBatch } from '@capture/database/captures/find-batch';
import type { Database } from '@capture/database/database';
import { every } from '@capture/runtime/service/every';
import type { Logger } from '@capture/runtime/service/log';
import type { Caller } from '../http/exchange.ts';

/** How often one statement reads all watched batches, milliseconds. */
const pollMs = 500;

export interface BatchListener {
  caller: Pick<Caller, 'accountId' | 'keyId' | 'sessionId'>;
  changed(batch: StoredBatch): void;
  /**
   * This process stops, the batch was deleted, or the service no longer accepts the caller's key. A client may connect again.
   */
  ended(): void;
}

/** Notifies listeners when their batches change. Two queries twice a second serve all listeners. */
export class BatchWatcher {
  readonly #database: Pick<Database, 'prisma' | 'pool'>;
  readonly #listeners = new Map<string, Set<BatchListener>>();
  readonly #stopPolling: () => Promise<void>;

  constructor(database: Pick<Database, 'prisma' | 'pool'>, log: Logger) {
    this.#database = database;
    this.#stopPolling = every(pollMs, 'read watched batches', log, () => this.#poll());
  }

  /** Number of watched batches. */
  get size(): number {
    return this.#listeners.size;
  }

  /** @returns a function that stops watching. */
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
    await this.#endRefused();
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

  /** Ends the listeners whose caller a new request would not accept: the stream of a revoked key stops within a second. */
  async #endRefused(): Promise<void> {
    const listeners = [...this.#listeners.values()].flatMap((each) => [...each]);
    const callers = listeners.map(({ caller }) => caller);
    const accepted = await areAccepted(this.#database.pool, callers);
    for (const [index, listener] of listeners.entries()) if (!accepted[index]) listener.ended();
  }

  /** Ends all listeners: an open stream would keep the server from closing. */
  async close(): Promise<void> {
    await this.#stopPolling();
    for (const listeners of this.#listeners.values()) for (const listener of [...listeners]) listener.ended();
  }
}
