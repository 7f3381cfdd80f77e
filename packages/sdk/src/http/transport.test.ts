import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CaptureClient, type ConnectionOptions } from '../client.ts';
import { CaptureConnectionError, CaptureConnectionTimeoutError, CaptureError, RateLimitedError } from '../errors.ts';

const apiKey = 'cap_live_a-key-that-must-not-appear';

interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Reply = (response: ServerResponse) => unknown;

let server: PageServer;
let requests: ReceivedRequest[];
/** One response per request. The last response serves all following requests. */
let responses: Reply[];

beforeEach(async () => {
  requests = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body: await text(request) });
    await (responses.length > 1 ? responses.shift()! : responses[0]!)(response);
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
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusal = (status: number, error_code: string, headers = {}) =>
  json(status, { error_code, error_message: 'So it is.', request_id: 'req_1' }, headers);
const now = { 'Retry-After': '0' };
const ok = json(202, { batch_id: 'batch_1' });
const broken: Reply = (response) => response.destroy();

const batch = { items: [{ url: 'https://example.com/' }] };

async function thrown(promise: Promise<unknown>): Promise<Error & { cause?: unknown }> {
  const error = await promise.then(
    () => new Error('nothing was thrown'),
    (reason: unknown) => reason,
  );
  return error as Error;
}

describe('retries', () => {
  it('continue until success, with one Idempotency-Key', async () => {
    responses = [refusal(429, 'RATE_LIMITED', now), refusal(503, 'OVERLOADED', now), json(502, {}, now), ok];
    const reported: string[] = [];
    const onRetry: ConnectionOptions['onRetry'] = ({ error, tries }) => void reported.push(`${tries} ${error.name}`);
    expect(await client({ onRetry }).batches.create(batch)).toEqual({ batch_id: 'batch_1' });
    expect(reported).toEqual(['1 RateLimitedError', '2 OverloadedError', '3 CaptureError']);
    expect(requests).toHaveLength(4);
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  });

  it('have an Idempotency-Key per request, or that of the caller', async () => {
    responses = [ok];
    await client().batches.create(batch);
    await client().batches.create(batch);
    await client().batches.create(batch, { idempotencyKey: 'order 4711' });
    const keys = requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe('order 4711');
  });

  it('follow a broken connection, even during the response', async () => {
    const half: Reply = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id":', () => response.destroy());
    };
    responses = [broken, half, json(200, { id: 'acc_1' })];
    expect(await client().account.get()).toEqual({ id: 'acc_1' });
  });

  it('are not made for requests that would be executed twice', async () => {
    responses = [broken];
    expect(await thrown(client().keys.create())).toBeInstanceOf(CaptureConnectionError);
    responses = [json(503, {}, now)];
    expect(await thrown(client().keys.create())).toMatchObject({ status: 503 });
    expect(requests).toHaveLength(2);
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
  });

  it('are not made if the requested wait exceeds the limit of the client', async () => {
    responses = [refusal(429, 'QUOTA_EXCEEDED', { 'Retry-After': '700000' })];
    expect(await thrown(client().batches.create(batch))).toMatchObject({
      name: 'QuotaExceededError',
      retryAfterS: 700_000,
      requestId: 'req_1',
    });
    expect(requests).toHaveLength(1);
  });

  it('are limited by maxRetries, and the last error is thrown', async () => {
    responses = [refusal(429, 'RATE_LIMITED', now)];
    expect(await thrown(client({ maxRetries: 2 }).account.get())).toBeInstanceOf(RateLimitedError);
    expect(requests).toHaveLength(3);
    expect(await thrown(client().account.get({ maxRetries: 0 }))).toBeInstanceOf(RateLimitedError);
    expect(requests).toHaveLength(4);
  });

  it('treat a 404 after a DELETE with a lost response as success', async () => {
    responses = [broken, refusal(404, 'NOT_FOUND')];
    await client().keys.revoke('key_1');
    expect(await thrown(client().keys.revoke('key_1'))).toMatchObject({ name: 'NotFoundError' });
  });
});

describe('a signal', () => {
  it('aborts a request, and the pause before a retry', async () => {
    const stop = new AbortController();
    responses = [() => stop.abort(new Error('enough'))];
    expect(await thrown(client().account.get({ signal: stop.signal }))).toMatchObject({ message: 'enough' });

    responses = [refusal(503, 'OVERLOADED', { 'Retry-After': '50' })];
    const later = new AbortController();
    const onRetry = () => later.abort(new Error('no longer'));
    expect(await thrown(client({ onRetry }).account.get({ signal: later.signal }))).toMatchObject({
      message: 'no longer',
    });
    expect(requests).toHaveLength(2);
    expect(await thrown(client().account.get({ signal: later.signal }))).toMatchObject({ message: 'no longer' });
    expect(requests).toHaveLength(2);
  });

  it('aborts the reading of a file', async () => {
    responses = [
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

it('a missing response is a timeout; a file may take any time once it has started', async () => {
  responses = [() => {}];
  const impatient = client({ timeoutMs: 50, maxRetries: 0 });
  expect(await thrown(impatient.account.get())).toMatchObject({
    name: 'CaptureConnectionTimeoutError',
    message: 'No response to GET /api/v1/account within 50 ms.',
  });
  expect(await thrown(impatient.account.get())).toBeInstanceOf(CaptureConnectionTimeoutError);
});

describe('errors', () => {
  it('have the message of the service', async () => {
    const details = [{ field: 'items.0.width', message: 'must be at least 16' }];
    const body = { error_code: 'INVALID_REQUEST', error_message: 'Not valid.', request_id: 'req_2', details };
    responses = [json(400, body)];
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

  it('with an unknown code, or of a proxy, are plain CaptureErrors', async () => {
    responses = [refusal(418, 'TEAPOT')];
    const unknown = await thrown(client().account.get());
    expect(unknown.constructor).toBe(CaptureError);
    expect(unknown).toMatchObject({ errorCode: 'TEAPOT', name: 'CaptureError' });
    responses = [(response) => response.writeHead(413).end(`<h1>${'x'.repeat(9_999)}`)];
    const proxied = await thrown(client().account.get());
    expect(proxied).toMatchObject({ errorCode: 'UNKNOWN', status: 413 });
    expect(proxied.message.length).toBeLessThan(300);
  });

  it('name the reason for a missing response', async () => {
    const { port } = server;
    await server.close();
    const away = new CaptureClient({ apiKey, baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
    expect(await thrown(away.account.get())).toMatchObject({
      name: 'CaptureConnectionError',
      message: `No response to GET /api/v1/account from http://127.0.0.1:${port}: the connection was refused.`,
    });
  });
});

describe('the key', () => {
  it('is sent to the base URL only: redirects are not followed', async () => {
    responses = [(response) => response.writeHead(307, { location: server.url('/elsewhere', 'localhost') }).end()];
    expect((await thrown(client({ maxRetries: 0 }).account.get())).message).toBe(
      `GET /api/v1/account was redirected to http://localhost:${server.port}: is baseUrl right?`,
    );
    expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/api/v1/account', `Bearer ${apiKey}`],
    ]);
  });

  it('is not sent to file URLs', async () => {
    responses = [json(200, {})];
    await (await client().files.download(server.url('/elsewhere?signature=x'))).arrayBuffer();
    expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/elsewhere?signature=x', undefined],
    ]);
  });

  it('is in no URL, no error and no printed output', async () => {
    responses = [broken];
    const mine = client({ maxRetries: 0 });
    const error = await thrown(mine.account.get());
    const printed = [inspect(mine, { depth: 9, showHidden: true }), JSON.stringify(mine), inspect(error, { depth: 9 })];
    expect(printed.filter((text) => text.includes(apiKey))).toEqual([]);
    for (const bad of [`${apiKey}\n`, '', `${apiKey}é`, undefined as unknown as string]) {
      const refused = () => new CaptureClient({ apiKey: bad, baseUrl: server.url() });
      expect(refused).toThrow(new TypeError('The key must be a string without spaces or line feeds.'));
    }
    expect(requests.map(({ url }) => url)).toEqual(['/api/v1/account']);
  });
});

it('accepts a base URL with a path, and rejects an invalid one', async () => {
  responses = [json(200, { id: 'acc_1' })];
  for (const path of ['/below', '/below/']) await client({ baseUrl: server.url(path) }).account.get();
  expect(requests.map(({ url }) => url)).toEqual(['/below/api/v1/account', '/below/api/v1/account']);
  for (const baseUrl of ['captures.example.com', 'ftp://captures.example.com', 'http://a:b@captures.example.com']) {
    expect(() => new CaptureClient({ apiKey, baseUrl })).toThrow(TypeError);
  }
});

it('reads a list page by page during iteration', async () => {
  responses = [
    json(200, { captures: [{ request_id: 'a' }, { request_id: 'b' }], next_cursor: 'after b' }),
    json(200, { captures: [{ request_id: 'c' }], next_cursor: null }),
  ];
  const list = client().captures.list({ status: 'failed', limit: 2 });
  const seen: string[] = [];
  for await (const { request_id } of list) seen.push(request_id);
  expect(seen).toEqual(['a', 'b', 'c']);
  expect(requests.map(({ url }) => url)).toEqual([
    '/api/v1/captures?status=failed&limit=2',
    '/api/v1/captures?status=failed&limit=2&cursor=after+b',
  ]);
});
