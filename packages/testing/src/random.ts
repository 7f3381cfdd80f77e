/** Returns a sequence of numbers from 0 to 1 that the seed determines: xorshift32. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Reproducible chance. The same seed gives the same choices. */
export interface Random {
  /** Returns a number of at least 0, and less than 1. */
  next(): number;
  pick<Value>(values: readonly Value[]): Value;
  /** Returns all values, in another order. */
  shuffle<Value>(values: readonly Value[]): Value[];
}

export function createRandom(seed: number): Random {
  const next = randomNumbers(seed);
  return {
    next,
    pick: (values) => values[Math.floor(next() * values.length)]!,
    shuffle: (values) =>
      values
        .map((value) => ({ value, order: next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ value }) => value),
  };
}
