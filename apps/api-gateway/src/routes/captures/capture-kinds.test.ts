import { allCaptureKinds } from '@capture/contract/options/capture-options';
import { decryptSecretOptions } from '@capture/database/captures/secret-options';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onePixel, startTestGateway, startTestWorker, type TestGateway } from '../../test-gateway.ts';

const url = 'https://example.com/';

let gateway: TestGateway;
let key: string;
beforeEach(async () => {
  gateway = await startTestGateway();
  key = await gateway.register('kinds@example.com', 'business');
});
afterEach(() => gateway.close());

const get = (path: string, query: object) => gateway.as(key).get(path).query(query);
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  gateway.http
    .post(path)
    .set({ 'X-API-Key': key, ...headers })
    .send(body);
const record = async (id: string) => (await get(`/api/v1/captures/${id}`, {}).expect(200)).body;
const fieldsOf = ({ body }: { body: { details: { field: string }[] } }) => body.details.map(({ field }) => field);

describe.each([
  ['screenshot', '/api/v1/screenshot', 'png', 'image/png', { format: 'png' }, { paper: 'A4' }],
  ['screenshot', '/api/v1/screenshot', 'webp', 'image/webp', { format: 'webp' }, { template: 'card' }],
  ['pdf', '/api/v1/pdf', 'pdf', 'application/pdf', { margin: '10mm' }, { format: 'png' }],
  ['og_image', '/api/v1/og-image', 'jpeg', 'image/jpeg', { format: 'jpeg', quality: 7 }, { width: 1_200 }],
])('%s at %s as %s', (type, path, format, contentType, own, foreign) => {
  it('200: returns bytes of its type for GET and POST, with the capture’s id and a link to its file', async () => {
    startTestWorker(gateway, () => 'completed');
    for (const sent of [get(path, { url, ...own }), post(path, { url, ...own })]) {
      const response = await sent.buffer(true).expect(200);
      expect(response.headers['content-type']).toBe(contentType);
      expect(Buffer.compare(response.body, onePixel)).toBe(0);
      const found = await record(response.headers['x-request-id'] ?? '');
      expect(found).toMatchObject({ type, format, url });
      expect(found.file_url).toMatch(new RegExp(`/files/${found.request_id}\\.${format}\\?`));
    }
  });

  it('400: names an unknown option, an option of another kind, and a repeated option', async () => {
    const [name] = Object.keys(foreign);
    for (const response of [await get(path, { url, ...foreign }), await post(path, { url, ...foreign })]) {
      expect(response.status).toBe(400);
      expect(fieldsOf(response)).toEqual([name]);
    }
    expect(fieldsOf(await get(path, { url, timezone: 'Nowhere' }).expect(400))).toEqual(['timezone']);
    expect(fieldsOf(await get(`${path}?delay_ms=1&delay_ms=1`, { url }).expect(400))).toEqual(['delay_ms']);
    expect(fieldsOf(await get(path, { html: '<p>' }).expect(400))).toEqual(['html']);
    expect(fieldsOf(await post(path, {}).expect(400))).toEqual(['url']);
    expect(await gateway.database.prisma.capture.count()).toBe(0);
  });

  it('stores a page given as html under about:blank', async () => {
    const { body } = await post(path, { html: '<p>ä</p>', async: true, ...own }).expect(202);
    expect(await record(body.request_id)).toMatchObject({ url: 'about:blank', options: { html: '…' } });
  });
});

it('parses objects as JSON and comma-separated arrays in a query, as in a body', async () => {
  const query = {
    url,
    clip: '{"x":1,"y":2,"width":3,"height":4}',
    hide_selectors: '.a, :is(.b, .c), [hidden]',
    fail_on_status: '404,5xx',
    click: '["#a"]',
    dark_mode: 'true',
    async: 'true',
  };
  const { body } = await get('/api/v1/screenshot', query).expect(202);
  expect((await record(body.request_id)).options).toEqual({
    url,
    clip: { x: 1, y: 2, width: 3, height: 4 },
    hide_selectors: ['.a', ':is(.b, .c)', '[hidden]'],
    fail_on_status: [404, '5xx'],
    click: ['#a'],
    dark_mode: true,
    async: true,
  });
});

it('shows html as … in records and lists', async () => {
  const html = 'ä'.repeat(1_000_000);
  const { body } = await post('/api/v1/screenshot', { html, async: true, width: 800 }).expect(202);
  expect((await record(body.request_id)).options).toEqual({ html: '…', async: true, width: 800 });
  const list = await get('/api/v1/captures', {}).expect(200);
  expect(list.body.captures[0].options).toEqual({ html: '…', async: true, width: 800 });
});

describe('a batch', () => {
  it('accepts items of every kind, with defaults that fit each', async () => {
    startTestWorker(gateway, () => 'completed');
    const items = [{ url }, { url, type: 'pdf', paper: 'A5' }, { url, type: 'og_image' }, { html: '<p>' }];
    const { body } = await post('/api/v1/batches', { items, options: { locale: 'de' } }).expect(202);
    const { results } = await waitUntil(
      async () => {
        const { body: batch } = await get(`/api/v1/batches/${body.batch_id}`, {});
        return batch.status === 'completed' && batch;
      },
      { what: 'the batch to end' },
    );
    const captures = await Promise.all(results.map((item: { request_id: string }) => record(item.request_id)));
    const shown = captures.map((one) => [one.type, one.url, one.format]);
    expect(shown).toEqual([
      ['screenshot', url, 'png'],
      ['pdf', url, 'pdf'],
      ['og_image', url, 'png'],
      ['screenshot', 'about:blank', 'png'],
    ]);
    expect(results[3].url).toBe('about:blank');
  });

  it('400: a default that does not fit an item’s type rejects the batch, and the item is named', async () => {
    const items = [{ url }, { url, type: 'pdf' }];
    const response = await post('/api/v1/batches', { items, options: { full_page: true } }).expect(400);
    expect(fieldsOf(response)).toEqual(['options.full_page']);
    const fixed = [{ url }, { url, type: 'pdf', full_page: null }];
    await post('/api/v1/batches', { items: fixed, options: { full_page: true } }).expect(202);
    expect(fieldsOf(await post('/api/v1/batches', { items: [{ url, device: 'iPad', width: 1 }] }).expect(400))).toEqual(
      ['items.0.width'],
    );
    expect(fieldsOf(await post('/api/v1/batches', { items, type: 'gif' }).expect(400))).toEqual(['type']);
  });
});

describe('secret options', () => {
  const secretOptions = {
    cookies: [{ name: 'session', value: 'injected-cookie' }],
    headers: { 'X-Token': 'injected-header' },
    basic_auth: { username: 'injected-name', password: 'injected-password' },
  };
  const shown = {
    cookies: [{ name: 'session', value: '***' }],
    headers: { 'X-Token': '***' },
    basic_auth: { username: '***', password: '***' },
  };

  /** Returns all rows of the database as text. */
  async function everythingStored(): Promise<string> {
    const { rows } = await gateway.database.pool.query(
      `SELECT query_to_xml('SELECT * FROM ' || quote_ident(tablename), true, true, '')::text AS text
         FROM pg_tables WHERE schemaname = 'public'`,
    );
    const keys = await gateway.redis.keys('*');
    const dumps = await Promise.all(keys.map((name) => gateway.redis.dumpBuffer(name)));
    return [...rows.map(({ text }) => text), ...keys, ...dumps.map(String), ...gateway.logged].join('\n');
  }

  it('are stored encrypted, decrypted for the worker, shown as *** and deleted at the end', async () => {
    const single = await post('/api/v1/screenshot', { url, async: true, ...secretOptions }).expect(202);
    const id = single.body.request_id;
    const query = Object.fromEntries(
      Object.entries(secretOptions).map(([name, value]) => [name, JSON.stringify(value)]),
    );
    await get('/api/v1/pdf', { url, async: true, ...query }).expect(202);
    await post('/api/v1/batches', { items: [{ url }, { url }], options: secretOptions }).expect(202);
    const rows = await gateway.database.prisma.capture.findMany();
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      expect(decryptSecretOptions(gateway.encryptor, row.id, row.options as Record<string, unknown>)).toMatchObject(
        secretOptions,
      );
    }
    const stored = await everythingStored();
    expect(stored).toContain(id);
    expect(stored).not.toContain('injected');
    expect((await record(id)).options).toEqual({ url, async: true, ...shown });

    startTestWorker(gateway, () => 'completed');
    await waitUntil(
      async () => (await gateway.database.prisma.capture.count({ where: { status: 'completed' } })) === 4,
      {
        what: 'all captures to end',
      },
    );
    for (const { options } of await gateway.database.prisma.capture.findMany()) {
      expect(options).toMatchObject(shown);
      expect(JSON.stringify(options)).not.toContain('v1.');
    }
    expect((await record(id)).options).toEqual({ url, async: true, ...shown });
  });

  it('count when comparing captures and requests', async () => {
    startTestWorker(gateway, () => 'completed');
    const take = (password: string, more: object = {}, headers = {}) => {
      const body = { url, basic_auth: { username: 'ada', password }, response_type: 'json', ...more };
      return post('/api/v1/screenshot', body, headers);
    };
    await take('injected').expect(200);
    const cached = await take('injected', { cache_ttl_s: 60 }).expect(200);
    expect(cached.body).toMatchObject({
      cached: true,
      options: { basic_auth: { username: '***', password: '***' } },
    });
    expect((await take('other', { cache_ttl_s: 60 }).expect(200)).body.cached).toBe(false);

    const once = { 'Idempotency-Key': 'once' };
    const first = await take('injected', {}, once).expect(200);
    const again = await take('injected', {}, once).expect(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.request_id).toBe(first.body.request_id);
    expect((await take('other', {}, once).expect(409)).body.error_code).toBe('IDEMPOTENCY_CONFLICT');
    expect(await everythingStored()).not.toContain('injected');
  });

  it('are not repeated in an error', async () => {
    const response = await post('/api/v1/screenshot', {
      url,
      headers: { 'X-A': 'injected\r\nX: 1' },
      basic_auth: { username: 'a:injected', password: 'injected\n' },
      cookies: [{ name: 'a', value: 'injected;' }],
    }).expect(400);
    expect(fieldsOf(response)).toEqual([
      'headers.X-A',
      'cookies.0.value',
      'basic_auth.username',
      'basic_auth.password',
    ]);
    expect(response.text + gateway.logged.join('')).not.toContain('injected');
  });
});

it.each([
  ['markdown', 'text/markdown; charset=utf-8', 'inline', 'md'],
  ['text', 'text/plain; charset=utf-8', 'inline', 'txt'],
  ['html', 'text/html; charset=utf-8', 'attachment', 'html'],
])('returns content as %s, of which no browser runs a script', async (format, type, disposition, extension) => {
  startTestWorker(gateway, () => 'completed');
  for (const response of [
    await get('/api/v1/content', { url, format, extract: '{"title":{"selector":"h1"}}' }),
    await post('/api/v1/content', { url, format, extract: { title: { selector: 'h1' } } }),
  ]) {
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe(type);
    expect(response.headers['content-security-policy']).toContain('sandbox');
    expect(response.headers['content-disposition']).toBe(
      `${disposition}; filename="${response.headers['x-request-id']}.${extension}"`,
    );
  }
  const foreign = await post('/api/v1/content', { url, full_page: true, extract: { a: { selector: '' } } });
  expect(fieldsOf(foreign.status === 400 ? foreign : { body: { details: [] } })).toEqual([
    'extract.a.selector',
    'full_page',
  ]);
});

it('has a route for each kind, as GET and POST', () => {
  expect(allCaptureKinds.map(({ path }) => path)).toEqual([
    '/api/v1/screenshot',
    '/api/v1/pdf',
    '/api/v1/og-image',
    '/api/v1/content',
  ]);
});
