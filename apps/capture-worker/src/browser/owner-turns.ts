import { withTimeout } from '@capture/runtime/timeout';

/**
 * Runs work one after the other. Its owners take turns, so that one with much work does not hold up the others, and work that
 * takes longer than a turn goes on beside the next.
 */
export class OwnerTurns {
  readonly #turnMs: number;
  /** What waits, by owner. The owner who has had the last turn is at the end. */
  readonly #waiting = new Map<string, (() => Promise<unknown>)[]>();
  #isActive = false;

  /** @param turnMs how long a turn lasts at most, milliseconds. */
  constructor(turnMs: number) {
    this.#turnMs = turnMs;
  }

  /** Whether work is in its turn. */
  get isActive(): boolean {
    return this.#isActive;
  }

  run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = () => {
        const running = work();
        running.then(resolve, reject);
        return running;
      };
      const queue = this.#waiting.get(owner) ?? [];
      queue.push(start);
      this.#waiting.set(owner, queue);
      if (!this.#isActive) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isActive = true;
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      const [owner, queue] = first;
      const start = queue.shift();
      this.#waiting.delete(owner);
      if (queue.length > 0) this.#waiting.set(owner, queue);
      if (start) await withTimeout(this.#turnMs, start(), () => undefined).catch(() => undefined);
    }
    this.#isActive = false;
  }
}
