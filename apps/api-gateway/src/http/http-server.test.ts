import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { errorBody } from '@capture/contract/api/responses';
import { type RawResponse, sendBytes } from '@capture/testing/network/send-bytes';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../test-gateway.ts';
import { createHttpServer } from './http-server.ts';

let gateway: TestGateway;
let server: Server;
let port: number;
let key: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  server = createHttpServer(gateway.app, gateway.log, {
    headersWithinMs: 600,
    requestWithinMs: 1_200,
    checkEveryMs: 50,
    lingerMs: 2_000,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  key = await gateway.register('raw@example.com');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await gateway.close();
});

const post = (path: string, headers: Record<string, string | number>, body: string | Buffer = '') => [
  `POST ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n${lines(headers)}\r\n`,
  body,
];
const get = (path: string, headers = '') => [`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`];
const lines = (headers: Record<string, string | number>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
const json = (body: string | Buffer, headers: Record<string, string | number> = {}) =>
  post(
    '/api/v1/keys',
    { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers },
    body,
  );

/** Checks a response against the one error body. */
function expectError(response: RawResponse, status: number, code: string): void {
  expect([response.status, response.body.slice(0, 200)]).toEqual([status, expect.any(String)]);
  const body = errorBody.parse(JSON.parse(response.body));
  expect([body.error_code, body.request_id]).toEqual([code, response.headers['x-request-id']]);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response.headers['x-content-type-options']).toBe('nosniff');
  expect(response.headers['content-security-policy']).toContain("default-src 'none'");
}

describe('malformed requests', () => {
  it.each([
    ['not HTTP', ['hello\r\n\r\n']],
    ['an unknown version', ['GET / HTTP/9.9\r\n\r\n']],
    ['the HTTP/2 preface', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
    ['a TLS handshake', [Buffer.from('160301020001000001fc0303', 'hex')]],
    ['an unknown method', ['BREW / HTTP/1.1\r\nHost: a\r\n\r\n']],
    ['a header without a colon', ['GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n']],
    ['a header with a control character', ['GET / HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n']],
    ['a folded header', ['GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n']],
    ['two lengths', ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab']],
    ['a negative length', ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n']],
    [
      'a length and chunks',
      ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ],
    ['a space in the path', ['GET /a b HTTP/1.1\r\nHost: a\r\n\r\n']],
    ['no host', ['GET /healthz HTTP/1.1\r\n\r\n']],
    ['two hosts', ['GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n']],
    ['an unknown expectation', get('/healthz', 'Expect: wonders\r\n')],
    ['a path that is not UTF-8', get('/files/%ff')],
    ['a path with a truncated escape', get('/docs/%')],
  ])('400: %s', async (_name, bytes) => {
    expectError(await sendBytes(port, bytes), 400, 'INVALID_REQUEST');
  });

  it('400: a body with invalid chunks', async () => {
    const bytes = post(
      '/api/v1/keys',
      { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      'zz\r\n',
    );
    expectError(await sendBytes(port, bytes), 400, 'INVALID_REQUEST');
  });

  it('405: CONNECT and TRACE', async () => {
    expectError(await sendBytes(port, ['CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n']), 405, 'METHOD_NOT_ALLOWED');
    expectError(await sendBytes(port, ['TRACE /healthz HTTP/1.1\r\nHost: a\r\n\r\n']), 405, 'METHOD_NOT_ALLOWED');
  });

  it('431: headers that are too large, or too many', async () => {
    expectError(await sendBytes(port, get('/healthz', `X: ${'x'.repeat(70_000)}\r\n`)), 431, 'HEADERS_TOO_LARGE');
    expectError(await sendBytes(port, get(`/${'x'.repeat(100_000)}`)), 431, 'HEADERS_TOO_LARGE');
    expectError(await sendBytes(port, get('/healthz', 'X: 1\r\n'.repeat(100))), 431, 'HEADERS_TOO_LARGE');
  });

  it('accepts a URL of 8,192 percent-encoded characters', async () => {
    const url = encodeURIComponent(`http://127.0.0.1/?${'/'.repeat(8_174)}`);
    const response = await sendBytes(port, get(`/api/v1/screenshot?width=1&url=${url}`, `X-API-Key: ${key}\r\n`));
    expectError(response, 400, 'INVALID_REQUEST');
    expect(JSON.parse(response.body).details).toEqual([{ field: 'width', message: 'must be at least 16', value: 1 }]);
  });

  it('408: headers or a body that never end', async () => {
    expectError(await sendBytes(port, ['GET / HTTP/1.1\r\nHost: a\r\n']), 408, 'REQUEST_TIMEOUT');
    const body = post('/api/v1/keys', { 'Content-Type': 'application/json', 'Content-Length': 100 }, '{');
    expectError(await sendBytes(port, body), 408, 'REQUEST_TIMEOUT');
  });
});

describe('a repeated single-valued header', () => {
  it.each(['X-API-Key', 'Authorization', 'Idempotency-Key', 'Content-Type', 'Content-Encoding'])(
    '400: %s',
    async (name) => {
      const bytes = [`GET /api/v1/account HTTP/1.1\r\nHost: a\r\n${name}: a\r\n${name}: b\r\n\r\n`];
      expectError(await sendBytes(port, bytes), 400, 'INVALID_REQUEST');
    },
  );
});

describe('a body', () => {
  const large = JSON.stringify({ name: 'x'.repeat(5 * 1024 * 1024) });

  it('413: refuses a body as soon as it is too large, before it is complete', async () => {
    const said = { 'Content-Type': 'application/json', 'Content-Length': 6_000_000 };
    expectError(await sendBytes(port, post('/api/v1/keys', said)), 413, 'PAYLOAD_TOO_LARGE');
    const endless = await sendBytes(port, async (socket) => {
      const [head = ''] = post('/api/v1/keys', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' });
      socket.write(head);
      const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
      for (;;) {
        if (!socket.write(chunk)) await once(socket, 'drain');
      }
    });
    expectError(endless, 413, 'PAYLOAD_TOO_LARGE');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('413: is limited by its decompressed size: %s', async (encoding, pack) => {
    const packed = pack(Buffer.from(large));
    expect(packed.length).toBeLessThan(10_000);
    expectError(await sendBytes(port, json(packed, { 'Content-Encoding': encoding })), 413, 'PAYLOAD_TOO_LARGE');
    const small = await sendBytes(port, json(pack(Buffer.from('{"name":""}')), { 'Content-Encoding': encoding }));
    expectError(small, 400, 'INVALID_REQUEST');
    expect(JSON.parse(small.body).details[0].field).toBe('name');
  });

  it.each([
    ['an unknown encoding', '{}', { 'Content-Encoding': 'zip' }],
    ['two encodings', '{}', { 'Content-Encoding': 'gzip, gzip' }],
    ['another charset', '{}', { 'Content-Type': 'application/json; charset=utf-16' }],
    ['another type', '{}', { 'Content-Type': 'text/plain' }],
    ['a form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ])('415: %s', async (_name, body, headers) => {
    expectError(await sendBytes(port, json(body, headers)), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each([
    ['truncated JSON', '{"name":'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['invalid gzip', '{}', { 'Content-Encoding': 'gzip' }],
    ['truncated gzip', gzipSync('{"name":"a"}').subarray(0, 20), { 'Content-Encoding': 'gzip' }],
    ['two million brackets', '['.repeat(2_000_000)],
    ['arrays 33 deep', '['.repeat(34) + ']'.repeat(34)],
    ['a million nested arrays', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
    ['a __proto__ key', '{"__proto__":{"name":"a"}}'],
    ['NUL in a string', '{"name":"a\\u0000b"}'],
    ['a lone surrogate', '{"name":"\\ud800"}'],
    ['a number out of range', '{"name":1e400}'],
  ] as [string, string | Buffer, Record<string, string>?][])('400: %s', async (_name, body, headers = {}) => {
    expectError(await sendBytes(port, json(body, headers)), 400, 'INVALID_REQUEST');
  });

  it('accepts a body that begins with a byte order mark', async () => {
    expect((await sendBytes(port, json('\ufeff{"name":"marked"}'))).status).toBe(201);
  });

  it('400: names invalid UTF-8 as invalid JSON, and too deep nesting', async () => {
    const name = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const message = async (body: string | Buffer) =>
      JSON.parse((await sendBytes(port, json(body))).body).details[0].message;
    expect(await message(name)).toBe('the body is not valid JSON');
    expect(await message(`${'['.repeat(100_000)}x`)).toBe('the body is not valid JSON');
    expect(await message('['.repeat(34) + ']'.repeat(34))).toBe('the body is nested more than 32 levels deep');
  });

  it.each([
    ['{"name":\n "a",}', 'the body is not valid JSON: see line 2, column 6'],
    ['{"name":', 'the body is not valid JSON: it ends too early'],
    ['\ufeff{"name": \n', 'the body is not valid JSON: it ends too early'],
    ['name=a', 'the body is not valid JSON: see line 1, column 1'],
    ['{\r\n  "name": tru }', 'the body is not valid JSON: see line 2, column 11'],
    ['{"name": "a"\n "b": 1}', 'the body is not valid JSON: see line 2, column 2'],
    ['{"é": "💥", name: 1}', 'the body is not valid JSON: see line 1, column 13'],
    ['{"name": "a\nb"}', 'the body is not valid JSON: see line 1, column 12'],
    ['{"name": "\\x"}', 'the body is not valid JSON: see line 1, column 12'],
    ['{"name": "a', 'the body is not valid JSON: it ends too early'],
    ['{"name": tru } at position 5', 'the body is not valid JSON: see line 1, column 10'],
    ['{"name": 01}', 'the body is not valid JSON: see line 1, column 11'],
    ['{"name": 1} // a', 'the body is not valid JSON: see line 1, column 13'],
  ])('400: says where %j is wrong', async (body, message) => {
    expect(JSON.parse((await sendBytes(port, json(body))).body).details).toEqual([{ field: '', message }]);
  });

  it('of a client without a key is not read, and does not hold the connection', async () => {
    const long = 100_000;
    const patient = createHttpServer(gateway.app, gateway.log, {
      headersWithinMs: long,
      requestWithinMs: long,
      checkEveryMs: 50,
      lingerMs: 50,
    });
    patient.listen(0, '127.0.0.1');
    await once(patient, 'listening');
    const socket = connect((patient.address() as AddressInfo).port, '127.0.0.1');
    const received: string[] = [];
    let ended = false;
    socket.on('error', () => {});
    socket.on('data', (chunk) => received.push(String(chunk)));
    socket.once('close', () => {
      ended = true;
    });
    socket.write(
      'POST /api/v1/keys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await waitUntil(() => ended, { what: 'the connection to end' });
    expect(received.join('').match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
    patient.close();
  });

  it('sends exactly one response even if the body never completes', async () => {
    const socket = connect(port, '127.0.0.1');
    const received: string[] = [];
    socket.on('error', () => {});
    socket.on('data', (chunk) => received.push(String(chunk)));
    const closed = once(socket, 'close');
    socket.write(
      'POST /api/v1/keys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await closed;
    expect(received.join('').match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });
});

describe('requests that a client sends before it has read the response to an earlier one', () => {
  const closings: (() => void)[] = [];
  afterEach(() => {
    for (const close of closings.splice(0)) close();
  });

  /** Sends `requests` requests at once. @returns the served requests, with their responses. */
  async function sendAhead(requests: number, app: RequestListener = () => {}) {
    const served: { url: string; response: ServerResponse }[] = [];
    const own = createHttpServer((req, response) => {
      served.push({ url: req.url ?? '', response });
      app(req, response);
    }, gateway.log);
    closings.push(() => own.close());
    own.listen(0, '127.0.0.1');
    await once(own, 'listening');
    const accepted = once(own, 'connection');
    const socket = connect((own.address() as AddressInfo).port, '127.0.0.1');
    const received: string[] = [];
    socket.on('data', (chunk) => received.push(String(chunk)));
    socket.on('error', () => {});
    closings.push(() => socket.destroy());
    const bytes = Array.from({ length: requests }, (_, index) => get(`/${index + 1}`)).join('');
    socket.write(bytes);
    const [connection] = await accepted;
    await waitUntil(() => connection.bytesRead === bytes.length || connection.destroyed, { what: 'the requests' });
    return { served, socket, received, urls: () => served.map(({ url }) => url) };
  }

  it('are served one after the other', async () => {
    const { served, urls, received } = await sendAhead(3);
    for (const turn of [1, 2, 3]) {
      await waitUntil(() => served.length === turn, { what: `request ${turn}` });
      served[turn - 1]?.response.end(`response ${turn}`);
    }
    await waitUntil(() => received.join('').includes('response 3'), { what: 'the responses' });
    expect(received.join('').match(/response \d/g)).toEqual(['response 1', 'response 2', 'response 3']);
    expect(urls()).toEqual(['/1', '/2', '/3']);
  });

  it('are not served after the connection has ended', async () => {
    const { served, urls, socket } = await sendAhead(3);
    socket.destroy();
    await waitUntil(() => served[0]?.response.closed, { what: 'the end of the first response' });
    expect(urls()).toEqual(['/1']);
    expect(served.filter(({ response }) => !response.closed)).toEqual([]);
  });

  it('may be many, one after the other', async () => {
    const { urls, received } = await sendAhead(18, (req, res) => void res.end(`to ${req.url}\n`));
    await waitUntil(() => received.join('').includes('to /18\n'), { what: 'the last response' });
    expect(urls()).toHaveLength(18);
  });

  it('end the connection if more than 20 wait', async () => {
    const { socket, urls } = await sendAhead(22);
    await waitUntil(() => socket.closed, { what: 'the end of the connection' });
    expect(urls()).toEqual(['/1']);
  });
});
