/** A period, its end excluded. */
export interface Span {
  since: Date;
  until: Date;
}

export interface ReplayProgress {
  /** The share of the period that is done, 0–1. */
  share: number;
  /** Deliveries replayed so far. */
  replayed: number;
  /** The time up to which the period is done. */
  upTo: Date;
}

/** The first call covers a hundredth of the period; the duration of a call then sets the size of the next. */
const firstShare = 1 / 100;
/** The upper bound, however quick the calls are: a busy hour may follow quiet ones. */
const largestShare = 1 / 25;
const shortestMs = 1_000;
/** Well under the 30 s that a call may take, because load differs from one hour to the next. */
const slowMs = 3_000;
const quickMs = 500;

/**
 * Replays a period in slices, the oldest first, so that each call is short and progress can be shown.
 *
 * @param replay replays one slice and returns the number of deliveries.
 * @param report called at the start and after each slice.
 * @returns the number of deliveries.
 * @throws what `replay` throws; the slices before it are done and reported.
 */
export async function replayInSlices(
  span: Span,
  replay: (slice: Span) => Promise<number>,
  report: (progress: ReplayProgress) => void,
  clock: () => number = () => performance.now(),
): Promise<number> {
  const end = span.until.getTime();
  const total = end - span.since.getTime();
  let lengthMs = Math.max(shortestMs, Math.ceil(total * firstShare));
  let at = span.since.getTime();
  let replayed = 0;
  const reportProgress = () => report({ share: 1 - (end - at) / total, replayed, upTo: new Date(at) });
  reportProgress();
  while (at < end) {
    const until = Math.min(end, at + lengthMs);
    const startedAt = clock();
    replayed += await replay({ since: new Date(at), until: new Date(until) });
    const tookMs = clock() - startedAt;
    at = until;
    reportProgress();
    if (tookMs > slowMs) lengthMs = Math.max(shortestMs, Math.floor(lengthMs / 4));
    else if (tookMs < quickMs) lengthMs = Math.max(lengthMs, Math.min(lengthMs * 2, Math.ceil(total * largestShare)));
  }
  return replayed;
}
