import type { Bounds } from '../case.ts';

export const inBounds = (value: number, { least = 0, most = Number.POSITIVE_INFINITY }: Bounds): boolean =>
  value >= least && value <= most;

/** Writes `at least 3 and at most 5`. */
export const inWords = ({ least, most }: Bounds): string =>
  [least !== undefined && `at least ${least}`, most !== undefined && `at most ${most}`].filter(Boolean).join(' and ');
