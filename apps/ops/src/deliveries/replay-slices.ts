/** A period without its end. */
export interface Span {
  since: Date;
  until: Date;
}

export interface ReplayProgress {
  /** The finished share of the period, 0–1. */
  share: number;
  /** The number of deliveries replayed so far. */
  replayed: number;
  /** The time up to which the period is finished. */
  upTo: Date;
}

/** The share of the period that the first call covers. The duration of a call then sets the size of the next slice. */
const firstShare = 1 / 100;
/** The largest share, however quick the calls are, because a busy hour may follow quiet hours. */
const largestShare = 1 / 25;
const shortestMs = 1_000;
/** A call that takes this long is slow. This is far below the 30 s that a call may take, because load differs between hours. */
const slowMs = 3_000;
const quickMs = 500;

/**
 * Replays a period in slices, the oldest first, so that each call is short and progress can be shown.
 *
 * @param replay replays one slice and returns the number of deliveries.
 * @param report called at the start and after each slice.
 * @returns the number of deliveries.
 * @throws the error of `replay`; the slices before it are finished and reported.
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
