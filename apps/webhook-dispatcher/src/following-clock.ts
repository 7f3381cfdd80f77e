/** Differences below this are ignored, beyond half of the round trip, milliseconds: following them would make attempts look early or late. */
const toleranceMs = 100;

/** A slower response says too little about the time, milliseconds. */
const slowestMs = 1_000;

/** The time by another clock, such as the database's, without asking it each time. */
export class FollowingClock {
  #aheadMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  /** Asks the other clock and follows it from now on. */
  async follow(read: () => Promise<Date>): Promise<void> {
    const startedAt = performance.now();
    const before = Date.now();
    const there = await read();
    const tookMs = performance.now() - startedAt;
    if (tookMs > slowestMs) return;
    const aheadMs = Math.round(there.getTime() - before - tookMs / 2);
    // The other clock may have been read at any time during the round trip.
    if (Math.abs(aheadMs - this.#aheadMs) > toleranceMs + tookMs / 2) this.#aheadMs = aheadMs;
  }
}
