import { progressOf } from '@capture/contract/events/events';
import type { StoredBatch } from '@capture/database/captures/find-batch';
import type { Database } from '@capture/database/database';
import type { Response } from 'express';
import type { BatchWatcher } from '../../captures/batch-watcher.ts';
import { batchRecord } from '../../captures/records.ts';
import type { KeyExchange } from '../../http/exchange.ts';
import { pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import type { Admission } from '../../limits/admission.ts';
import { ownBatch } from './batches.ts';

/** How soon a client reconnects after losing its stream, milliseconds. */
const reconnectMs = 1_000;

/** How often a comment is sent, so that no proxy closes an idle stream, milliseconds. */
const keepAliveMs = 15_000;

const sampleStream = `event: progress
data: {"processed":1,"total":2,"succeeded":1,"failed":0,"percent":50}

event: completed
data: {"batch_id":"batch_01kaek2v2gf3d9w8q0x5m7r4tz","status":"completed","total":2,"succeeded":2,"failed":0, …}
`;

/** Sends a batch's progress as events. Each has the complete state, so a client that reconnects misses nothing. */
export function batchEventsRoute({
  admission,
  database,
  batchWatcher,
}: {
  admission: Admission;
  database: Database;
  batchWatcher: BatchWatcher;
}): Route {
  return {
    method: 'GET',
    path: '/api/v1/batches/:id/events',
    auth: 'key',
    cost: 'none',
    id: 'watchBatch',
    tag: 'Batches',
    summary: 'Watch a batch',
    description:
      'Server-sent events: `progress` with `{processed, total, succeeded, failed, percent}` on each change, then `completed` or `cancelled` with the batch; then the stream closes.',
    responses: { 200: { description: 'The stream.', media: ['text/event-stream'], example: sampleStream } },
    errors: ['RATE_LIMITED'],
    async handle(exchange: KeyExchange) {
      const { req, res, caller } = exchange;
      const batch = await ownBatch({ database }, caller.accountId, pathParameter(req, 'id'));
      await admission.run('batchStream', caller.accountId, () => {
        exchange.onlyWaits();
        res.writeHead(200, {
          'Content-Type': 'text/event-stream; charset=utf-8',
          'Cache-Control': 'no-store',
          // Without this header nginx buffers the response.
          'X-Accel-Buffering': 'no',
        });
        res.write(`retry: ${reconnectMs}\n\n`);
        return stream(res, batch, (changed, ended) => batchWatcher.watch(batch.id, { caller, changed, ended }));
      });
    },
  };
}

/** Sends the current state, then each change, until the batch or the connection ends. */
function stream(
  res: Response,
  batch: StoredBatch,
  watch: (changed: (batch: StoredBatch) => void, ended: () => void) => () => void,
): Promise<void> {
  return new Promise((resolve) => {
    let sent = '';
    const stop = () => {
      clearInterval(keepAlive);
      stopWatching();
    };
    /** Ends the stream. The client may not have read the last events yet, and until it has, nothing may be written after them. */
    const end = () => {
      stop();
      res.end();
    };
    const send = (now: StoredBatch) => {
      const progress = JSON.stringify(progressOf(now));
      if (progress !== sent) write(res, 'progress', progress);
      sent = progress;
      if (!hasEnded(now)) return;
      write(res, now.status, JSON.stringify(batchRecord(now)));
      end();
    };
    const stopWatching = watch(send, end);
    const keepAlive = setInterval(() => res.write(': still there\n\n'), keepAliveMs);
    res.once('close', () => {
      stop();
      resolve();
    });
    send(batch);
  });
}

/** A cancelled batch ends with its last running capture. */
function hasEnded({ status, total, succeeded, failed, cancelled }: StoredBatch): boolean {
  return status !== 'processing' && succeeded + failed + cancelled === total;
}

function write(res: Response, event: string, data: string): void {
  res.write(`event: ${event}\ndata: ${data}\n\n`);
}
