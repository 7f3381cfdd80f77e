import { type ClaimedCapture, releaseCapture } from '@capture/database/captures/claim-capture';
import type { Database } from '@capture/database/database';
import type { Logger } from '@capture/runtime/log';
import { withTimeout } from '@capture/runtime/timeout';

/** The captures that this worker has claimed and not yet ended: those whose leases it renews. */
export class RunningCaptures {
  readonly #running = new Set<ClaimedCapture>();
  readonly #waiting = new Set<() => void>();

  /** Notes a capture until the returned function is called. */
  add(capture: ClaimedCapture): () => void {
    this.#running.add(capture);
    return () => {
      this.#running.delete(capture);
      if (this.#running.size === 0) for (const tell of this.#waiting) tell();
    };
  }

  get all(): readonly ClaimedCapture[] {
    return [...this.#running];
  }

  /** Resolves when none is running, or after `limitMs` milliseconds. */
  async noneLeft(limitMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    let tell: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      tell = resolve;
    });
    this.#waiting.add(tell);
    await withTimeout(limitMs, ended, () => undefined);
    this.#waiting.delete(tell);
  }
}

/**
 * Finishes the captures that run, and gives back to the queue what is not finished within `drainMs` milliseconds: no
 * worker counts as lost for that, and what its pages still come to is refused.
 */
export async function finishOrRelease(
  { running, database, log }: { running: RunningCaptures; database: Pick<Database, 'pool'>; log: Pick<Logger, 'info'> },
  drainMs: number,
): Promise<void> {
  await running.noneLeft(drainMs);
  const giveBack = async (capture: ClaimedCapture) => {
    const released = await releaseCapture(database.pool, capture);
    log.info({ request_id: capture.id, attempt: capture.attempt, released }, 'not finished in time; queued again');
  };
  await Promise.allSettled(running.all.map(giveBack));
}
