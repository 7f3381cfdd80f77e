/** Returns the quantile of a share, interpolated between neighbors; NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the geometric mean, for ratios: twice as slow and twice as fast cancel out. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Rotates the members each round, so that none always follows the same member. */
export function rotate<T>(members: readonly T[], by: number): T[] {
  const start = by % members.length;
  return [...members.slice(start), ...members.slice(0, start)];
}
