/** Counts of bulk work and of replays end here: no operator needs a larger number. */
export const countedAtMost = 100_000;
