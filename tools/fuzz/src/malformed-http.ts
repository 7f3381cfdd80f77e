import fc from 'fast-check';
import type { WireRequest } from './requests-of-operation.ts';

const line = fc.oneof(
  fc.constantFrom(
    'GET /healthz HTTP/1.1',
    'GET  /healthz HTTP/1.1',
    'GET /healthz HTTP/1.0',
    'GET /healthz HTTP/0.9',
    'GET /healthz HTTP/11',
    'get /healthz HTTP/1.1',
    'BREW /pot HTTP/1.1',
    'CONNECT 127.0.0.1:443 HTTP/1.1',
    'TRACE / HTTP/1.1',
    'GET http://other.example/healthz HTTP/1.1',
    'GET * HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'GET //healthz HTTP/1.1',
    'GET /healthz\0 HTTP/1.1',
    'PRI * HTTP/2.0',
    `GET /${'a/'.repeat(40_000)} HTTP/1.1`,
    '',
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
);

const header = fc.oneof(
  fc.constantFrom(
    'Host: a',
    'Host: a\r\nHost: b',
    'Content-Length: 5',
    'Content-Length: +5',
    'Content-Length: 5, 5',
    'Content-Length: 99999999999999999999',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, gzip',
    'Transfer-Encoding:\tchunked ',
    'Expect: 100-continue',
    'Expect: 200-ok',
    'Connection: close, x-api-key',
    'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
    ': nameless',
    'No colon',
    ' folded: value',
    'X\0: a',
    'X: a\0b',
    'X: \xff\xfe',
    `X: ${'x'.repeat(70_000)}`,
    'X: 1\r\n'.repeat(3_000).trimEnd(),
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 40 }),
);

const body = fc.oneof(
  fc.constantFrom(
    '',
    'hello',
    '0\r\n\r\n',
    '5\r\nhello\r\n0\r\n\r\n',
    'FFFFFFFFFFFFFFFFF\r\n',
    '5;x=y\r\nhello\r\n0\r\n\r\n',
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 100 }),
);

/** Bytes that are almost HTTP, or HTTP that no client sends. */
export const malformedHttp: fc.Arbitrary<WireRequest> = fc
  .tuple(line, fc.array(header, { maxLength: 4 }), fc.constantFrom('\r\n', '\n', '\r'), body)
  .map(([first, headers, end, rest]) => ({
    // In Latin-1 each character is one byte.
    head: Buffer.from([first, ...headers, '', ''].join(end), 'latin1').toString('latin1'),
    body: Buffer.from(rest, 'latin1'),
  }));
