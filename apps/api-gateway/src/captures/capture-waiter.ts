import type { CaptureStatus } from '@capture/contract/api/capture-record';
import { findStatuses } from '@capture/database/captures/find-capture';
import type { Queryable } from '@capture/database/database';
import { every } from '@capture/runtime/every';
import type { Logger } from '@capture/runtime/log';

/** How often Postgres is asked about all that is waited for, in one statement, in case a hint was lost. */
const pollMs = 500;

/** Requests that wait in one process at most: a connection and a few kB each. */
const waitsAtMost = 2_000;

/**
 * How the waiting ended: the capture reached its end; nobody took it in time; who took it did not end it in time; or the
 * client hung up.
 */
export type WaitEnd = 'ended' | 'not taken' | 'not ended' | 'client gone';

interface Wait {
  finish(end: WaitEnd): void;
  /** A worker has the capture: from now on the time for rendering runs. */
  taken(): void;
}

/**
 * Lets synchronous requests wait for their captures: woken by a hint from the worker, and by a look into Postgres twice a
 * second, so that no lost hint and no outage of Redis leaves anybody waiting.
 */
export class CaptureWaiter {
  readonly #database: Queryable;
  /** By capture: a request and those that replay it wait for the same one. */
  readonly #waits = new Map<string, Set<Wait>>();
  #size = 0;
  readonly #stopPolling: () => Promise<void>;

  constructor(database: Queryable, log: Logger) {
    this.#database = database;
    this.#stopPolling = every(pollMs, 'look for captures that are waited for', log, () => this.#poll());
  }

  /** How many requests are waiting now. */
  get size(): number {
    return this.#size;
  }

  /** Whether no further request should wait here. */
  get isFull(): boolean {
    return this.#size >= waitsAtMost;
  }

  /** A capture is said to have ended. */
  hint(captureId: string): void {
    for (const wait of this.#of(captureId)) wait.finish('ended');
  }

  /**
   * Waits for the end of a capture; to be called before it is enqueued, so that no hint comes too early.
   *
   * @param limits.queueMs how long it may stay in the queue.
   * @param limits.renderMs how long it may take from when a worker was seen to have it.
   */
  wait(captureId: string, limits: { queueMs: number; renderMs: number }, client: AbortSignal): Promise<WaitEnd> {
    if (client.aborted) return Promise.resolve('client gone');
    return new Promise((resolve) => {
      let isTaken = false;
      const finish = (end: WaitEnd) => {
        clearTimeout(timer);
        client.removeEventListener('abort', onAbort);
        this.#remove(captureId, wait);
        resolve(end);
      };
      const taken = () => {
        if (isTaken) return;
        isTaken = true;
        clearTimeout(timer);
        timer = setTimeout(finish, limits.renderMs, 'not ended');
      };
      const onAbort = () => finish('client gone');
      let timer = setTimeout(finish, limits.queueMs, 'not taken');
      client.addEventListener('abort', onAbort);
      const wait = { finish, taken };
      this.#add(captureId, wait);
    });
  }

  async #poll(): Promise<void> {
    if (this.#waits.size === 0) return;
    for (const { id, status } of await findStatuses(this.#database, [...this.#waits.keys()])) {
      for (const wait of this.#of(id)) {
        if (status === 'processing') wait.taken();
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
