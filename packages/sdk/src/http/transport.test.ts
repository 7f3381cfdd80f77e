import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { openPageServer, type PageServer } from '@capture/testing/page-server';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CaptureClient, type ConnectionOptions } from '../client.ts';
import { CaptureConnectionError, CaptureConnectionTimeoutError, CaptureError, RateLimitedError } from '../errors.ts';

const apiKey = 'cap_live_a-key-nobody-may-see';

interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = (response: ServerResponse) => unknown;

let server: PageServer;
let asked: Asked[];
/** One a request; the last one for all that follow. */
let answers: Answer[];

beforeEach(async () => {
  asked = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers, body: await text(request) });
    await (answers.length > 1 ? answers.shift()! : answers[0]!)(response);
  };
  server = await openPageServer({});
  const paths = ['screenshot', 'batches', 'account', 'keys', 'keys/key_1', 'captures', 'webhooks'];
  server.serve(Object.fromEntries(paths.map((path) => [`/api/v1/${path}`, handle])));
  server.serve({ '/elsewhere': handle, '/below/api/v1/account': handle });
});
afterEach(() => server.close());

const client = (options: Partial<ConnectionOptions> = {}) =>
  new CaptureClient({ apiKey, baseUrl: server.url('/'), ...options });

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusal = (status: number, error_code: string, headers = {}) =>
  json(status, { error_code, error_message: 'So it is.', request_id: 'req_1' }, headers);
const now = { 'Retry-After': '0' };
const ok = json(202, { batch_id: 'batch_1' });
const broken: Answer = (response) => response.destroy();

const batch = { items: [{ url: 'https://example.com/' }] };

/** The error with which something ends. */
async function thrown(promise: Promise<unknown>): Promise<Error & { cause?: unknown }> {
  const error = await promise.then(
    () => new Error('nothing was thrown'),
    (reason: unknown) => reason,
  );
  return error as Error;
}

describe('retries', () => {
  it('come until it succeeds, all under one Idempotency-Key', async () => {
    answers = [refusal(429, 'RATE_LIMITED', now), refusal(503, 'OVERLOADED', now), json(502, {}, now), ok];
    const told: string[] = [];
    const onRetry: ConnectionOptions['onRetry'] = ({ error, tries }) => void told.push(`${tries} ${error.name}`);
    expect(await client({ onRetry }).batches.create(batch)).toEqual({ batch_id: 'batch_1' });
    expect(told).toEqual(['1 RateLimitedError', '2 OverloadedError', '3 CaptureError']);
    expect(asked).toHaveLength(4);
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
  });

  it('have another Idempotency-Key for another request, and the caller’s own if there is one', async () => {
    answers = [ok];
    await client().batches.create(batch);
    await client().batches.create(batch);
    await client().batches.create(batch, { idempotencyKey: 'order 4711' });
    const keys = asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe('order 4711');
  });

  it('come after a connection that broke, also in the middle of the answer', async () => {
    const half: Answer = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id":', () => response.destroy());
    };
    answers = [broken, half, json(200, { id: 'acc_1' })];
    expect(await client().account.get()).toEqual({ id: 'acc_1' });
  });

  it('do not come for what would be made twice', async () => {
    answers = [broken];
    expect(await thrown(client().keys.create())).toBeInstanceOf(CaptureConnectionError);
    answers = [json(503, {}, now)];
    expect(await thrown(client().keys.create())).toMatchObject({ status: 503 });
    expect(asked).toHaveLength(2);
    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
  });

  it('do not come where the wait is longer than the client waits', async () => {
    answers = [refusal(429, 'QUOTA_EXCEEDED', { 'Retry-After': '700000' })];
    expect(await thrown(client().batches.create(batch))).toMatchObject({
      name: 'QuotaExceededError',
      retryAfterS: 700_000,
      requestId: 'req_1',
    });
    expect(asked).toHaveLength(1);
  });

  it('are as many as were asked for, and the last error is thrown', async () => {
    answers = [refusal(429, 'RATE_LIMITED', now)];
    expect(await thrown(client({ maxRetries: 2 }).account.get())).toBeInstanceOf(RateLimitedError);
    expect(asked).toHaveLength(3);
    expect(await thrown(client().account.get({ maxRetries: 0 }))).toBeInstanceOf(RateLimitedError);
    expect(asked).toHaveLength(4);
  });

  it('take a 404 for what it is: after a first DELETE whose answer was lost, what was wanted', async () => {
    answers = [broken, refusal(404, 'NOT_FOUND')];
    await client().keys.revoke('key_1');
    expect(await thrown(client().keys.revoke('key_1'))).toMatchObject({ name: 'NotFoundError' });
  });
});

describe('a signal', () => {
  it('ends a request, and the pause before the next', async () => {
    const stop = new AbortController();
    answers = [() => stop.abort(new Error('enough'))];
    expect(await thrown(client().account.get({ signal: stop.signal }))).toMatchObject({ message: 'enough' });

    answers = [refusal(503, 'OVERLOADED', { 'Retry-After': '50' })];
    const later = new AbortController();
    const onRetry = () => later.abort(new Error('no longer'));
    expect(await thrown(client({ onRetry }).account.get({ signal: later.signal }))).toMatchObject({
      message: 'no longer',
    });
    expect(asked).toHaveLength(2);
    expect(await thrown(client().account.get({ signal: later.signal }))).toMatchObject({ message: 'no longer' });
    expect(asked).toHaveLength(2);
  });

  it('ends the reading of a file', async () => {
    answers = [
      (response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        response.write('the beginning');
      },
    ];
    const stop = new AbortController();
    const file = await client().screenshot({ url: 'https://example.com/' }, { signal: stop.signal });
    const reading = file.arrayBuffer();
    stop.abort(new Error('enough'));
    expect(await thrown(reading)).toMatchObject({ message: 'enough' });
  });
});

it('an answer that does not come is a timeout; a file may take as long as it likes once it has begun', async () => {
  answers = [() => {}];
  const impatient = client({ timeoutMs: 50, maxRetries: 0 });
  expect(await thrown(impatient.account.get())).toMatchObject({
    name: 'CaptureConnectionTimeoutError',
    message: 'No answer to GET /api/v1/account within 50 ms.',
  });
  expect(await thrown(impatient.account.get())).toBeInstanceOf(CaptureConnectionTimeoutError);
});

describe('errors', () => {
  it('say what the service said', async () => {
    const details = [{ field: 'items.0.width', message: 'must be at least 16' }];
    const body = { error_code: 'INVALID_REQUEST', error_message: 'Not valid.', request_id: 'req_2', details };
    answers = [json(400, body)];
    expect(await thrown(client().batches.create(batch))).toMatchObject({
      name: 'InvalidRequestError',
      message: 'Not valid.',
      status: 400,
      errorCode: 'INVALID_REQUEST',
      requestId: 'req_2',
      details,
      retryAfterS: null,
    });
  });

  it('of a code that is not known, or of a proxy, are plain', async () => {
    answers = [refusal(418, 'TEAPOT')];
    const unknown = await thrown(client().account.get());
    expect(unknown.constructor).toBe(CaptureError);
    expect(unknown).toMatchObject({ errorCode: 'TEAPOT', name: 'CaptureError' });
    answers = [(response) => response.writeHead(413).end(`<h1>${'x'.repeat(9_999)}`)];
    const proxied = await thrown(client().account.get());
    expect(proxied).toMatchObject({ errorCode: 'UNKNOWN', status: 413 });
    expect(proxied.message.length).toBeLessThan(300);
  });

  it('name the reason for which no answer came', async () => {
    const { port } = server;
    await server.close();
    const away = new CaptureClient({ apiKey, baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
    expect(await thrown(away.account.get())).toMatchObject({
      name: 'CaptureConnectionError',
      message: 'No answer to GET /api/v1/account: ECONNREFUSED.',
    });
  });
});

describe('the key', () => {
  it('goes to the base URL alone: no redirect is followed with it', async () => {
    answers = [(response) => response.writeHead(307, { location: server.url('/elsewhere', 'localhost') }).end()];
    expect((await thrown(client({ maxRetries: 0 }).account.get())).message).toBe(
      `GET /api/v1/account was answered with a redirect to http://localhost:${server.port}: is baseUrl right?`,
    );
    expect(asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/api/v1/account', `Bearer ${apiKey}`],
    ]);
  });

  it('does not go with a file’s link', async () => {
    answers = [json(200, {})];
    await (await client().files.download(server.url('/elsewhere?signature=x'))).arrayBuffer();
    expect(asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/elsewhere?signature=x', undefined],
    ]);
  });

  it('is in no URL, no error and nothing that is printed', async () => {
    answers = [broken];
    const mine = client({ maxRetries: 0 });
    const error = await thrown(mine.account.get());
    const printed = [inspect(mine, { depth: 9, showHidden: true }), JSON.stringify(mine), inspect(error, { depth: 9 })];
    expect(printed.filter((text) => text.includes(apiKey))).toEqual([]);
    for (const bad of [`${apiKey}\n`, '', `${apiKey}é`, undefined as unknown as string]) {
      const refused = () => new CaptureClient({ apiKey: bad, baseUrl: server.url() });
      expect(refused).toThrow(new TypeError('The key must be a text without spaces or line feeds.'));
    }
    expect(asked.map(({ url }) => url)).toEqual(['/api/v1/account']);
  });
});

it('takes a base URL with a path, and refuses one that is none', async () => {
  answers = [json(200, { id: 'acc_1' })];
  for (const path of ['/below', '/below/']) await client({ baseUrl: server.url(path) }).account.get();
  expect(asked.map(({ url }) => url)).toEqual(['/below/api/v1/account', '/below/api/v1/account']);
  for (const baseUrl of ['captures.example.com', 'ftp://captures.example.com', 'http://a:b@captures.example.com']) {
    expect(() => new CaptureClient({ apiKey, baseUrl })).toThrow(TypeError);
  }
});

it('reads a list page by page, as far as it is gone through', async () => {
  answers = [
    json(200, { captures: [{ request_id: 'a' }, { request_id: 'b' }], next_cursor: 'after b' }),
    json(200, { captures: [{ request_id: 'c' }], next_cursor: null }),
  ];
  const list = client().captures.list({ status: 'failed', limit: 2 });
  const seen: string[] = [];
  for await (const { request_id } of list) seen.push(request_id);
  expect(seen).toEqual(['a', 'b', 'c']);
  expect(asked.map(({ url }) => url)).toEqual([
    '/api/v1/captures?status=failed&limit=2',
    '/api/v1/captures?status=failed&limit=2&cursor=after+b',
  ]);
});
