import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import { withinTime } from '../deadline.ts';

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
    await withinTime('the running captures', limitMs, ended).catch(() => undefined);
    this.#waiting.delete(tell);
  }
}
