import { type ClaimedCapture, releaseCapture } from '@capture/database/captures/claim-capture';
import type { Database } from '@capture/database/database';
import type { Logger } from '@capture/runtime/service/log';
import { withTimeout } from '@capture/runtime/timeout';

/** The captures that this worker has claimed and not ended. It renews their leases. */
export class RunningCaptures {
  readonly #running = new Set<ClaimedCapture>();
  readonly #waiting = new Set<() => void>();

  /** Adds a capture until the returned function is called. */
  add(capture: ClaimedCapture): () => void {
    this.#running.add(capture);
    return () => {
      this.#running.delete(capture);
      if (this.#running.size === 0) for (const resolve of this.#waiting) resolve();
    };
  }

  get all(): readonly ClaimedCapture[] {
    return [...this.#running];
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
 * Waits `drainMs` milliseconds for running captures, then releases the others to the queue. That does not count as a lost
 * worker, and outcomes that come in later are refused.
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
