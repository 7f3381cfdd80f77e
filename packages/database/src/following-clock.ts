/** Smaller differences are ignored, milliseconds: correcting them would make attempts look early or late. */
const toleranceMs = 100;

/** A response that takes longer says too little about the time, milliseconds. The first response is used in any case. */
const slowestMs = 1_000;

/**
 * Follows another clock, such as the database's, without asking for each time. Between two responses the clock advances by the
 * time since the process started, so changing this machine's clock has no effect.
 */
export class FollowingClock {
  /** The time of the other clock when the process started, milliseconds; until the first response, the time of this machine. */
  #startMs = Date.now() - performance.now();
  #hasFollowed = false;

  now(): Date {
    return new Date(this.#startMs + performance.now());
  }

  /** Asks the other clock and follows it from now on. */
  async follow(read: () => Promise<Date>): Promise<void> {
    const before = performance.now();
    const there = await read();
    const tookMs = performance.now() - before;
    if (tookMs > slowestMs && this.#hasFollowed) return;
    this.#hasFollowed = true;
    const startMs = there.getTime() - before - tookMs / 2;
    // The other clock may have been read at any time during the round trip.
    if (Math.abs(startMs - this.#startMs) > toleranceMs + tookMs / 2) this.#startMs = startMs;
  }
}
