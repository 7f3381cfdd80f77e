/** A sequence of numbers from 0 to 1 that the seed determines: xorshift32. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Reproducible chance: the same seed gives the same choices. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  pick<Value>(values: readonly Value[]): Value;
  /** All values, in another order. */
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
