import { WaitTimeoutError } from './errors.ts';
import type { Batch, CaptureRecord } from './generated/api-types.ts';
import { pause } from './http/pause.ts';

export interface WaitOptions {
  /** Ends the wait, while the capture or batch continues. */
  signal?: AbortSignal | undefined;
  /** The longest wait, milliseconds; unlimited by default. */
  timeoutMs?: number | undefined;
}

/** Pauses between two polls grow from the first to the longest, milliseconds. */
const firstPauseMs = 250;
const longestPauseMs = 5_000;

/** Polls until the resource has ended. @param what the name of the resource in messages. */
export function pollUntil<Resource>(
  read: (signal: AbortSignal | undefined) => Promise<Resource>,
  hasEnded: (resource: Resource) => boolean,
  what: string,
  options: WaitOptions,
): Promise<Resource> {
  return withinTime(what, options, async (signal) => {
    for (let waitMs = firstPauseMs; ; waitMs = Math.min(waitMs * 1.5, longestPauseMs)) {
      const resource = await read(signal);
      if (hasEnded(resource)) return resource;
      await pause(waitMs, signal);
    }
  });
}

/**
 * Runs `work` with a time limit.
 *
 * @throws {WaitTimeoutError} at the limit, or the reason of an aborted signal.
 */
export async function withinTime<Value>(
  what: string,
  { signal, timeoutMs }: WaitOptions,
  work: (signal: AbortSignal | undefined) => Promise<Value>,
): Promise<Value> {
  if (timeoutMs === undefined) return work(signal);
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new WaitTimeoutError(`Waited ${timeoutMs} ms for ${what}, which has not ended.`)),
    timeoutMs,
  );
  try {
    return await work(signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal);
  } finally {
    clearTimeout(timer);
  }
}

export function captureHasEnded({ status }: CaptureRecord): boolean {
  return status !== 'queued' && status !== 'processing';
}

/** A cancelled batch ends when its running captures have ended. */
export function batchHasEnded({ status, total, succeeded, failed, cancelled }: Batch): boolean {
  return status !== 'processing' && succeeded + failed + cancelled === total;
}
