import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type PlatformUnderTest, startPlatform } from '@capture/testing/processes/platform';
import { makeTestFolder } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BatchProgress, CaptureClient } from './client.ts';
import { CaptureFailedError, EmailTakenError, NotFoundError, UrlBlockedError } from './errors.ts';
import { saveTo } from './node.ts';
import { OperatorClient } from './operator.ts';
import { register } from './register.ts';
import { verifyWebhook } from './verify-webhook.ts';

let platform: PlatformUnderTest;
let client: CaptureClient;
let operator: OperatorClient;
let url: string;
let missing: string;

beforeAll(async () => {
  const pages = { '/page': '<!doctype html><title>Hello</title><h1>Hello</h1>', '/missing': { status: 404 } } as const;
  platform = await startPlatform({
    services: ['capture-worker', 'webhook-dispatcher'],
    pages: { ...pages, '/never': 'hang' },
  });
  client = new CaptureClient({ apiKey: await platform.register(), baseUrl: platform.url });
  operator = new OperatorClient({ operatorKey: platform.operatorKey, baseUrl: platform.url });
  url = platform.pages.url('/page');
  missing = platform.pages.url('/missing');
});
afterAll(() => platform.close());

async function collectRows<Row>(list: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of list) rows.push(row);
  return rows;
}

const begins = (bytes: Uint8Array, length: number) => Buffer.from(bytes.subarray(0, length)).toString('latin1');

describe('captures', () => {
  it('are returned as files, with the figures of their receipts', async () => {
    const screenshot = await client.screenshot({ url, width: 320, height: 200 });
    expect(screenshot).toMatchObject({ contentType: 'image/png', requestId: expect.stringMatching(/^req_/) });
    expect(screenshot.receipt).toMatchObject({ finalUrl: url, httpStatus: 200, failedRequests: 0 });
    expect(screenshot.receipt.durationMs).toBeGreaterThan(0);
    const bytes = await screenshot.bytes();
    expect([begins(bytes, 4), bytes.length]).toEqual(['\x89PNG', screenshot.size]);

    const report = await client.pdf({ html: '<h1>Report</h1>', paper: 'A5' });
    expect([report.contentType, begins(await report.bytes(), 5)]).toEqual(['application/pdf', '%PDF-']);
    const card = await client.ogImage({ url, template: 'card', format: 'jpeg' });
    expect([card.contentType, (await card.blob()).type]).toEqual(['image/jpeg', 'image/jpeg']);
  });

  it('that fail throw errors of their class', async () => {
    const failing = client.screenshot({ url: missing, fail_on_status: ['4xx'] });
    await expect(failing).rejects.toMatchObject({
      name: 'HttpStatusError',
      status: 422,
      requestId: expect.stringMatching(/^req_/),
    });
    await expect(client.screenshot({ url: 'http://10.0.0.1/' })).rejects.toBeInstanceOf(UrlBlockedError);
    await expect(client.pdf({ url: 'http://10.0.0.1/' })).rejects.toBeInstanceOf(CaptureFailedError);
  });

  it('are created once per Idempotency-Key', async () => {
    const request = { idempotencyKey: 'order 1' };
    const first = await client.screenshot({ url }, request);
    const second = await client.screenshot({ url }, request);
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(second.requestId).toBe(first.requestId);
    expect(await second.bytes()).toEqual(await first.bytes());
  });

  it('can be awaited, read, listed, downloaded and deleted', async () => {
    const { request_id, status } = await client.captures.create('screenshot', { url, metadata: { order: '7' } });
    expect(status).toBe('queued');
    const record = await client.captures.wait(request_id, { timeoutMs: 60_000 });
    expect(record).toMatchObject({ request_id, status: 'completed', metadata: { order: '7' } });
    expect(await client.captures.get(request_id)).toEqual(record);
    expect((await client.captures.list({ limit: 1 }).page()).rows).toEqual([record]);

    const port = Number(new URL(platform.url).port);
    expect(new URL(record.file_url!).port).toBe(String(port));
    const file = await client.files.download(record.file_url!);
    expect([(await file.bytes()).length, file.contentType]).toEqual([record.file_size, 'image/png']);

    await client.captures.delete(request_id);
    await client.captures.delete(request_id);
    await expect(client.files.download(record.file_url!)).rejects.toMatchObject({ status: 404 });
    const taken = await client.captures.take('pdf', { url });
    expect(taken).toMatchObject({ status: 'completed', type: 'pdf' });
    await expect(client.captures.get('req_none')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('are saved completely or not at all', async () => {
    const folder = makeTestFolder('saved');
    await saveTo(path.join(folder, 'page.png'), await client.screenshot({ url }));
    expect(begins(readFileSync(path.join(folder, 'page.png')), 4)).toBe('\x89PNG');
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(10));
        controller.error(new Error('the line is dead'));
      },
    });
    await expect(saveTo(path.join(folder, 'other.png'), broken)).rejects.toThrow('the line is dead');
    const read = new ReadableStream<Uint8Array>();
    read.getReader();
    await expect(saveTo(path.join(folder, 'other.png'), read)).rejects.toThrow('read already');
    expect(readdirSync(folder)).toEqual(['page.png']);
  });
});

describe('batches', () => {
  it('can be awaited with progress, read, archived and listed', async () => {
    const items = [{ url }, { url: missing, fail_on_status: [404] }, { url, type: 'pdf' as const }];
    const { batch_id, total } = await client.batches.create({ items, options: { timeout_ms: 60_000 } });
    expect(total).toBe(3);
    const seen: BatchProgress[] = [];
    const onProgress = (progress: BatchProgress) => void seen.push(progress);
    const batch = await client.batches.wait(batch_id, { onProgress, timeoutMs: 100_000 });
    expect(batch).toMatchObject({ batch_id, status: 'completed', total: 3, succeeded: 2, failed: 1 });
    expect(seen.at(-1)).toEqual({ total: 3, processed: 3, succeeded: 2, failed: 1, percent: 100 });
    expect(new Set(seen.map(({ processed }) => processed)).size).toBe(seen.length);

    const results = await collectRows(client.batches.results(batch_id, { limit: 2 }));
    expect(results.map(({ status, error_code }) => error_code ?? status)).toEqual([
      'completed',
      'HTTP_STATUS',
      'completed',
    ]);
    expect(await client.batches.get(batch_id, { limit: 1 })).toMatchObject({ batch_id, results: [results[0]] });
    const { rows } = await client.batches.list().page();
    expect(rows).toContainEqual(batch);
    const archive = await client.batches.archive(batch_id);
    expect([archive.contentType, begins(await archive.bytes(), 2)]).toEqual(['application/zip', 'PK']);
  });

  it('can be cancelled, which also ends the wait', async () => {
    // The batch is cancelled long before so many items can end, because each takes a second.
    const items = Array.from({ length: 200 }, () => ({ url: platform.pages.url('/never'), timeout_ms: 1_000 }));
    const { batch_id } = await client.batches.create({ items });
    const waiting = client.batches.wait(batch_id);
    expect(await client.batches.cancel(batch_id)).toMatchObject({ status: 'cancelled' });
    expect((await waiting).status).toBe('cancelled');
    // Captures that a worker had taken by then are finished.
    const allEnded = async () => (await client.batches.get(batch_id)).pending === 0;
    await waitUntil(allEnded, { what: 'running captures to end' });
    const { status, total, succeeded, failed, cancelled } = await client.batches.get(batch_id);
    expect([status, succeeded + failed + cancelled]).toEqual(['cancelled', total]);
  });
});

it('webhooks are registered, tested, changed and notified; deliveries are read and retried', async () => {
  const { webhooks, deliveries } = client;
  const hook = `${platform.receiver.url}/hook`;
  const registered = await webhooks.register({ url: hook, events: ['capture.completed'] });
  expect(registered).toMatchObject({ url: hook, status: 'active', secret: expect.stringMatching(/^whsec_/) });
  const { id } = registered;
  expect(await webhooks.get(id)).toMatchObject({ id, url: hook });
  expect((await collectRows(webhooks.list())).map((row) => row.id)).toEqual([id]);
  expect(await webhooks.testEndpoint(id)).toMatchObject({ delivered: true, status: 200 });
  expect(await webhooks.test({ webhook_url: hook, events: ['capture.failed'] })).toMatchObject({ delivered: true });
  const before = platform.receiver.hits.length;

  const { requestId } = await client.screenshot({ url });
  const [hit] = (await platform.receiver.waitForHits(before + 1)).slice(before);
  const { secret = '' } = registered;
  const { event } = await verifyWebhook({ body: hit!.body, headers: hit!.headers, secret });
  expect(event).toMatchObject({ event: 'capture.completed', request_id: requestId });

  const delivered = async () => (await deliveries.list({ webhook_id: id, status: 'delivered' }).page()).rows[0];
  const row = await waitUntil(delivered, { what: 'the delivery to be recorded' });
  expect(await deliveries.get(row.id)).toMatchObject({ id: row.id, request_id: requestId, attempts: [{ number: 1 }] });
  expect(await deliveries.retry(row.id)).toMatchObject({ id: row.id });
  await platform.receiver.waitForHits(before + 2);
  await waitUntil(async () => (await deliveries.get(row.id)).status === 'delivered', { what: 'the second attempt' });
  expect(await webhooks.replay(id, { since: '2020-01-01T00:00:00Z', status: 'all' })).toEqual({ replayed: 1 });
  await platform.receiver.waitForHits(before + 3);

  expect(await webhooks.rotateSecret(id)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  expect(await webhooks.update(id, { status: 'paused' })).toMatchObject({ status: 'paused' });
  await webhooks.delete(id);
  await expect(webhooks.get(id)).rejects.toBeInstanceOf(NotFoundError);
});

it('an account can be registered and has keys, usage and a signing secret', async () => {
  const email = 'ada@example.com';
  const { apiKey, plan } = await register({ baseUrl: platform.url, email });
  expect(plan).toBe('free');
  await expect(register({ baseUrl: platform.url, email })).rejects.toBeInstanceOf(EmailTakenError);
  const { account, keys } = new CaptureClient({ apiKey, baseUrl: platform.url });
  expect(await account.get()).toMatchObject({ email, plan: 'free', usage: { used: 0 } });
  expect(await account.usage({ days: 2 })).toMatchObject([{ completed: 0 }, { completed: 0 }]);
  const { secret } = await account.signingSecret();
  expect((await account.rotateSigningSecret()).secret).not.toBe(secret);
  const second = await keys.create({ name: 'CI' });
  expect((await collectRows(keys.list({ limit: 1 }))).map(({ name }) => name)).toEqual(['CI', null]);
  const third = await keys.rotate(second.id, { overlap_s: 60 });
  expect(third.apiKey).not.toBe(second.apiKey);
  await keys.revoke(third.id);
});

it('the operator reads and changes accounts, and reads queues', async () => {
  const { rows } = await operator.accounts({ email: 'customer-1@example.com' }).page();
  const { id } = rows[0]!;
  expect(await operator.changeAccount(id, { plan: 'enterprise' })).toMatchObject({ id, plan: 'enterprise' });
  expect(await operator.issueKey(id)).toMatchObject({ apiKey: expect.any(String) });
  expect((await operator.queues()).map(({ name }) => name)).toEqual(['captures', 'deliveries']);
  expect(await operator.secrets()).toMatchObject({ unreadable: 0 });
  expect((await operator.deliveries().page()).rows.every(({ account_id }) => account_id === id)).toBe(true);
  expect(await operator.metrics()).toMatch(/^# HELP /);
});

it('the service describes itself', async () => {
  expect(await client.service.health()).toEqual({ status: 'ok' });
  expect(await client.service.readiness()).toMatchObject({ status: 'ready' });
  expect(await client.service.document()).toMatchObject({ openapi: '3.1.0' });
});
