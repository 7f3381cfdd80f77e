import { InvalidArgumentError } from 'commander';

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a time: ISO 8601 with `Z` or an offset, or an age (`90m`, `24h`, `7d`). */
export function parseMoment(text: string, now = new Date()): Date {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (unitsMs[unit] ?? 0));
  const moment = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(moment.getTime())) {
    throw new InvalidArgumentError('Use a time such as 2026-11-20T10:00:00Z, or how long ago: 90m, 24h, 7d.');
  }
  return moment;
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(text);
}
