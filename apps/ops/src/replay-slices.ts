/** A span of time, its end not included. */
export interface Span {
  since: Date;
  until: Date;
}

export interface ReplayProgress {
  /** How much of the span is done, 0–1. */
  share: number;
  /** Deliveries that are sent again so far. */
  replayed: number;
  /** The time up to which it is done. */
  upTo: Date;
}

/** The first call covers a hundredth of the span; what a call takes then decides how much the next one covers. */
const firstShare = 1 / 100;
/** However quick the calls are: after hours in which nothing ended there may be one full of it. */
const largestShare = 1 / 25;
const shortestMs = 1_000;
/** Well under the 30 s that a call may take, since what is there differs from one hour to the next. */
const slowMs = 3_000;
const quickMs = 500;

/**
 * Replays a span in slices, the oldest first, so that no call takes long and it is seen how far it is.
 *
 * @param replay what replays one slice, giving how many deliveries it found.
 * @param report told at the beginning and after each slice.
 * @returns how many in all; what `replay` throws is thrown on, after the slices before it are done and reported.
 */
export async function replayInSlices(
  span: Span,
  replay: (slice: Span) => Promise<number>,
  report: (progress: ReplayProgress) => void,
  clock: () => number = () => performance.now(),
): Promise<number> {
  const end = span.until.getTime();
  const whole = end - span.since.getTime();
  let lengthMs = Math.max(shortestMs, Math.ceil(whole * firstShare));
  let at = span.since.getTime();
  let replayed = 0;
  const tell = () => report({ share: 1 - (end - at) / whole, replayed, upTo: new Date(at) });
  tell();
  while (at < end) {
    const until = Math.min(end, at + lengthMs);
    const startedAt = clock();
    replayed += await replay({ since: new Date(at), until: new Date(until) });
    const tookMs = clock() - startedAt;
    at = until;
    tell();
    if (tookMs > slowMs) lengthMs = Math.max(shortestMs, Math.floor(lengthMs / 4));
    else if (tookMs < quickMs) lengthMs = Math.max(lengthMs, Math.min(lengthMs * 2, Math.ceil(whole * largestShare)));
  }
  return replayed;
}
