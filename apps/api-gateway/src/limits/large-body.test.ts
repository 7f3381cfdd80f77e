import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { inSteps } from '../http/in-steps.ts';
import { startSharedGateway } from '../test-gateway.ts';
import { createLocalRateLimiter } from './rate-limit.ts';

/** This clock stands still, so the limiter never grants another token. */
const rateLimiter = createLocalRateLimiter(() => 0);
const gateway = await startSharedGateway('B', { parts: { rateLimiter } });

const large = 'x'.repeat(90_000);
const path = '/api/v1/batches';

/** Creates an account that has used its last token for a batch with this `Idempotency-Key`. */
async function withoutTokens(email: string) {
  const key = await gateway.register(email, 'starter');
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    gateway
      .as(key)
      .post(path)
      .set({ 'Content-Type': 'application/json', ...headers })
      .serialize((bytes) => bytes)
      .send(body);
  const body = JSON.stringify({ items: [{ url: 'https://example.com/', css: large }] });
  const first = await post(body, { 'Idempotency-Key': 'first' }).expect(202);
  for (let status = 202; status === 202; ) ({ status } = await post('{"items":[{"url":"https://example.com/"}]}'));
  return { post, body, first };
}

describe('a large body of an account without tokens', () => {
  it('is refused before it is parsed', async () => {
    const { post } = await withoutTokens('large@example.com');
    const { body, headers } = await post(`{"items": [${large}`).expect(429);
    expect(body.error_code).toBe('RATE_LIMITED');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('is refused before it is parsed, even if it is small when compressed', async () => {
    const { post } = await withoutTokens('compressed@example.com');
    const body = gzipSync(`{"items": [${large}`);
    const { body: refusal } = await post(body, { 'Content-Encoding': 'gzip' }).expect(429);
    expect(refusal.error_code).toBe('RATE_LIMITED');
  });

  it('is refused before it is parsed if it is a batch of 4 kB', async () => {
    const { post } = await withoutTokens('batch@example.com');
    await post(`{"items": [${large.slice(0, 5_000)}`).expect(429);
  });

  it('is replayed if its Idempotency-Key has a stored response', async () => {
    const { post, body, first } = await withoutTokens('replayed@example.com');
    const replayed = await post(body, { 'Idempotency-Key': 'first' }).expect(202);
    expect(replayed.body).toEqual(first.body);
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    await post(body, { 'Idempotency-Key': 'another' }).expect(429);
  });

  it('is refused with a 400 for an invalid field if it is small', async () => {
    const { post } = await withoutTokens('small@example.com');
    const { body } = await post('{"items":').expect(400);
    expect(body.error_code).toBe('INVALID_REQUEST');
  });
});

describe('large bodies of one account', () => {
  it('are parsed one at a time, also after a refused body', async () => {
    const key = await gateway.register('many@example.com', 'business');
    const send = (items: object[]) => gateway.as(key).post(path).send({ items }).expect(400);
    const responses = await Promise.all(Array.from({ length: 12 }, () => send([{ url: 'no', css: large }])));
    expect(responses.map(({ body }) => body.details[0].field)).toEqual(Array(12).fill('items.0.url'));
  });
});

describe('inSteps', () => {
  it('lets other work run before it ends, and returns the result', async () => {
    let otherWork = 0;
    const timer = setInterval(() => {
      otherWork += 1;
    }, 1);
    function* busy() {
      for (let step = 0; step < 1_000 && otherWork < 3; step += 1) {
        const until = performance.now() + 2;
        while (performance.now() < until);
        yield;
      }
      return otherWork;
    }
    expect(await inSteps(busy())).toBe(3);
    clearInterval(timer);
  });
});

it('lets an account rest after large records: until then its look-ups wait, and those of others do not', async () => {
  const key = await gateway.register('records@example.com', 'pro');
  const other = await gateway.register('reader@example.com', 'pro');
  const { id } = (await gateway.as(key).get('/api/v1/account').expect(200)).body;
  const sent = { url: 'https://example.com/', async: true, css: large, js: large };
  const { body } = await gateway.as(key).post('/api/v1/screenshot').send(sent).expect(202);
  const resting = await gateway.admission.take('largeResponse', id);
  const record = () => gateway.as(key).get(`/api/v1/captures/${body.request_id}`).expect(200);
  for (let slot = 0; slot < 8; slot += 1) expect((await record()).body.options.css).toBe(large);
  let responded = false;
  const next = gateway
    .as(key)
    .get('/api/v1/account')
    .expect(200)
    .then(() => {
      responded = true;
    });
  await gateway.as(other).get('/api/v1/account').expect(200);
  expect(responded).toBe(false);
  resting();
  await next;
});
