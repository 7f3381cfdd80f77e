import type { Batch } from './generated/api-types.ts';
import { pause } from './http/pause.ts';
import { readEvents } from './http/read-events.ts';
import type { Transport } from './http/transport.ts';
import { batchHasEnded, type WaitOptions, withinTime } from './wait.ts';

export interface BatchProgress {
  total: number;
  /** `succeeded` + `failed`. */
  processed: number;
  succeeded: number;
  failed: number;
  /** 0–100, rounded down. */
  percent: number;
}

export interface WaitForBatchOptions extends WaitOptions {
  /** Called with the current progress, then on each change. An error that the function throws ends the wait. */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
}

/** The service sends at least a comment every 15 s, so a stream that is silent three times as long is dead. Milliseconds. */
const streamIdleMs = 45_000;

/** The pause before a stream is reopened, and the longest pause between two polls without a stream, milliseconds. */
const reconnectMs = 1_000;
const longestPauseMs = 10_000;

/** After this many empty streams in a row, a proxy may block streams, so the batch is polled. */
const maxEmptyStreams = 2;

/**
 * Waits for a batch by its event stream. A stream that ends early is reopened. Each event has the full state, so no state is
 * missed. Between two streams, the batch itself is read, which also distinguishes a missing batch from a blocked stream.
 */
export function waitForBatch(transport: Transport, path: string, options: WaitForBatchOptions): Promise<Batch> {
  const report = reporter(options.onProgress);
  return withinTime('the batch', options, async (signal) => {
    let emptyStreams = 0;
    for (let waitMs = reconnectMs; ; waitMs = Math.min(waitMs * 1.5, longestPauseMs)) {
      if (emptyStreams < maxEmptyStreams) {
        const result = await follow(transport, path, report, signal);
        if (result.ended) return result.ended;
        emptyStreams = result.events === 0 ? emptyStreams + 1 : 0;
        if (result.events > 0) waitMs = reconnectMs;
      }
      const query = { limit: 1 };
      const batch = await transport.json<Batch>({ method: 'GET', path, query, repeat: 'safe' }, { signal });
      report(progressOf(batch));
      if (batchHasEnded(batch)) return batchOf(batch);
      await pause(waitMs, signal);
    }
  });
}

/** Reads one stream to its end. Errors of the caller's function are passed on. */
async function follow(
  transport: Transport,
  path: string,
  report: (progress: BatchProgress) => void,
  signal: AbortSignal | undefined,
): Promise<{ ended: Batch | null; events: number }> {
  let events = 0;
  const stream = await openStream(transport, path, signal);
  if (!stream) return { ended: null, events };
  for (;;) {
    const next = await stream.next().catch((error: unknown) => {
      if (signal?.aborted) throw signal.reason;
      return { done: true as const, value: error };
    });
    if (next.done) return { ended: null, events };
    events += 1;
    const { event, data } = next.value;
    if (event !== 'progress') {
      const ended = batchOf(JSON.parse(data));
      report(progressOf(ended));
      return { ended, events };
    }
    try {
      report(JSON.parse(data));
    } catch (error) {
      await stream.return(undefined);
      throw error;
    }
  }
}

async function openStream(transport: Transport, path: string, signal: AbortSignal | undefined) {
  try {
    const call = { method: 'GET', path: `${path}/events`, repeat: 'safe' } as const;
    const { body } = await transport.stream(call, { signal, maxRetries: 0 });
    return body && readEvents(body, streamIdleMs);
  } catch {
    if (signal?.aborted) throw signal.reason;
    // The following read of the batch throws if the batch is missing.
    return null;
  }
}

/** Reports each state once. */
function reporter(onProgress: WaitForBatchOptions['onProgress']): (progress: BatchProgress) => void {
  let reported = '';
  return (progress) => {
    const state = `${progress.succeeded} ${progress.failed} ${progress.total}`;
    if (state === reported) return;
    reported = state;
    onProgress?.(progress);
  };
}

function progressOf({ total, succeeded, failed }: Batch): BatchProgress {
  const processed = succeeded + failed;
  return { total, processed, succeeded, failed, percent: Math.floor((100 * processed) / total) };
}

/** Returns the batch without its page of results. */
function batchOf(batch: Batch & { results?: unknown; next_cursor?: unknown }): Batch {
  const { results: _results, next_cursor: _cursor, ...row } = batch;
  return row;
}
