import type { Batch, CaptureRecord } from './api-types.ts';
import { WaitTimeoutError } from './errors.ts';
import { pause } from './http/pause.ts';

export interface WaitOptions {
  /** Ends the waiting; what is waited for goes on. */
  signal?: AbortSignal | undefined;
  /** How long to wait at most, milliseconds; without it as long as it takes. */
  timeoutMs?: number | undefined;
}

/** Pauses between two looks grow from the first to the longest, milliseconds. */
const firstPauseMs = 250;
const longestPauseMs = 5_000;

/** Looks until what is there has ended. @param what as it stands in a message. */
export function pollUntil<Seen>(
  read: (signal: AbortSignal | undefined) => Promise<Seen>,
  hasEnded: (seen: Seen) => boolean,
  what: string,
  options: WaitOptions,
): Promise<Seen> {
  return withinTime(what, options, async (signal) => {
    for (let waitMs = firstPauseMs; ; waitMs = Math.min(waitMs * 1.5, longestPauseMs)) {
      const seen = await read(signal);
      if (hasEnded(seen)) return seen;
      await pause(waitMs, signal);
    }
  });
}

/**
 * Does something until the time is up.
 *
 * @throws {WaitTimeoutError} when it is, and the signal's reason when that is aborted.
 */
export async function withinTime<Value>(
  what: string,
  { signal, timeoutMs }: WaitOptions,
  work: (signal: AbortSignal | undefined) => Promise<Value>,
): Promise<Value> {
  if (timeoutMs === undefined) return work(signal);
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new WaitTimeoutError(`Waited ${timeoutMs} ms for ${what}, which has not ended.`)),
    timeoutMs,
  );
  try {
    return await work(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
  } finally {
    clearTimeout(timer);
  }
}

export function captureHasEnded({ status }: CaptureRecord): boolean {
  return status !== 'queued' && status !== 'processing';
}

/** A cancelled batch ends with the last of its captures that was running. */
export function batchHasEnded({ status, total, succeeded, failed, cancelled }: Batch): boolean {
  return status !== 'processing' && succeeded + failed + cancelled === total;
}
