/** Counts of bulk work and of replays end at this number; no operator needs a larger one. */
export const countedAtMost = 100_000;
