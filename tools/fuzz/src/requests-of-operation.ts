import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { hostileName, hostileText, hostileValue, weighted } from './hostile.ts';
import { type Resolve, type Schema, validFor, valuesOf } from './values-of-schema.ts';

/** An operation of the OpenAPI document. */
export interface Operation {
  method: string;
  /** `/api/v1/captures/{id}` */
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: an operation object of OpenAPI, read keyword by keyword.
  spec: any;
  resolve: Resolve;
}

/** Data of the service that requests can name. */
export interface Known {
  /** Keys of accounts, used in turn. */
  apiKeys: readonly string[];
  operatorKey: string;
  /** Ids of all kinds: of these accounts, of another account, and unknown ids. */
  ids: readonly string[];
  /** Keys that sign links of these accounts. */
  links: readonly { keyId: string; secret: string }[];
  /** Presets of all these accounts, and an unknown preset. */
  presets: readonly string[];
}

/** A request as it goes over the wire. */
export interface WireRequest {
  head: string;
  body: string | Buffer;
}

/** Generates requests for an operation that are invalid in one or more places, or unusual and valid. */
export function requestsOf(operation: Operation, known: Known): fc.Arbitrary<WireRequest> {
  const { method, spec, resolve } = operation;
  const parameters: Schema[] = (spec.parameters ?? []).map(resolve);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  return fc
    .record({
      method: weighted(
        [20, fc.constant(method)],
        [1, fc.constantFrom('PUT', 'OPTIONS', 'TRACE', 'HEAD', 'PROPFIND', 'M-SEARCH')],
      ),
      path: pathsOf(operation, known),
      query: queriesOf(query, resolve),
      key: keysFor(spec, known),
      headers: headersFor(parameters.some(({ in: place }) => place === 'header')),
      body: spec.requestBody ? bodiesOf(spec.requestBody.content['application/json'], resolve) : unusualBody,
    })
    .map(({ method: asked, path, query: text, key, headers, body }) => ({
      head: headOf(`${asked} ${path}${text}`, [...key, ...headers, ...body.headers]),
      body: asked === 'HEAD' ? '' : body.bytes,
    }));
}

export function headOf(line: string, headers: readonly string[]): string {
  return `${[`${line} HTTP/1.1`, 'Host: fuzz.test', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
}

/** Generates paths whose parameters are known ids, unknown ids, or no ids. */
function pathsOf({ path }: Operation, { ids }: Known): fc.Arbitrary<string> {
  const parts = weighted(
    [4, fc.constantFrom(...ids)],
    [2, hostileText.map(escaped)],
    [1, fc.constantFrom('%00', '%ff', '%', '%zz', '..', '%2e%2e%2f', 'a%2fb', '%c0%af', 'x'.repeat(9_000), '%0d%0a')],
  );
  const count = path.split('{').length - 1;
  return fc.array(parts, { minLength: count, maxLength: count }).map((values) => {
    let next = 0;
    return path.replaceAll(/\{\w+\}/g, () => values[next++] ?? '');
  });
}

function queriesOf(parameters: readonly Schema[], resolve: Resolve): fc.Arbitrary<string> {
  const required = parameters.filter((parameter) => parameter.required);
  const known = parameters.length > 0 ? fc.constantFrom(...parameters) : fc.constant(null);
  const pair = known.chain((parameter) =>
    parameter === null
      ? fc.tuple(hostileName, hostileText)
      : fc.tuple(fc.constant(parameter.name as string), valuesOf(schemaOf(parameter), resolve).map(inQuery)),
  );
  const right = fc.tuple(
    ...required.map((parameter) =>
      fc.tuple(fc.constant(parameter.name as string), validFor(schemaOf(parameter), resolve).map(inQuery)),
    ),
  );
  const pairs = fc
    .tuple(
      weighted([8, right], [1, fc.constant([])]),
      fc.array(weighted([8, pair], [1, fc.tuple(hostileName, hostileText)]), {
        maxLength: 3,
      }),
    )
    .map(([one, more]) => [...one, ...more].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&'));
  return weighted(
    [12, pairs],
    [
      1,
      fc.constantFrom(
        '%',
        '%zz=%',
        '=',
        '&&&',
        '?',
        'a'.repeat(9_000),
        'a=1&'.repeat(10_000),
        'limit=1&limit=2',
        '%00=%00',
        'cursor=%ff',
      ),
    ],
  ).map((text) => (text === '' ? '' : `?${text}`));
}

export const schemaOf = (parameter: Schema): Schema => parameter.schema ?? parameter.content['application/json'].schema;

export function inQuery(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Percent-encodes a text, also with lone surrogates, which `encodeURIComponent` rejects. */
export function escaped(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Generates a key, mostly valid. */
function keysFor({ security }: { security: object[] }, known: Known): fc.Arbitrary<string[]> {
  const right = security.some((one) => 'operatorKey' in one)
    ? fc.constant<string[]>([`Authorization: Bearer ${known.operatorKey}`])
    : fc.constantFrom(...known.apiKeys).map((key) => [`X-API-Key: ${key}`]);
  return weighted(
    [20, right],
    [
      1,
      fc.constantFrom<string[]>(
        [],
        ['X-API-Key: '],
        ['X-API-Key: cap_live_000000000000000000000000000000000000'],
        ['Authorization: Basic YTpi'],
        ['Authorization: Bearer'],
        [`Authorization: Bearer ${'x'.repeat(5_000)}`],
        ['Cookie: capture_session=a.b.c', 'Sec-Fetch-Site: same-origin', 'X-Requested-With: dashboard'],
        ['X-API-Key: a', 'Authorization: Bearer b'],
      ),
    ],
  );
}

const unusualHeaders = [
  'Origin: https://evil.example',
  'X-Forwarded-For: 1.2.3.4, not an address',
  'Accept: nothing/at-all',
  'Content-Encoding: gzip',
  'Content-Type: text/html',
  'Content-Type: application/json; charset=utf-7',
  'Range: bytes=99-1',
  'If-None-Match: *',
  'Upgrade: websocket',
  'X-HTTP-Method-Override: DELETE',
  `Cookie: ${'a=b; '.repeat(1_000)}`,
];

function headersFor(idempotent: boolean): fc.Arbitrary<string[]> {
  const odd = weighted(
    [10, fc.constant<string[]>([])],
    [1, fc.constantFrom(...unusualHeaders).map((header) => [header])],
  );
  if (!idempotent) return odd;
  // So few keys repeat, with the same body or another.
  const keys = fc.constantFrom('', 'a', 'b', 'c', 'x'.repeat(255), 'x'.repeat(256), '\u00e9\u00ff', "'; --", '\t');
  const once = fc.option(keys, { nil: undefined }).map((key) => (key === undefined ? [] : [`Idempotency-Key: ${key}`]));
  return fc.tuple(odd, once).map(([one, more]) => [...one, ...more]);
}

interface Body {
  headers: string[];
  bytes: string | Buffer;
}

const unusualBody: fc.Arbitrary<Body> = weighted(
  [6, fc.constant<Body>({ headers: [], bytes: '' })],
  [1, hostileValue.map((value) => asJson(JSON.stringify(value)))],
);

/** Generates the documented example with up to three changes, or invalid JSON. */
function bodiesOf({ schema, example }: { schema: Schema; example: object }, resolve: Resolve): fc.Arbitrary<Body> {
  const properties = propertiesOf(schema, resolve);
  const names = Object.keys(properties);
  const change = weighted([8, names.length > 0 ? fc.constantFrom(...names) : hostileName], [1, hostileName]).chain(
    (name) =>
      fc.tuple(fc.constant(name), Object.hasOwn(properties, name) ? valuesOf(properties[name], resolve) : hostileValue),
  );
  const changed = fc.tuple(fc.array(change, { maxLength: 3 }), fc.option(fc.nat(20))).map(([changes, left]) => {
    const entries = Object.entries({ ...withoutWaiting(properties), ...example });
    // The body is built as text, since an object would interpret some of the names.
    const kept = entries.filter(([name], index) => index !== left && !changes.some(([other]) => other === name));
    return `{${[...kept, ...changes].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;
  });
  const other = fc.oneof(
    hostileValue.map((value) => JSON.stringify(value)),
    hostileText,
    fc.constantFrom(
      '{',
      '{"a":1,"a":2}',
      '{"width":1e400}',
      '\ufeff{}',
      '[[[['.repeat(20_000),
      '{"__proto__":{"a":1}}',
    ),
  );
  return weighted(
    [8, changed.map(asJson)],
    [1, other.map(asJson)],
    [1, changed.map(packed)],
    [1, changed.map(inChunks)],
  );
}

/** Makes a synchronous capture asynchronous. No worker runs here, so a connection would only wait. */
function withoutWaiting(properties: object): object {
  return 'async' in properties ? { async: true } : {};
}

function propertiesOf(given: Schema, resolve: Resolve): Record<string, Schema> {
  const schema = resolve(given);
  const branches: Schema[] = schema.properties ? [schema] : (schema.anyOf ?? []);
  return Object.assign({}, ...branches.map((branch) => resolve(branch).properties ?? {}));
}

export function asJson(text: string): Body {
  const bytes = Buffer.from(text);
  return { headers: ['Content-Type: application/json', `Content-Length: ${bytes.length}`], bytes };
}

function packed(text: string): Body {
  const bytes = gzipSync(text);
  const headers = ['Content-Type: application/json', 'Content-Encoding: gzip', `Content-Length: ${bytes.length}`];
  return { headers, bytes };
}

function inChunks(text: string): Body {
  const bytes = Buffer.from(text);
  const half = Math.ceil(bytes.length / 2);
  const chunks = [bytes.subarray(0, half), bytes.subarray(half)].filter((chunk) => chunk.length > 0);
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  return {
    headers: ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    bytes: Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]),
  };
}
