/** Differences below this are ignored, beyond half of the round trip, milliseconds: following them would make attempts look early or late. */
const toleranceMs = 100;

/** A slower response says too little about the time, milliseconds, unless nothing else is known. */
const slowestMs = 1_000;

/**
 * The time by another clock, such as the database's, without asking it each time. Between two responses it runs by the time since
 * the process started: a change of this machine's clock does not change it.
 */
export class FollowingClock {
  /** What the other clock showed, or this machine's, when the process started, milliseconds. */
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
