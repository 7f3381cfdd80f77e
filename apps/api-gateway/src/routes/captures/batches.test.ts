import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { batchWithResults } from '@capture/contract/api/responses';
import { type FormName, forms } from '@capture/contract/forms/forms';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import type { Storage } from '@capture/storage/storage';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import { createApp } from '../../app.ts';
import {
  failIfBad,
  onePixel,
  startSecondGateway,
  startTestGateway,
  startTestWorker,
  type TestGateway,
} from '../../test-gateway.ts';

let gateway: TestGateway;
let key: string;
async function start(form: FormName = 'B') {
  gateway = await startTestGateway(form);
  key = await gateway.register('batches@example.com', 'pro');
}
beforeEach(() => start());
afterEach(() => gateway.close());

const urls = (count: number) => Array.from({ length: count }, (_, i) => ({ url: `https://example.com/${i}` }));
const submit = (body: object) => gateway.as(key).post('/api/v1/batches').send(body);
const read = (path: string) => gateway.as(key).get(`/api/v1/batches${path}`);
const ended = (id: string) =>
  waitUntil(
    async () => {
      const { body } = await read(`/${id}?limit=1000`);
      return body.status !== 'processing' && body.pending === 0 ? body : null;
    },
    { what: `${id} to end` },
  );
const usage = async () => gateway.database.prisma.usage.findFirst();
const events = async (name: string) =>
  (await gateway.database.prisma.event.findMany({ where: { name }, orderBy: { count: 'asc' } })).map((event) =>
    JSON.parse(Buffer.from(event.body).toString()),
  );

describe('POST /api/v1/batches', () => {
  it('202: captures every item, in order, and settles the quota', async () => {
    const items = [...urls(11), { url: 'https://bad.example/' }];
    const { body } = await submit({ items, options: { width: 800 } }).expect(202);
    expect(body).toEqual({
      batch_id: expect.stringMatching(/^batch_/),
      status: 'processing',
      total: 12,
      created_at: expect.any(String),
      status_url: `http://capture.test/api/v1/batches/${body.batch_id}`,
    });
    expect(await usage()).toMatchObject({ used: 0, reserved: 12 });
    startTestWorker(gateway, failIfBad);
    const batch = await ended(body.batch_id);
    expect(batch).toMatchObject({
      status: 'completed',
      total: 12,
      succeeded: 11,
      failed: 1,
      cancelled: 0,
      next_cursor: null,
    });
    expect(batch.results.map((result: { url: string }) => result.url)).toEqual(items.map((item) => item.url));
    expect(batch.results[0]).toEqual({
      request_id: expect.stringMatching(/^req_/),
      url: items[0]?.url,
      status: 'completed',
      file_url: expect.stringContaining('/files/req_'),
    });
    expect(batch.results[11]).toEqual({
      request_id: expect.any(String),
      url: 'https://bad.example/',
      status: 'failed',
      error_code: 'NAVIGATION_FAILED',
    });
    expect(await usage()).toMatchObject({ used: 11, reserved: 0 });
    const capture = await gateway.database.prisma.capture.findFirstOrThrow({ where: { batchIndex: 3 } });
    expect(capture.options).toEqual({ url: 'https://example.com/3', width: 800 });
  });

  it('202: accepts a thousand items', async () => {
    const { body } = await submit({ items: urls(1_000) }).expect(202);
    expect(body.total).toBe(1_000);
    expect(await gateway.database.prisma.capture.count()).toBe(1_000);
    const first = await read(`/${body.batch_id}?limit=600`).expect(200);
    const second = await read(`/${body.batch_id}?limit=600&cursor=${first.body.next_cursor}`).expect(200);
    expect([first.body.results.length, second.body.results.length]).toEqual([600, 400]);
    expect(second.body.results[0].url).toBe('https://example.com/600');
  });

  it('400: one invalid item rejects the batch and is named', async () => {
    const items = [...urls(5), { url: 'https://example.com/', width: 3 }, { url: 'nowhere' }];
    const { body } = await submit({ items }).expect(400);
    expect(body.details.map((detail: { field: string }) => detail.field)).toEqual(['items.5.width', 'items.6.url']);
    for (const wrong of [
      { items: [] },
      { items: urls(1), webhook_url: 'https://10.0.0.1/' },
      { items: [{ url: 'https://example.com/', async: true }] },
      { items: urls(1), options: { nonsense: 1 } },
      { items: urls(1), type: 'film' },
      {},
    ]) {
      await submit(wrong).expect(400);
    }
    expect(await gateway.database.prisma.capture.count()).toBe(0);
    expect(await usage()).toBeNull();
  });

  it('413: too many items', async () => {
    expect((await submit({ items: urls(1_001) }).expect(413)).body.error_code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('429: more items than the plan has captures a month', async () => {
    const key = await gateway.register('small@example.com', 'free');
    const { body, headers } = await gateway
      .as(key)
      .post('/api/v1/batches')
      .send({ items: urls(250) })
      .expect(429);
    expect(body).toMatchObject({
      error_code: 'QUOTA_EXCEEDED',
      error_message: 'This batch needs 250 captures, more than the monthly quota of the plan free: 200.',
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['x-ratelimit-retryafter']).toBe(headers['retry-after']);
    expect(headers['x-ratelimit-remaining']).toBe('200');
  });

  it('429: reserves all items or none', async () => {
    await gateway.register('free@example.com');
    const { id } = await gateway.database.prisma.account.findFirstOrThrow();
    const month = new Date().toISOString().slice(0, 7);
    await gateway.database.prisma.usage.create({ data: { accountId: id, month, used: 14_990 } });
    expect((await submit({ items: urls(11) }).expect(429)).body.error_code).toBe('QUOTA_EXCEEDED');
    expect(await gateway.database.prisma.batch.count()).toBe(0);
    await submit({ items: urls(10) }).expect(202);
    expect(await usage()).toMatchObject({ used: 14_990, reserved: 10 });
  });

  it('202: creates one batch per Idempotency-Key', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => submit({ items: urls(3) }).set('Idempotency-Key', 'batch')),
    );
    expect(new Set(responses.map((response) => response.text)).size).toBe(1);
    expect(await gateway.database.prisma.capture.count()).toBe(3);
  });

  it('serves cached items without quota', async () => {
    startTestWorker(gateway, failIfBad);
    const first = await submit({ items: urls(4) }).expect(202);
    await ended(first.body.batch_id);
    const again = await submit({ items: urls(6), options: { cache_ttl_s: 3_600 } }).expect(202);
    expect(await ended(again.body.batch_id)).toMatchObject({ succeeded: 6 });
    expect(await usage()).toMatchObject({ used: 6, reserved: 0 });
  });
});

describe.each<FormName>(['A', 'B'])('events of a batch in form %s', (name) => {
  it('are recorded once each, with the form’s fields', async () => {
    await gateway.close();
    await start(name);
    const form = forms[name];
    startTestWorker(gateway, failIfBad);
    const items = [...urls(19), { url: 'https://bad.example/' }];
    const { body } = await submit({ items, webhook_url: 'https://hooks.example/' }).expect(202);
    await ended(body.batch_id);
    expect(await events('capture.completed')).toHaveLength(19);
    expect(await events('capture.failed')).toHaveLength(1);
    const progress = await events('batch.progress');
    const isSent = form.events.names.includes('batch.progress');
    expect(progress.map((event) => event.data.processed)).toEqual(isSent ? [10, 20] : []);
    if (isSent) expect(progress[1].data).toEqual({ total: 20, processed: 20, succeeded: 19, failed: 1, percent: 100 });
    const completed = await events('batch.completed');
    expect(completed).toHaveLength(1);
    expect(completed[0]).toMatchObject({ event: 'batch.completed', batch_id: body.batch_id });
    expect(completed[0].request_id).toBeUndefined();
    expect(completed[0].data).toMatchObject({ total: 20, succeeded: 19, failed: 1 });
    expect(completed[0].data.results.map((result: { url: string }) => result.url)).toEqual(
      items.map((item) => item.url),
    );
    expect('file_url' in completed[0].data.results[0]).toBe(form.events.batchResultFileUrl);
    expect('file_url' in completed[0].data.results[19]).toBe(false);
    expect(await gateway.database.prisma.delivery.count()).toBe(20 + progress.length + 1);
  });
});

describe.each<FormName>(['A', 'B'])('results of a batch in form %s', (name) => {
  it('list all files of an item that has several, as its record does', async () => {
    await gateway.close();
    await start(name);
    startTestWorker(gateway, failIfBad);
    const { body } = await submit({ items: [...urls(2), { url: 'https://bad.example/' }] }).expect(202);
    const { results } = await ended(body.batch_id);
    const id = results[1].request_id;
    const outputs = [
      { name: 'words', kind: 'markdown', format: 'markdown', size: 6, key: 'words' },
      { name: 'phone', kind: 'screenshot', format: 'webp', size: 5, key: 'phone', width: 390, height: 844 },
    ];
    await gateway.database.prisma.capture.update({ where: { id }, data: { outputs } });
    const batch = batchWithResults.parse((await read(`/${body.batch_id}`).expect(200)).body);
    const { body: record } = await gateway.as(key).get(`/api/v1/captures/${id}`).expect(200);
    expect(batch.results[1]?.outputs).toMatchObject([
      { name: 'screenshot', file_size: onePixel.length, width: 1, height: 1 },
      { name: 'words', kind: 'markdown', format: 'markdown', file_size: 6 },
      { name: 'phone', file_url: expect.stringContaining('/files/'), width: 390, height: 844 },
    ]);
    expect(batch.results[1]?.outputs).toEqual(record.outputs);
    for (const index of [0, 2]) expect(batch.results[index]).not.toHaveProperty('outputs');
  });
});

describe('POST /api/v1/batches/:id/cancel', () => {
  it('cancels queued items, returns their quota and sends no batch.completed; repeating it changes nothing', async () => {
    const { body } = await submit({ items: urls(20), webhook_url: 'https://hooks.example/' }).expect(202);
    const cancel = () => gateway.as(key).post(`/api/v1/batches/${body.batch_id}/cancel`);
    const cancelled = await cancel().expect(200);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', total: 20, cancelled: 20, pending: 0 });
    expect(await usage()).toMatchObject({ used: 0, reserved: 0 });
    expect((await cancel().expect(200)).body).toEqual(cancelled.body);
    startTestWorker(gateway, failIfBad);
    await submit({ items: urls(1) }).expect(202);
    await waitUntil(async () => (await usage())?.used === 1, { what: 'a later batch to finish' });
    expect(await events('batch.completed')).toEqual([]);
    const { body: read1 } = await read(`/${body.batch_id}`);
    expect(read1.results[0]).toEqual({
      request_id: expect.any(String),
      url: 'https://example.com/0',
      status: 'cancelled',
    });
  });

  it('does not change a batch that has ended', async () => {
    startTestWorker(gateway, failIfBad);
    const { body } = await submit({ items: urls(2) }).expect(202);
    const before = await ended(body.batch_id);
    const response = await gateway.as(key).post(`/api/v1/batches/${body.batch_id}/cancel`).expect(200);
    expect(response.body).toMatchObject({ status: 'completed', completed_at: before.completed_at, cancelled: 0 });
  });

  it('counts items that were running', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    startTestWorker(gateway, failIfBad, () => held);
    const { body } = await submit({ items: urls(30) }).expect(202);
    await waitUntil(
      async () => (await gateway.database.prisma.capture.count({ where: { status: 'processing' } })) > 0,
      {
        what: 'some items to run',
      },
    );
    await gateway.as(key).post(`/api/v1/batches/${body.batch_id}/cancel`).expect(200);
    release();
    const batch = await ended(body.batch_id);
    expect(batch.status).toBe('cancelled');
    expect(batch.succeeded).toBeGreaterThan(0);
    expect(batch.succeeded + batch.cancelled).toBe(30);
    expect(await usage()).toMatchObject({ used: batch.succeeded, reserved: 0 });
  });
});

describe('GET /api/v1/batches', () => {
  it('200: pages without results; 404 for another account', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await submit({ items: urls(1) }).expect(202)).body.batch_id);
    const first = await read('?limit=2').expect(200);
    const second = await read(`?limit=2&cursor=${first.body.next_cursor}`).expect(200);
    const rows = [...first.body.batches, ...second.body.batches];
    expect(rows.map((row) => row.batch_id)).toEqual(ids.toReversed());
    expect(rows[0].results).toBeUndefined();
    const other = await gateway.register('other@example.com');
    for (const path of ['', '/events', '/archive']) {
      await gateway.as(other).get(`/api/v1/batches/${ids[0]}${path}`).expect(404);
    }
    await gateway.as(other).post(`/api/v1/batches/${ids[0]}/cancel`).expect(404);
  });
});

describe('GET /api/v1/batches/:id/events', () => {
  let server: Server;
  let base: string;
  beforeEach(async () => {
    server = createServer(gateway.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Reads the events of a stream until it closes. */
  async function listen(id: string): Promise<{ event: string; data: Record<string, unknown> }[]> {
    const response = await fetch(`${base}/api/v1/batches/${id}/events`, { headers: { 'X-API-Key': key } });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    return eventsOf(await response.text());
  }

  const eventsOf = (text: string): { event: string; data: Record<string, unknown> }[] =>
    [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event, data]) => ({
      event: event!,
      data: JSON.parse(data!),
    }));

  it('sends each change of progress, then the batch, and closes', async () => {
    const { body } = await submit({ items: urls(40) }).expect(202);
    const listening = listen(body.batch_id);
    await waitUntil(() => gateway.batchWatcher.size > 0, { what: 'a client to watch' });
    startTestWorker(gateway, failIfBad);
    const events = await listening;
    expect(events[0]).toEqual({
      event: 'progress',
      data: { total: 40, processed: 0, succeeded: 0, failed: 0, percent: 0 },
    });
    const processed = events.filter(({ event }) => event === 'progress').map(({ data }) => Number(data.processed));
    expect(processed).toEqual(processed.toSorted((a, b) => a - b));
    expect(processed.at(-1)).toBe(40);
    expect(events.at(-1)).toMatchObject({
      event: 'completed',
      data: { batch_id: body.batch_id, succeeded: 40, pending: 0 },
    });
    // A client that connects later, or again, gets the state immediately.
    expect((await listen(body.batch_id)).map(({ event }) => event)).toEqual(['progress', 'completed']);
  });

  it('reports a cancellation', async () => {
    const { body } = await submit({ items: urls(3) }).expect(202);
    const listening = listen(body.batch_id);
    await waitUntil(() => gateway.batchWatcher.size > 0, { what: 'a client to watch' });
    await gateway.as(key).post(`/api/v1/batches/${body.batch_id}/cancel`).expect(200);
    expect((await listening).at(-1)).toMatchObject({ event: 'cancelled', data: { cancelled: 3 } });
  });

  it('closes when the gateway stops, so that the client reconnects to another', async () => {
    const { body } = await submit({ items: urls(3) }).expect(202);
    const listening = listen(body.batch_id);
    await waitUntil(() => gateway.batchWatcher.size > 0, { what: 'a client to watch' });
    await gateway.batchWatcher.close();
    expect((await listening).map(({ event }) => event)).toEqual(['progress']);
  });

  it('continues on another gateway until the end', async () => {
    const { body } = await submit({ items: urls(6) }).expect(202);
    let rendered = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The first three captures end; the rest wait until the client has reconnected to the other gateway.
    startTestWorker(gateway, failIfBad, async () => {
      rendered += 1;
      if (rendered > 3) await held;
    });
    await waitUntil(async () => (await read(`/${body.batch_id}`)).body.succeeded === 3, { what: 'three to be done' });
    const listening = listen(body.batch_id);
    await waitUntil(() => gateway.batchWatcher.size > 0, { what: 'a client to watch' });
    await gateway.batchWatcher.close();
    const before = await listening;

    const second = await startSecondGateway(gateway);
    const stream = second.as(key).get(`/api/v1/batches/${body.batch_id}/events`);
    const reconnected = stream
      .buffer(true)
      .parse(binary as never)
      .then((response) => response);
    await waitUntil(() => second.batchWatcher.size > 0, { what: 'the client to reconnect' });
    release();
    const after = eventsOf((await reconnected).body.toString());
    await second.close();

    expect(before).toEqual([{ event: 'progress', data: expect.objectContaining({ processed: 3 }) }]);
    expect(after[0]).toEqual(before[0]);
    expect(after.at(-2)).toMatchObject({ event: 'progress', data: { processed: 6 } });
    expect(after.at(-1)).toMatchObject({ event: 'completed', data: { succeeded: 6 } });
  });
});

describe('GET /api/v1/batches/:id/archive', () => {
  it('streams a zip of the files and a manifest', async () => {
    startTestWorker(gateway, failIfBad);
    const { body } = await submit({ items: [...urls(3), { url: 'https://bad.example/' }] }).expect(202);
    const batch = await ended(body.batch_id);
    const response = await read(`/${body.batch_id}/archive`)
      .buffer(true)
      .parse(binary as never)
      .expect(200);
    expect(response.headers['content-type']).toBe('application/zip');
    const files = await unzip(response.body);
    const manifest = JSON.parse(files.get('manifest.json')!.toString());
    expect(manifest).toMatchObject({ batch_id: body.batch_id, total: 4, succeeded: 3, failed: 1 });
    expect(manifest.items.map((item: { file: string | null }) => item.file)).toEqual([
      ...[0, 1, 2].map((index) => `000${index}-${batch.results[index].request_id}.png`),
      null,
    ]);
    for (const { file } of manifest.items.slice(0, 3)) expect(Buffer.compare(files.get(file)!, onePixel)).toBe(0);
    expect(files.size).toBe(4);
  });

  it('has all outputs of a capture, and the manifest names them', async () => {
    startTestWorker(gateway, failIfBad);
    const { body } = await submit({ items: urls(2) }).expect(202);
    const { results } = await ended(body.batch_id);
    const id = results[1].request_id;
    const { storageKey } = await gateway.database.prisma.capture.findUniqueOrThrow({ where: { id } });
    const outputs = [
      { name: 'words', kind: 'markdown', format: 'markdown', size: 6, key: `${storageKey}.output-2.markdown` },
      { name: 'phone', kind: 'screenshot', format: 'webp', size: 5, key: `${storageKey}.output-3.webp` },
    ];
    for (const { key: file, name } of outputs) await gateway.storage.put(file, Buffer.from(name));
    await gateway.database.prisma.capture.update({ where: { id }, data: { outputs } });
    const response = await read(`/${body.batch_id}/archive`)
      .buffer(true)
      .parse(binary as never)
      .expect(200);
    const files = await unzip(response.body);
    const { items } = JSON.parse(files.get('manifest.json')!.toString());
    expect(items[0]).not.toHaveProperty('outputs');
    expect(items[1].outputs).toEqual([
      { name: 'words', kind: 'markdown', file: `0001-${id}-words.md` },
      { name: 'phone', kind: 'screenshot', file: `0001-${id}-phone.webp` },
    ]);
    for (const { name, file } of items[1].outputs) expect(files.get(file)!.toString()).toBe(name);
    expect(files.size).toBe(5);
  });

  it('429: clients of the account download eight archives already', async () => {
    const { body } = await submit({ items: urls(1) }).expect(202);
    const account = await gateway.database.prisma.account.findFirstOrThrow();
    const releases = await Promise.all(Array.from({ length: 8 }, () => gateway.admission.take('archive', account.id)));
    const refused = await read(`/${body.batch_id}/archive`).expect(429);
    expect(refused.body.error_code).toBe('RATE_LIMITED');
    releases[0]?.();
    for (let turn = 0; turn < 2; turn += 1) await read(`/${body.batch_id}/archive`).expect(200);
  });

  it('opens each file only after the client has read the previous files', async () => {
    startTestWorker(gateway, failIfBad);
    const { body } = await submit({ items: urls(40) }).expect(202);
    await ended(body.batch_id);
    const size = 2_000_000;
    for (const { storageKey } of await gateway.database.prisma.capture.findMany()) {
      await gateway.storage.put(storageKey!, randomBytes(size));
    }
    let opened = 0;
    const open: Storage['open'] = (storageKey) => {
      opened += 1;
      return gateway.storage.open(storageKey);
    };
    const app = createApp({ ...gateway, metrics: createMetrics('api-gateway'), storage: { ...gateway.storage, open } });
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/batches/${body.batch_id}/archive`, {
      headers: { 'X-API-Key': key },
    });
    let received = 0;
    let ahead = 0;
    for await (const part of response.body!) {
      received += part.length;
      ahead = Math.max(ahead, opened * size - received);
    }
    await new Promise((resolve) => server.close(resolve));
    expect(received).toBeGreaterThan(40 * size);
    // The socket buffers of both sides and the current file count; without streaming all 80 MB would.
    expect(ahead).toBeLessThan(20_000_000);
  });
});

function binary(res: NodeJS.ReadableStream, done: (error: Error | null, body: Buffer) => void): void {
  const parts: Buffer[] = [];
  res.on('data', (part: Buffer) => parts.push(part));
  res.on('end', () => done(null, Buffer.concat(parts)));
}

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        binary(stream, (_none, body) => {
          files.set(entry.fileName, body);
          zip.readEntry();
        });
      });
    });
    zip.on('end', resolve);
    zip.readEntry();
  });
  return files;
}
