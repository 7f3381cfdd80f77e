import type { Batch } from './api-types.ts';
import { pause } from './http/pause.ts';
import { readEvents } from './http/read-events.ts';
import type { Transport } from './http/transport.ts';
import { batchHasEnded, type WaitOptions, withinTime } from './wait.ts';

/** How far a batch is. */
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
  /** Called with how far it is at first, then on each change. What it throws ends the waiting. */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
}

/** The service says something at least every 15 s: a stream that is silent for three times that is dead. Milliseconds. */
const streamIdleMs = 45_000;

/** The pause before a stream is opened again, and the longest between two looks without one, milliseconds. */
const reconnectMs = 1_000;
const longestPauseMs = 10_000;

/** Where so many streams in a row brought nothing, something on the way holds them back: from then on it is asked. */
const emptyStreamsAtMost = 2;

/**
 * Waits for a batch by its event stream. A stream that ends early is opened again, and each event carries the whole
 * state, so nothing is missed; between two streams the batch itself is looked at, which also tells apart a batch that is
 * not there from a stream that is not let through.
 */
export function waitForBatch(transport: Transport, path: string, options: WaitForBatchOptions): Promise<Batch> {
  const report = reporter(options.onProgress);
  return withinTime('the batch', options, async (signal) => {
    let emptyStreams = 0;
    for (let waitMs = reconnectMs; ; waitMs = Math.min(waitMs * 1.5, longestPauseMs)) {
      if (emptyStreams < emptyStreamsAtMost) {
        const seen = await follow(transport, path, report, signal);
        if (seen.ended) return seen.ended;
        emptyStreams = seen.events === 0 ? emptyStreams + 1 : 0;
        if (seen.events > 0) waitMs = reconnectMs;
      }
      const query = { limit: 1 };
      const batch = await transport.json<Batch>({ method: 'GET', path, query, repeat: 'safe' }, { signal });
      report(progressOf(batch));
      if (batchHasEnded(batch)) return batchOf(batch);
      await pause(waitMs, signal);
    }
  });
}

/** Reads one stream to its end, whatever that is; what the caller's own function throws goes on to the caller. */
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
    // The look at the batch that follows throws if there is a reason to.
    return null;
  }
}

/** Tells each state once. */
function reporter(onProgress: WaitForBatchOptions['onProgress']): (progress: BatchProgress) => void {
  let told = '';
  return (progress) => {
    const now = `${progress.succeeded} ${progress.failed} ${progress.total}`;
    if (now === told) return;
    told = now;
    onProgress?.(progress);
  };
}

function progressOf({ total, succeeded, failed }: Batch): BatchProgress {
  const processed = succeeded + failed;
  return { total, processed, succeeded, failed, percent: Math.floor((100 * processed) / total) };
}

/** The batch without a page of its results, which `results` reads whole. */
function batchOf(batch: Batch & { results?: unknown; next_cursor?: unknown }): Batch {
  const { results: _results, next_cursor: _cursor, ...row } = batch;
  return row;
}
