import type { CaptureStatus } from '@capture/contract/api/responses';
import { findStatuses } from '@capture/database/captures/find-capture';
import type { Queryable } from '@capture/database/database';
import { every } from '@capture/runtime/service/every';
import type { Logger } from '@capture/runtime/service/log';

/** How often one statement reads all awaited captures from Postgres, in case a hint was lost, milliseconds. */
const pollMs = 500;

/** Maximum number of waiting requests in one process: each holds a connection and a few kB. */
const maxWaits = 2_000;

/** How a wait ended. `not claimed` and `not ended`: no worker claimed or finished the capture in time. */
export type WaitEnd = 'ended' | 'not claimed' | 'not ended' | 'client gone';

interface Wait {
  finish(end: WaitEnd): void;
  /** A worker has claimed the capture: the time limit for rendering starts. */
  claimed(): void;
}

/**
 * Lets synchronous requests wait for their captures. They are woken by a hint from the worker or by a query twice a second,
 * so that no request keeps waiting after a lost hint or an outage of Redis.
 */
export class CaptureWaiter {
  readonly #database: Queryable;
  /** The waits of each capture: a request and its replays wait for the same capture. */
  readonly #waits = new Map<string, Set<Wait>>();
  #size = 0;
  readonly #stopPolling: () => Promise<void>;

  constructor(database: Queryable, log: Logger) {
    this.#database = database;
    this.#stopPolling = every(pollMs, 'read awaited captures', log, () => this.#poll());
  }

  /** Number of waiting requests. */
  get size(): number {
    return this.#size;
  }

  /** Whether this process can hold no further waiting request. */
  get isFull(): boolean {
    return this.#size >= maxWaits;
  }

  /** Handles a hint that a capture has ended. */
  hint(captureId: string): void {
    for (const wait of this.#of(captureId)) wait.finish('ended');
  }

  /**
   * Waits for the end of a capture. Called before the capture is enqueued, so that no hint is missed.
   *
   * @param limits.queueMs how long the capture may stay in the queue.
   * @param limits.renderMs how long it may take once a worker has claimed it.
   */
  wait(captureId: string, limits: { queueMs: number; renderMs: number }, client: AbortSignal): Promise<WaitEnd> {
    if (client.aborted) return Promise.resolve('client gone');
    return new Promise((resolve) => {
      let isClaimed = false;
      const finish = (end: WaitEnd) => {
        clearTimeout(timer);
        client.removeEventListener('abort', onAbort);
        this.#remove(captureId, wait);
        resolve(end);
      };
      const claimed = () => {
        if (isClaimed) return;
        isClaimed = true;
        clearTimeout(timer);
        timer = setTimeout(finish, limits.renderMs, 'not ended');
      };
      const onAbort = () => finish('client gone');
      let timer = setTimeout(finish, limits.queueMs, 'not claimed');
      client.addEventListener('abort', onAbort);
      const wait = { finish, claimed };
      this.#add(captureId, wait);
    });
  }

  async #poll(): Promise<void> {
    if (this.#waits.size === 0) return;
    for (const { id, status } of await findStatuses(this.#database, [...this.#waits.keys()])) {
      for (const wait of this.#of(id)) {
        if (status === 'processing') wait.claimed();
        else if (isEnd(status)) wait.finish('ended');
      }
    }
  }

  #of(captureId: string): Wait[] {
    return [...(this.#waits.get(captureId) ?? [])];
  }

  #add(captureId: string, wait: Wait): void {
    const waits = this.#waits.get(captureId) ?? new Set();
    this.#waits.set(captureId, waits.add(wait));
    this.#size += 1;
  }

  #remove(captureId: string, wait: Wait): void {
    const waits = this.#waits.get(captureId);
    if (waits?.delete(wait)) this.#size -= 1;
    if (waits?.size === 0) this.#waits.delete(captureId);
  }

  close(): Promise<void> {
    return this.#stopPolling();
  }
}

function isEnd(status: CaptureStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
