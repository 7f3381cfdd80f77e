import { type ClaimedCapture, releaseCapture } from '@capture/database/captures/claim-capture';
import { sendHeartbeat } from '@capture/database/captures/worker-heartbeat';
import type { Database } from '@capture/database/database';
import type { Logger } from '@capture/runtime/service/log';
import { withTimeout } from '@capture/runtime/timeout';

/** The captures that this worker has claimed and not ended. Renews their claims, and abandons captures whose claim is lost. */
export class RunningCaptures {
  readonly #running = new Map<ClaimedCapture, () => void>();
  readonly #waiting = new Set<() => void>();

  /**
   * Adds a capture until the returned function is called.
   *
   * @param abandon ends the work, because the claim is lost.
   */
  add(capture: ClaimedCapture, abandon: () => void): () => void {
    this.#running.set(capture, abandon);
    return () => {
      this.#running.delete(capture);
      if (this.#running.size === 0) for (const resolve of this.#waiting) resolve();
    };
  }

  get all(): readonly ClaimedCapture[] {
    return [...this.#running.keys()];
  }

  /**
   * Reports that the worker is alive, renews its claims, and abandons captures that were cancelled or that another worker has.
   *
   * @param pages the worker's slots.
   */
  async renewClaims(database: Pick<Database, 'pool'>, workerId: string, pages: number): Promise<void> {
    const claimed = this.all;
    const captureIds = claimed.map(({ id }) => id);
    const owned = new Map(await sendHeartbeat(database.pool, { id: workerId, pages, captureIds }));
    for (const capture of claimed) if (owned.get(capture.id) !== capture.attempt) this.#running.get(capture)?.();
  }

  /** Resolves when no capture is running, or after `limitMs` milliseconds. */
  async whenIdle(limitMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    let resolve: () => void = () => undefined;
    const ended = new Promise<void>((resolvePromise) => {
      resolve = resolvePromise;
    });
    this.#waiting.add(resolve);
    await withTimeout(limitMs, ended, () => undefined);
    this.#waiting.delete(resolve);
  }
}

/**
 * Waits `drainMs` milliseconds for running captures, then releases the others to the queue. A release does not count as a lost
 * worker, and later outcomes of released captures are refused.
 */
export async function finishOrRelease(
  { running, database, log }: { running: RunningCaptures; database: Pick<Database, 'pool'>; log: Pick<Logger, 'info'> },
  drainMs: number,
): Promise<void> {
  await running.whenIdle(drainMs);
  const release = async (capture: ClaimedCapture) => {
    const released = await releaseCapture(database.pool, capture);
    log.info({ request_id: capture.id, attempt: capture.attempt, released }, 'not finished in time; queued again');
  };
  await Promise.allSettled(running.all.map(release));
}
