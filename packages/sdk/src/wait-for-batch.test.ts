import type { ServerResponse } from 'node:http';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type BatchProgress, CaptureClient } from './client.ts';

const path = '/api/v1/batches/batch_1';
const batch = (succeeded: number, status = 'processing') => ({
  batch_id: 'batch_1',
  status,
  total: 4,
  succeeded,
  failed: 0,
  cancelled: 0,
  pending: 4 - succeeded,
  created_at: '2026-11-20T10:00:00.000Z',
  completed_at: null,
});
const progress = (succeeded: number) =>
  `event: progress\ndata: ${JSON.stringify({ total: 4, processed: succeeded, succeeded, failed: 0, percent: succeeded * 25 })}\n\n`;
const completed = `event: completed\ndata: ${JSON.stringify(batch(4, 'completed'))}\n\n`;

let server: PageServer;
let client: CaptureClient;
let seen: number[];
const onProgress = ({ processed }: BatchProgress) => void seen.push(processed);

beforeEach(async () => {
  server = await openPageServer({});
  client = new CaptureClient({ apiKey: 'a-key', baseUrl: server.url() });
  seen = [];
});
afterEach(() => server.close());

/** Serves these streams, one per request, each of which then breaks off. The last serves all following requests. */
function serveStreams(...streams: string[]): void {
  server.serve({
    [`${path}/events`]: (_, response: ServerResponse) => {
      const stream = streams.length > 1 ? streams.shift()! : streams[0]!;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`retry: 1000\n\n${stream}`, () => response.destroy());
    },
  });
}

/** Serves these states of the batch, one per request. The last serves all following requests. */
function serveLooks(...looks: object[]): void {
  server.serve({
    [path]: (_, response: ServerResponse) => {
      const look = looks.length > 1 ? looks.shift() : looks[0];
      response.end(JSON.stringify({ ...look, results: [], next_cursor: null }));
    },
  });
}

describe('waiting for a batch', () => {
  it('reopens a broken stream and reports each state once', async () => {
    serveStreams(progress(1) + progress(2).slice(0, 40), `: still there\n\n${progress(2)}${progress(3)}${completed}`);
    serveLooks(batch(1));
    expect(await client.batches.wait('batch_1', { onProgress })).toEqual(batch(4, 'completed'));
    expect(seen).toEqual([1, 2, 3, 4]);
    expect([server.hits(`${path}/events`), server.hits(path)]).toEqual([2, 1]);
  });

  it('ends by polling when the stream breaks before the last event', async () => {
    serveStreams(progress(3));
    serveLooks(batch(4, 'completed'));
    expect(await client.batches.wait('batch_1', { onProgress })).toEqual(batch(4, 'completed'));
    expect(seen).toEqual([3, 4]);
  });

  it('polls when streams are blocked', async () => {
    server.serve({ [`${path}/events`]: { status: 502 } });
    serveLooks(batch(0), batch(2), batch(2), batch(4, 'completed'));
    expect(await client.batches.wait('batch_1', { onProgress })).toEqual(batch(4, 'completed'));
    expect(seen).toEqual([0, 2, 4]);
    expect([server.hits(`${path}/events`), server.hits(path)]).toEqual([2, 4]);
  });

  it('reads events in chunks, with other line ends', async () => {
    const stream = (progress(1) + completed).replaceAll('\n', '\r\n');
    server.serve({
      [`${path}/events`]: async (_, response: ServerResponse) => {
        for (const piece of stream.match(/.{1,7}/gs) ?? []) {
          await new Promise<void>((resolve) => response.write(piece, () => resolve()));
        }
        response.end();
      },
    });
    await client.batches.wait('batch_1', { onProgress });
    expect(seen).toEqual([1, 4]);
  });

  it('waits for the last capture of a cancelled batch', async () => {
    serveStreams('');
    const cancelled = { ...batch(1, 'cancelled'), cancelled: 3, pending: 0 };
    serveLooks({ ...cancelled, succeeded: 0 }, cancelled);
    expect(await client.batches.wait('batch_1')).toEqual(cancelled);
  });

  it('throws the error of the service for a missing batch', async () => {
    const body = JSON.stringify({ error_code: 'NOT_FOUND', error_message: 'There is no such batch.' });
    const response = { status: 404, headers: { 'content-type': 'application/json' }, body };
    server.serve({ [path]: response, [`${path}/events`]: response });
    await expect(client.batches.wait('batch_1')).rejects.toMatchObject({ name: 'NotFoundError' });
  });

  it('ends at its timeout, when aborted, and when the caller’s function throws', async () => {
    server.serve({
      [`${path}/events`]: (_, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(progress(1));
      },
    });
    serveLooks(batch(1));
    await expect(client.batches.wait('batch_1', { timeoutMs: 100 })).rejects.toMatchObject({
      name: 'WaitTimeoutError',
    });
    const stop = new AbortController();
    const stopped = client.batches.wait('batch_1', {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(stopped).rejects.toThrow('enough');
    const fails = () => {
      throw new TypeError('an error of the caller');
    };
    await expect(client.batches.wait('batch_1', { onProgress: fails })).rejects.toThrow('an error of the caller');
  });
});
