/** Returns the UTC month of a time, `YYYY-MM`: the period that a unit of quota belongs to. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Returns when the monthly counters reset: the first of next month, UTC. */
export function nextMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}
