import { pathToFileURL } from 'node:url';
import { openDatabase } from '@capture/database/open-database';
import { createTestDatabase } from '@capture/testing/database';
import { openHttpsReceiver } from '@capture/testing/network/https-receiver';
import { findOwnPort } from '@capture/testing/network/own-port';
import { openPageServer } from '@capture/testing/network/page-server';
import { openTraceCollector } from '@capture/testing/network/trace-collector';
import { startService, type TestProcess } from '@capture/testing/processes/processes';
import { createTestRedis } from '@capture/testing/redis';
import { makeTestFolder, required } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

// The test injects secrets wherever a client can put one, rightly or by mistake, and searches all stored and sent data.

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const operatorKey = 'injected-operator-key-of-more-than-32-characters';

/** Each secret is distinct, so that a failure names the secret that leaked. */
const injected = {
  cookie: 'injected-cookie',
  header: 'injected-header',
  username: 'injected-username',
  password: 'injected-password',
  queryHeader: 'injected-query-header',
  itemCookie: 'injected-item-cookie',
  defaultHeader: 'injected-default-header',
  endpoint: 'injected-endpoint-secret',
  rotated: 'injected-rotated-secret',
  tested: 'injected-test-secret',
  userinfo: 'injected-userinfo',
  signIn: 'injected-sign-in',
  operatorKey,
  secretKey: 'injected-secret-key-of-more-than-32-characters',
  previous: 'injected-former-key-of-more-than-32-characters',
  mailPassword: 'injected-mail-password',
  linkToken: 'injected-link-token',
};

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: object | string;
}

/** Starts the gateway and records its responses; `start` starts the other services. */
async function open() {
  const testDatabase = await createTestDatabase();
  closings.push(() => testDatabase.drop());
  const database = openDatabase({ url: testDatabase.url });
  closings.push(() => database.close());
  const testRedis = await createTestRedis();
  closings.push(() => testRedis.close());
  const redis = new Redis(testRedis.url);
  closings.push(() => redis.disconnect());
  const receiver = await openHttpsReceiver();
  closings.push(() => receiver.close());
  const pages = await openPageServer({ '/': '<!doctype html><p>page' });
  closings.push(() => pages.close());
  const collector = await openTraceCollector();
  closings.push(() => collector.close());
  const port = await findOwnPort();
  const env = {
    PORT: String(port),
    DATABASE_URL: testDatabase.url,
    REDIS_URL: testRedis.url,
    STORAGE_URL: pathToFileURL(makeTestFolder('injected')).href,
    SECRET_KEY: injected.secretKey,
    SECRET_KEY_PREVIOUS: injected.previous,
    OPERATOR_KEY: operatorKey,
    // No server listens there, so each try to send a mail fails.
    SMTP_URL: `smtp://captures:${injected.mailPassword}@127.0.0.1:${await findOwnPort()}`,
    EGRESS_ALLOW: `127.0.0.1/32:${receiver.port},127.0.0.1/32:${pages.port}`,
    NODE_EXTRA_CA_CERTS: receiver.authority.file,
    PUPPETEER_EXECUTABLE_PATH: required('TEST_CHROMIUM_PATH'),
    CAPTURE_CONCURRENCY: '1',
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  const services: TestProcess[] = [];
  const start = async (name: string) => {
    const service = await startService(name, env);
    closings.push(() => service.stop());
    services.push(service);
  };
  await start('api-gateway');

  const responses: string[] = [];
  /** @param shows whether the response shows a secret by design; then it is not recorded. */
  const call = async (path: string, { method, headers, body }: Call = {}, shows = false) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!shows) responses.push(`${response.status} ${JSON.stringify([...response.headers])} ${text}`);
    return { status: response.status, text, headers: response.headers };
  };

  /** All readable text, by its place. */
  const everywhere = async (): Promise<Record<string, string>> => ({
    logs: services.map((service) => service.output()).join('\n'),
    tables: await readTables(database.pool),
    redis: await readRedis(redis),
    responses: responses.join('\n'),
    traces: collector.received(),
    deliveries: receiver.hits.map(({ path, rawHeaders, body }) => `${path} ${rawHeaders} ${body}`).join('\n'),
  });
  return { database, receiver, url: pages.url('/'), start, call, everywhere };
}

async function readTables(pool: {
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>;
}): Promise<string> {
  const tables = await pool.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(`SELECT * FROM "${name}"`);
    const values = rows
      .flatMap(Object.values)
      .map((value) => (Buffer.isBuffer(value) ? value.toString() : JSON.stringify(value)));
    texts.push(`${name}: ${values.join(' ')}`);
  }
  return texts.join('\n');
}

async function readRedis(redis: Redis): Promise<string> {
  const readers: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.get(key),
    hash: (key) => redis.hgetall(key),
    list: (key) => redis.lrange(key, 0, -1),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1'),
    stream: (key) => redis.xrange(key, '-', '+'),
  };
  const texts: string[] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    texts.push(`${key} ${JSON.stringify((await readers[type]?.(key)) ?? null)}`);
  }
  return texts.join('\n');
}

it('leaves no secret in a log, a table, Redis, a response or a delivery', async () => {
  const { database, receiver, url, start, call, everywhere } = await open();
  const registered = await call('/api/auth/register', { body: { email: 'injected@example.com' } }, true);
  const { apiKey } = JSON.parse(registered.text);
  const auth = { 'x-api-key': apiKey };
  const { id } = JSON.parse((await call('/api/v1/account', { headers: auth })).text);
  await call(`/api/operator/accounts/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${operatorKey}` },
    body: { plan: 'enterprise' },
  });

  // These secrets are where they belong, before a worker takes a capture.
  const secretOptions = {
    cookies: [{ name: 'session', value: injected.cookie }],
    headers: { 'X-Token': injected.header },
    basic_auth: { username: injected.username, password: injected.password },
  };
  const webhook_url = `${receiver.url}/hook`;
  const keyed = { ...auth, 'idempotency-key': 'one' };
  const request = { url, ...secretOptions, async: true, webhook_url, cache_ttl_s: 60 };
  const first = await call('/api/v1/screenshot', { headers: keyed, body: request });
  expect(
    (await call('/api/v1/screenshot', { headers: keyed, body: request })).headers.get('idempotency-replayed'),
  ).toBe('true');
  const inQuery = `headers=${encodeURIComponent(JSON.stringify({ 'X-Token': injected.queryHeader }))}`;
  await call(`/api/v1/pdf?async=true&url=${encodeURIComponent(url)}&${inQuery}`, { headers: auth });
  const items = [{ url, cookies: [{ name: 'a', value: injected.itemCookie }] }, { url }];
  const batch = await call('/api/v1/batches', {
    headers: auth,
    body: { items, options: { headers: { 'X-Token': injected.defaultHeader } }, webhook_url },
  });
  expect([first.status, batch.status]).toEqual([202, 202]);
  const hook = { url: `${receiver.url}/endpoint`, events: ['capture.completed'], secret: injected.endpoint };
  const endpoint = await call('/api/v1/webhooks', { headers: auth, body: hook });
  const { id: webhookId } = JSON.parse(endpoint.text);
  await call(
    `/api/v1/webhooks/${webhookId}/rotate-secret`,
    { headers: auth, body: { secret: injected.rotated } },
    true,
  );
  await call(`/api/v1/webhooks/${webhookId}/test`, { headers: auth, body: {} });
  await call('/api/v1/webhooks', {
    headers: auth,
    body: { webhook_url, events: hook.events, secret: injected.tested },
  });
  const signedIn = await call('/api/auth/session', { body: { api_key: apiKey } }, true);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  await call('/api/v1/keys', { headers: { cookie, 'sec-fetch-site': 'same-origin' } });

  // These secrets are where they do not belong, by a client's mistake.
  for (const secret of [apiKey, operatorKey]) {
    for (const path of [
      `/api/v1/account?api_key=${secret}`,
      `/api/v1/captures?cursor=${secret}`,
      `/docs?key=${secret}`,
      `/${secret}`,
    ]) {
      await call(path, { headers: auth });
    }
    for (const path of ['captures', 'batches', 'webhooks', 'webhooks/deliveries', 'keys']) {
      await call(`/api/v1/${path}/${secret}`, { headers: auth });
      await call(`/api/v1/${path}/${secret}`, { method: 'DELETE', headers: auth });
    }
    await call(`/api/v1/webhooks/${secret}`, { method: 'PATCH', headers: auth, body: { status: 'paused' } });
    await call(`/api/v1/webhooks/deliveries/${secret}/retry`, { method: 'POST', headers: auth });
    await call(`/api/operator/accounts/${secret}/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}` },
    });
    await call(`/files/${secret}?signature=${secret}`);
    await call('/api/v1/screenshot', { headers: auth, body: { url, width: secret, api_key: secret } });
    await call('/api/v1/keys', { headers: auth, body: `{"name": ${secret}` });
    await call('/api/v1/account', { headers: { authorization: `Basic ${secret}` } });
    await call('/api/v1/account', { headers: { 'x-api-key': `${secret}x`, 'x-api-token': secret } });
    await call('/api/operator/queues', { headers: { authorization: `Bearer ${secret}x` } });
    await call('/api/auth/register', { body: { email: secret } });
  }
  await call('/api/auth/session', { body: { api_key: injected.signIn } });
  await call('/api/auth/session', { body: { operator_key: injected.signIn } });
  await call('/api/auth/session', { body: { link_token: injected.linkToken } });
  const withUser = url.replace('//', `//${injected.userinfo}:${injected.userinfo}@`);
  await call('/api/v1/screenshot', { headers: auth, body: { url: withUser } });
  await call(`/api/v1/screenshot?url=${encodeURIComponent(withUser)}`, { headers: auth });
  await call('/api/v1/webhooks', { headers: auth, body: { ...hook, url: withUser.replace('http:', 'https:') } });
  const bad = {
    url,
    cookies: [{ name: 'b d', value: injected.cookie, x: injected.cookie }],
    headers: { 'X-A': `${injected.header}\n` },
  };
  await call('/api/v1/screenshot', { headers: auth, body: bad });

  const secrets = { ...injected, apiKey, keyWithoutPrefix: apiKey.slice(9), session: cookie.split('.').at(-1) ?? '' };
  expect(await found(everywhere, secrets)).toEqual([]);

  // The test searches while the other services handle the captures, and afterwards.
  await Promise.all([start('capture-worker'), start('webhook-dispatcher')]);
  await waitUntil(
    async () => (await database.prisma.capture.count({ where: { status: { in: ['queued', 'processing'] } } })) === 0,
    { what: 'all captures to end' },
  );
  await waitUntil(async () => (await database.prisma.delivery.count({ where: { status: 'pending' } })) === 0, {
    what: 'all deliveries to end',
  });
  expect(await database.prisma.capture.count({ where: { status: 'completed' } })).toBe(4);
  expect(receiver.hits.length).toBeGreaterThan(5);
  const { request_id } = JSON.parse(first.text);
  const { batch_id } = JSON.parse(batch.text);
  for (const path of [
    ...['captures', `captures/${request_id}`, 'batches', `batches/${batch_id}`, `batches/${batch_id}/events`],
    ...['webhooks', `webhooks/${webhookId}`, 'webhooks/deliveries', 'keys', 'account', 'usage'],
  ]) {
    expect((await call(`/api/v1/${path}`, { headers: auth })).status).toBe(200);
  }
  for (const path of ['/api/operator/accounts', '/api/operator/deliveries', '/api/operator/queues', '/metrics']) {
    expect((await call(path, { headers: { authorization: `Bearer ${operatorKey}` } })).status).toBe(200);
  }
  for (const path of ['/openapi.json', '/readyz', '/docs']) expect((await call(path)).status).toBe(200);
  expect(await found(everywhere, secrets)).toEqual([]);
});

/** The places and names of leaked secrets, with the surrounding text. */
async function found(
  everywhere: () => Promise<Record<string, string>>,
  secrets: Record<string, string>,
): Promise<string[]> {
  const places = await everywhere();
  // The search proves nothing if a place is empty.
  for (const [place, text] of Object.entries(places))
    if (text === '') throw new Error(`there is nothing in the ${place}`);
  return Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) => {
      const at = text.indexOf(secret);
      return at === -1 ? [] : [`${name} in the ${place}: …${text.slice(Math.max(0, at - 200), at + 80)}…`];
    }),
  );
}
