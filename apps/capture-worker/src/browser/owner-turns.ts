import { withTimeout } from '@capture/runtime/timeout';

/** Limits how many turns are in progress. Owners take turns in rotation, however much work each owner has waiting. */
export class OwnerTurns {
  readonly #atOnce: number;
  #lasting = 0;
  /** The waiting turns by owner. The owner of the last turn is at the end. */
  readonly #waiting = new Map<string, ((end: () => void) => void)[]>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Whether a turn is in progress. */
  get isActive(): boolean {
    return this.#lasting > 0;
  }

  /**
   * Runs work in a turn of its owner. Work that takes longer than the turn continues during the next.
   *
   * @param turnMs how long the turn lasts at most, milliseconds.
   */
  async run<T>(owner: string, turnMs: number, work: () => Promise<T>): Promise<T> {
    const end = await this.next(owner);
    const running = (async () => work())();
    void withTimeout(turnMs, running, () => undefined)
      .catch(() => undefined)
      .then(end);
    return running;
  }

  /** Waits for the owner's turn. Resolves with a function that ends the turn. */
  next(owner: string): Promise<() => void> {
    return new Promise((resolve) => {
      this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), resolve]);
      this.#beginNext();
    });
  }

  /** Begins a turn at once. @returns a function that ends the turn. */
  begin(): () => void {
    this.#lasting += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#lasting -= 1;
      this.#beginNext();
    };
  }

  #beginNext(): void {
    for (let [first] = this.#waiting; first && this.#lasting < this.#atOnce; [first] = this.#waiting) {
      const [owner, [resolve, ...others]] = first;
      this.#waiting.delete(owner);
      if (others.length > 0) this.#waiting.set(owner, others);
      resolve?.(this.begin());
    }
  }
}
