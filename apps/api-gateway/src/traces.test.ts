import { pathToFileURL } from 'node:url';
import { openDatabase } from '@capture/database/open-database';
import { traceOf } from '@capture/runtime/tracing/trace-of';
import { createTestDatabase } from '@capture/testing/database';
import { openHttpsReceiver } from '@capture/testing/network/https-receiver';
import { findOwnPort } from '@capture/testing/network/own-port';
import { openPageServer } from '@capture/testing/network/page-server';
import { type CollectedSpan, openTraceCollector } from '@capture/testing/network/trace-collector';
import { startService } from '@capture/testing/processes/processes';
import { createTestRedis } from '@capture/testing/redis';
import { makeTestFolder, required } from '@capture/testing/test-run';
import { afterEach, describe, expect, it } from '@jest/globals';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** Starts the three services, which send their traces to an endpoint, and a client. */
async function open(endpointOf: (name: string) => string) {
  const testDatabase = await createTestDatabase();
  closings.push(() => testDatabase.drop());
  const database = openDatabase({ url: testDatabase.url });
  closings.push(() => database.close());
  const testRedis = await createTestRedis();
  closings.push(() => testRedis.close());
  const receiver = await openHttpsReceiver();
  closings.push(() => receiver.close());
  const pages = await openPageServer({ '/': '<!doctype html><p>page' });
  closings.push(() => pages.close());
  const port = await findOwnPort();
  const env = {
    PORT: String(port),
    DATABASE_URL: testDatabase.url,
    REDIS_URL: testRedis.url,
    STORAGE_URL: pathToFileURL(makeTestFolder('traces')).href,
    SECRET_KEY: 'the-secret-key-of-a-test-of-traces',
    OPERATOR_KEY: 'the-operator-key-of-a-test-of-traces',
    EGRESS_ALLOW: `127.0.0.1/32:${receiver.port},127.0.0.1/32:${pages.port}`,
    NODE_EXTRA_CA_CERTS: receiver.authority.file,
    PUPPETEER_EXECUTABLE_PATH: required('TEST_CHROMIUM_PATH'),
    CAPTURE_CONCURRENCY: '1',
    // A process has less time to stop: a process that waited for a collector would be killed and exit with code 1.
    OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    OTEL_BSP_EXPORT_TIMEOUT: '60000',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  const start = async (name: string) => {
    const service = await startService(name, { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: endpointOf(name) });
    closings.push(() => service.stop());
    return service;
  };
  const services = await Promise.all(['api-gateway', 'capture-worker', 'webhook-dispatcher'].map(start));

  const call = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, requestId: response.headers.get('x-request-id') ?? '', text: bytes.toString() };
  };
  const { text } = await call('/api/auth/register', { email: 'traced@example.com' });
  const auth = { 'x-api-key': JSON.parse(text).apiKey };
  await database.pool.query("UPDATE account SET plan = 'business'");
  return {
    receiver,
    services,
    call: (path: string, body: object, headers = {}) => call(path, body, { ...auth, ...headers }),
    page: pages.url('/?token=in-the-query'),
    hook: `${receiver.url}/hook/in-the-path`,
    /** Stops the processes in order; each sends its remaining spans. */
    stop: () => Promise.all(services.map((service) => service.stop())),
  };
}

const ofTrace = (spans: readonly CollectedSpan[], id: string) =>
  spans.filter(({ traceId }) => traceId === traceOf(id)?.traceId);

/** Returns `child < parent` for each span of a trace, unordered, and marks a missing parent. */
function relations(spans: readonly CollectedSpan[]): string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  const parentOf = ({ parentSpanId }: CollectedSpan) =>
    parentSpanId === null ? 'nothing' : (names.get(parentSpanId) ?? 'a missing span');
  return spans.map((span) => `${span.name} < ${parentOf(span)}`).sort();
}

/** The spans of a capture in a worker and of the delivery to its receiver, in the trace that starts with `first`. */
const ofCapture = (first: string) => [
  `queue < ${first}`,
  `process captures < ${first}`,
  ...['claim', 'acquire', 'navigate', 'settle', 'act', 'shoot', 'store', 'record'].map(
    (step) => `${step} < process captures`,
  ),
];
const ofDelivery = (first: string) => [
  `process deliveries < ${first}`,
  ...['begin', 'POST', 'record'].map((step) => `${step} < process deliveries`),
];
const ofRequest = (first: string) => [
  `${first} < nothing`,
  `admit < ${first}`,
  'take token < admit',
  'reserve < admit',
  `send captures < ${first}`,
];

describe('a reachable collector', () => {
  it('receives one complete trace of a capture, from the request to its delivery, and one of a batch', async () => {
    const collector = await openTraceCollector();
    closings.push(() => collector.close());
    const { call, page, hook, receiver, services, stop } = await open(() => collector.url);
    const theirs = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
    const traceparent = `00-${theirs.traceId}-${theirs.spanId}-01`;
    receiver.respondNext({ status: 500 });
    const asked = { url: page, webhook_url: hook };
    const [single, waited, batch] = [
      await call('/api/v1/screenshot', { ...asked, async: true }, { traceparent, tracestate: 'their=state' }),
      await call('/api/v1/screenshot', { url: page }),
      await call('/api/v1/batches', { items: [{ url: page }, { url: page }], webhook_url: hook }),
    ];
    expect([single.status, waited.status, batch.status]).toEqual([202, 200, 202]);
    // The receiver gets deliveries of the refused capture, of the two items, and of the batch.
    await receiver.waitForHits(4);
    await stop();

    const first = 'POST /api/v1/screenshot';
    const spans = ofTrace(collector.spans, single.requestId);
    expect(relations(spans)).toEqual([...ofRequest(first), ...ofCapture(first), ...ofDelivery(first)].sort());
    const find = (name: string) => spans.find((span) => span.name === name);
    expect(find(first)).toMatchObject({ spanId: traceOf(single.requestId)?.spanId, service: 'api-gateway' });
    // The service links the client's trace and does not continue it, whatever its sampling flag.
    expect(find(first)?.links).toEqual([theirs]);
    expect(ofTrace(collector.spans, waited.requestId).flatMap(({ links }) => links)).toEqual([]);
    expect(find('process captures')).toMatchObject({
      service: 'capture-worker',
      failed: false,
      attributes: { 'capture.request_id': single.requestId, 'capture.attempt': 1, 'capture.status': 'completed' },
    });
    expect(find('POST')).toMatchObject({
      service: 'webhook-dispatcher',
      failed: true,
      attributes: { 'server.address': '127.0.0.1', 'server.port': receiver.port, 'http.response.status_code': 500 },
    });
    expect(find('process deliveries')?.attributes).toMatchObject({ 'error.type': 'http_5xx', 'capture.attempt': 1 });
    for (const { startedAt, endedAt } of spans) expect(endedAt).toBeGreaterThanOrEqual(startedAt);

    const whoWaits = relations(ofTrace(collector.spans, waited.requestId));
    expect(whoWaits).toEqual(
      [...ofRequest(first), `wait < ${first}`, `send file < ${first}`, ...ofCapture(first)].sort(),
    );

    const firstOfBatch = 'POST /api/v1/batches';
    const { batch_id: batchId } = JSON.parse(batch.text);
    const ofBatch = ofTrace(collector.spans, batchId);
    expect(traceOf(batchId)).toEqual(traceOf(batch.requestId));
    const itemOrEvent = [ofCapture, ofCapture, ofDelivery, ofDelivery, ofDelivery];
    expect(relations(ofBatch)).toEqual(
      [...ofRequest(firstOfBatch), ...itemOrEvent.flatMap((of) => of(firstOfBatch))].sort(),
    );

    // The log line carries the trace id.
    const traceId = traceOf(single.requestId)?.traceId;
    for (const service of services) expect(service.output()).toContain(`"trace_id":"${traceId}"`);
    // Spans have only hosts of pages and receivers, and no text of clients.
    for (const word of ['in-the-query', 'in-the-path', 'their=state', 'traced@example.com']) {
      expect(collector.received()).not.toContain(word);
    }
  });
});

describe('unreachable and silent collectors', () => {
  it('delay neither captures nor shutdown', async () => {
    const silent = await openTraceCollector({ responds: false });
    closings.push(() => silent.close());
    const unreachable = `http://127.0.0.1:${await findOwnPort()}`;
    const { call, page, hook, receiver, services, stop } = await open((name) =>
      name === 'capture-worker' ? silent.url : unreachable,
    );
    for (let captures = 0; captures < 2; captures += 1) {
      expect((await call('/api/v1/screenshot', { url: page, webhook_url: hook })).status).toBe(200);
    }
    await receiver.waitForHits(2);
    expect(await stop()).toEqual(services.map(() => ({ code: 0, signal: null })));
    expect(silent.requests).toBeGreaterThan(0);
  });
});
