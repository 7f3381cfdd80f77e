import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { htmlKey } from '@capture/storage/file-key';
import type { Storage } from '@capture/storage/storage';
import { type S3Server, s3Credentials, startS3Server } from '@capture/testing/network/s3-server';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalRateLimiter } from '../limits/rate-limit.ts';
import {
  startSecondGateway,
  startTestGateway,
  startTestWorker,
  type TestGateway,
  type TestGatewayOptions,
} from '../test-gateway.ts';

const environment = { ...process.env };
let s3: S3Server;
beforeAll(async () => {
  Object.assign(process.env, s3Credentials);
  s3 = await startS3Server();
});
afterAll(async () => {
  process.env = environment;
  await s3.close();
});

let gateway: TestGateway;
/** Closing the first gateway also closes the second one that `replaceParts` starts. */
let first: TestGateway;
let key: string;
async function start(options: TestGatewayOptions = {}): Promise<void> {
  gateway = await startTestGateway('B', options);
  first = gateway;
  key = await gateway.register('html@example.com', 'business');
}
/** Sends the following requests to a gateway with other parts. */
async function replaceParts(parts: TestGatewayOptions['parts']): Promise<void> {
  gateway = await startSecondGateway(first, { parts: parts ?? {} });
}
afterEach(() => first.close());

const html = '<!doctype html><p>The submitted page';
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  gateway.as(key).post(path).set(headers).send(body);
const submit = (more: object = {}, headers?: Record<string, string>) =>
  post('/api/v1/screenshot', { html, async: true, ...more }, headers);
const remove = (id: string) => gateway.as(key).delete(`/api/v1/captures/${id}`).expect(204);

async function files(): Promise<string[]> {
  const found: string[] = [];
  for await (const name of gateway.storage.list(new Date(Date.now() + 60_000))) found.push(name);
  return found.filter((name) => name.startsWith('html/')).sort();
}
const filesAre = (expected: string[]) =>
  waitUntil(async () => (await files()).join() === expected.join(), { what: `${expected.length} files` });
async function rows() {
  const { rows: found } = await gateway.database.pool.query('SELECT id, capture::text AS text FROM capture');
  return found as { id: string; text: string }[];
}
const usage = async () => {
  const { rows: found } = await gateway.database.pool.query('SELECT used, reserved FROM usage');
  return found[0] ?? { used: 0, reserved: 0 };
};

const stores: [string, () => TestGatewayOptions][] = [
  ['a folder', () => ({})],
  [
    'a bucket',
    () => ({ settings: { STORAGE_URL: `s3://captures/html-${randomBytes(4).toString('hex')}?${s3.parameter}` } }),
  ],
];

describe.each(stores)('submitted html in %s', (_, options) => {
  beforeEach(() => start(options()));

  it('is a file from the start and never in the row, and is removed when the capture is cancelled', async () => {
    const { body } = await submit().expect(202);
    const id = body.request_id;
    const file = await gateway.storage.open(htmlKey(id));
    expect(await text(file!.stream)).toBe(html);
    expect((await rows())[0]?.text).not.toContain('submitted');
    await remove(id);
    await filesAre([]);
  });

  it('of a batch is removed when the batch is cancelled, except the html of running items', async () => {
    const items = Array.from({ length: 60 }, (__, n) => ({ html: `${html} ${n}` }));
    const { body } = await post('/api/v1/batches', { items: [...items, { url: 'https://example.com/' }] }).expect(202);
    expect(await files()).toHaveLength(60);
    const captures = await rows();
    expect(captures).toHaveLength(61);
    for (const row of captures) expect(row.text).not.toContain('submitted');
    const running = (await files())[7]!;
    await gateway.database.pool.query(`UPDATE capture SET status = 'processing' WHERE options->>'*html' = $1`, [
      running,
    ]);
    await post(`/api/v1/batches/${body.batch_id}/cancel`, {}).expect(200);
    await filesAre([running]);
  });
});

describe('submitted html', () => {
  it('of a thousand items is written before the batch is accepted', async () => {
    await start();
    const items = Array.from({ length: 1_000 }, (_, n) => ({ html: `${html} ${n}` }));
    await post('/api/v1/batches', { items }).expect(202);
    expect(await files()).toHaveLength(1_000);
  });

  it('returns 503 if it cannot be stored, and nothing is recorded or counted', async () => {
    await start();
    const put = () => Promise.reject(new Error('ECONNREFUSED'));
    await replaceParts({ storage: { ...first.storage, put } });
    const headers = { 'Idempotency-Key': 'one' };
    const single = await submit({}, headers).expect(503);
    expect(single.body.error_code).toBe('OVERLOADED');
    expect(single.body.error_message).toMatch(/cannot store the submitted html/);
    expect(Number(single.headers['retry-after'])).toBeGreaterThan(0);
    await post('/api/v1/batches', { items: [{ html }, { html }] }).expect(503);
    expect(await rows()).toEqual([]);
    expect(await usage()).toEqual({ used: 0, reserved: 0 });
    await submit({ html: undefined, url: 'https://example.com/' }).expect(202);
  });

  it('is removed when the quota refuses the request', async () => {
    await start();
    await gateway.database.pool.query(`UPDATE account SET plan = 'free'`);
    const month = new Date().toISOString().slice(0, 7);
    await gateway.database.pool.query(
      `INSERT INTO usage (account_id, month, used) SELECT id, $1, 1000000 FROM account`,
      [month],
    );
    await submit().expect(429);
    await submit({}, { 'Idempotency-Key': 'two' }).expect(429);
    await post('/api/v1/batches', { items: [{ html }] }).expect(429);
    await filesAre([]);
    expect(await rows()).toEqual([]);
  });

  it('is not written when the rate limit refuses the request', async () => {
    let puts = 0;
    await start();
    const put: Storage['put'] = async () => {
      puts += 1;
    };
    await replaceParts({ storage: { ...first.storage, put }, rateLimiter: createLocalRateLimiter(() => 0) });
    let accepted = 0;
    while ((await submit()).status === 202) accepted += 1;
    expect(accepted).toBeGreaterThan(0);
    await submit().expect(429);
    expect(puts).toBe(accepted);
  });

  it('of a replayed request is not written again, and the response is the same', async () => {
    await start();
    const headers = { 'Idempotency-Key': 'three' };
    const first = await submit({}, headers).expect(202);
    const before = await files();
    const again = await submit({}, headers).expect(202);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    await submit({ html: `${html}!` }, headers).expect(409);
    expect(await files()).toEqual(before);
    const both = await Promise.all([1, 2].map(() => submit({}, { 'Idempotency-Key': 'four' })));
    expect(both[0]?.text).toBe(both[1]?.text);
    await filesAre([...before, htmlKey(both[0]?.body.request_id)].sort());
  });

  it('is not written for a capture that is in the cache', async () => {
    await start();
    const worker = startTestWorker(gateway, () => 'completed');
    const sync = { async: false, cache_ttl_s: 60, response_type: 'json' };
    await submit(sync).expect(200);
    await worker.close();
    const before = await files();
    const { body } = await submit(sync).expect(200);
    expect(body).toMatchObject({ cached: true, options: { html: '…' } });
    expect(await files()).toEqual(before);
    expect((await rows()).map((row) => row.text).join()).not.toContain('submitted');
  });

  it('is removed when no worker claims the capture in time', async () => {
    await start({ parts: { queueWaitMs: 100 } });
    await submit({ async: false }).expect(503);
    await filesAre([]);
  });

  it('is removed with its account', async () => {
    await start();
    await submit().expect(202);
    const { id } = await gateway.database.prisma.account.findFirstOrThrow();
    await gateway.asOperator.delete(`/api/operator/accounts/${id}`).expect(204);
    await filesAre([]);
  });

  it('stays if it is unknown whether the row was committed', async () => {
    await start();
    const lost = () => Promise.reject(new Error('Connection terminated unexpectedly'));
    await replaceParts({ statements: { ...first.statements, reserve: lost } });
    await submit().expect(503);
    expect(await files()).toHaveLength(1);
  });
});
