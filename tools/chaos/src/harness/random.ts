/** Chance that can be had again: the same seed gives the same numbers. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** One of them. */
  pick<Value>(values: readonly Value[]): Value;
  /** All of them, in another order. */
  shuffle<Value>(values: readonly Value[]): Value[];
}

/** Mulberry32: 32 bits of state, good enough to choose victims. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick: (values) => values[Math.floor(next() * values.length)]!,
    shuffle(values) {
      return values
        .map((value) => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value);
    },
  };
}
