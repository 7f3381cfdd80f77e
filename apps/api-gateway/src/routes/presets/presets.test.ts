import { beforeAll, describe, expect, it } from '@jest/globals';
import { startSharedGateway } from '../../test-gateway.ts';

const gateway = await startSharedGateway();
const url = 'https://example.com/';

let accounts = 0;

/** Registers an account, and returns its calls for presets. */
async function newAccount() {
  accounts += 1;
  const email = `presets-${accounts}@example.com`;
  const key = await gateway.register(email, 'business');
  const client = gateway.as(key);
  return {
    client,
    email,
    put: (name: string, options: object) => client.put(`/api/v1/presets/${name}`).send({ options }),
    get: (name: string) => client.get(`/api/v1/presets/${name}`),
    /** Submits a screenshot and returns the options of its record. */
    async optionsOf(body: object) {
      const accepted = await client
        .post('/api/v1/screenshot')
        .send({ url, async: true, ...body })
        .expect(202);
      const { options } = (await client.get(`/api/v1/captures/${accepted.body.request_id}`).expect(200)).body;
      return options;
    },
  };
}

describe('/api/v1/presets', () => {
  it('200: stores each PUT as a further version, and returns the newest or a named one', async () => {
    const { put, get } = await newAccount();
    expect((await put('shop', { width: 800 }).expect(200)).body).toEqual({
      name: 'shop',
      version: 1,
      options: { width: 800 },
      created_at: expect.any(String),
    });
    expect((await put('shop', { width: 900 }).expect(200)).body.version).toBe(2);
    expect((await get('shop').expect(200)).body).toMatchObject({ version: 2, options: { width: 900 } });
    expect((await get('shop@1').expect(200)).body).toMatchObject({ version: 1, options: { width: 800 } });
    await get('shop@3').expect(404);
    await get('Shop').expect(404);
  });

  it('200: lists the newest versions in pages, last changed first', async () => {
    const { client, put } = await newAccount();
    for (const name of ['a', 'b', 'c', 'a']) await put(name, { width: 800 }).expect(200);
    const first = (await client.get('/api/v1/presets?limit=2').expect(200)).body;
    expect(first.presets.map(({ name, version }: { name: string; version: number }) => [name, version])).toEqual([
      ['a', 2],
      ['c', 1],
    ]);
    const next = (await client.get(`/api/v1/presets?limit=2&cursor=${first.next_cursor}`).expect(200)).body;
    expect([next.presets.length, next.presets[0].name, next.next_cursor]).toEqual([1, 'b', null]);
  });

  it('204: deletes all versions, and counts on if the name is used again', async () => {
    const { client, put, get } = await newAccount();
    for (const width of [800, 900]) await put('shop', { width }).expect(200);
    await client.delete('/api/v1/presets/shop').expect(204);
    await get('shop@1').expect(404);
    await client.delete('/api/v1/presets/shop').expect(404);
    await get('shop').expect(404);
    await get('shop@2').expect(404);
    expect((await client.get('/api/v1/presets').expect(200)).body.presets).toEqual([]);
    expect((await put('shop', {}).expect(200)).body.version).toBe(3);
    await get('shop@2').expect(404);
    expect((await get('shop@3').expect(200)).body.options).toEqual({});
  });

  it('keeps outputs, which a request replaces as a whole', async () => {
    const { put, get, optionsOf } = await newAccount();
    const outputs = [{ kind: 'pdf', paper: 'A5' }, 'markdown'];
    await put('all', { outputs }).expect(200);
    expect((await get('all').expect(200)).body.options).toEqual({ outputs });
    expect((await optionsOf({ preset: 'all' })).outputs).toEqual(outputs);
    expect((await optionsOf({ preset: 'all', outputs: ['text'] })).outputs).toEqual(['text']);
    const { body } = await put('all', { outputs: [{ kind: 'pdf', papre: 'A5' }] }).expect(400);
    expect(body.details).toMatchObject([{ field: 'options.outputs.0.papre' }]);
  });

  it.each([
    ['an unknown option', { widht: 800 }, { field: 'options.widht', message: expect.stringMatching(/mean width\?$/) }],
    ['a value out of range', { width: 5 }, { field: 'options.width', message: 'must be at least 16', value: 5 }],
    [
      'options of no single kind',
      { full_page: true, paper: 'A4' },
      { message: expect.stringContaining('not an option') },
    ],
    ['options that exclude each other', { device: 'iPhone 15 Pro', width: 800 }, { field: 'options.width' }],
    ['the page itself', { url }, { field: 'options.url', message: 'belongs to a request, not to a preset' }],
    ['a masked secret', { headers: { Cookie: '***' } }, { field: 'options.headers' }],
    ['too much', { js: 'x'.repeat(65_536) }, { field: 'options', message: 'must be at most 64 kB as JSON' }],
  ])('400: refuses %s', async (_title, options, detail) => {
    const { put } = await newAccount();
    expect((await put('shop', options).expect(400)).body.details).toMatchObject([detail]);
  });

  it('400: refuses a name that a request could not name', async () => {
    const { put } = await newAccount();
    expect((await put('Shop@1', {}).expect(400)).body.details).toMatchObject([{ field: 'name', value: 'Shop@1' }]);
  });

  it('403: an account has at most 100 presets and keeps the newest 50 versions', async () => {
    const { put, get } = await newAccount();
    for (let version = 1; version <= 51; version += 1) await put('n0', { width: 800 }).expect(200);
    await get('n0@1').expect(404);
    await get('n0@2').expect(200);
    for (let preset = 1; preset < 100; preset += 1) await put(`n${preset}`, {}).expect(200);
    expect((await put('n100', {}).expect(403)).body.error_code).toBe('FORBIDDEN');
    await put('n99', {}).expect(200);
  });

  it('stores secrets encrypted, and shows them masked', async () => {
    const { put, get } = await newAccount();
    const { body } = await put('secret', { basic_auth: { username: 'ada', password: 'opensesame' } }).expect(200);
    expect(body.options).toEqual({ basic_auth: { username: '***', password: '***' } });
    expect((await get('secret')).body.options).toEqual(body.options);
    const rows = await gateway.database.prisma.preset.findMany({ where: { name: 'secret' } });
    expect(JSON.stringify(rows)).not.toContain('opensesame');
  });
});

describe('a request with a preset', () => {
  it('uses the newest or named version, under the request’s options', async () => {
    const { put, optionsOf } = await newAccount();
    await put('shop', { width: 800, dark_mode: true }).expect(200);
    await put('shop', { width: 900, dark_mode: true, delay_ms: 5 }).expect(200);
    expect(await optionsOf({ preset: 'shop', dark_mode: false, delay_ms: null })).toEqual({
      url,
      async: true,
      preset: 'shop@2',
      width: 900,
      dark_mode: false,
    });
    expect(await optionsOf({ preset: 'shop@1' })).toMatchObject({ preset: 'shop@1', width: 800 });
  });

  it('takes the preset from a query, with secrets that stay encrypted in the capture', async () => {
    const { client, put } = await newAccount();
    await put('signed-in', { headers: { 'X-Token': 'opensesame' } }).expect(200);
    const query = `url=${encodeURIComponent(url)}&async=true&preset=signed-in`;
    const { body } = await client.get(`/api/v1/screenshot?${query}`).expect(202);
    const record = await client.get(`/api/v1/captures/${body.request_id}`).expect(200);
    expect(record.body.options.headers).toEqual({ 'X-Token': '***' });
    const row = await gateway.database.prisma.capture.findUniqueOrThrow({ where: { id: body.request_id } });
    expect(JSON.stringify(row.options)).not.toContain('opensesame');
    expect(JSON.stringify(row.options)).toContain('*sealed');
  });

  it('400: names an unknown preset or version, and what was probably meant', async () => {
    const { client, put } = await newAccount();
    await put('shop', { width: 800 }).expect(200);
    const refuse = async (preset: string) =>
      (await client.post('/api/v1/screenshot').send({ url, preset }).expect(400)).body.details;
    expect(await refuse('shp')).toEqual([
      { field: 'preset', message: 'is not a preset of this account; did you mean shop?', value: 'shp' },
    ]);
    expect(await refuse('shop@2')).toEqual([
      { field: 'preset', message: 'is not a version of shop; the newest is shop@1', value: 'shop@2' },
    ]);
  });

  it('400: names the preset’s option that does not fit the kind of capture or another option', async () => {
    const { client, put } = await newAccount();
    await put('long', { full_page: true }).expect(200);
    await put('phone', { device: 'iPhone 15 Pro' }).expect(200);
    const pdf = await client.post('/api/v1/pdf').send({ url, preset: 'long' }).expect(400);
    expect(pdf.body.details).toMatchObject([{ field: 'preset.full_page' }]);
    const wide = await client.post('/api/v1/screenshot').send({ url, preset: 'phone', width: 800 }).expect(400);
    expect(wide.body.details).toMatchObject([{ field: 'width', message: 'cannot be combined with device' }]);
  });

  it('gives equal captures one fingerprint, and another request another Idempotency-Key', async () => {
    const { client, put } = await newAccount();
    await put('shop', { width: 800 }).expect(200);
    const send = (body: object) =>
      client
        .post('/api/v1/screenshot')
        .set('Idempotency-Key', 'once')
        .send({ url, async: true, ...body });
    const { body: first } = await send({ preset: 'shop' }).expect(202);
    expect((await send({ preset: 'shop@1' }).expect(202)).body.request_id).toBe(first.request_id);
    const { body: plain } = await client.post('/api/v1/screenshot').send({ url, async: true, width: 800 }).expect(202);
    const ids = [first.request_id, plain.request_id];
    const rows = await gateway.database.prisma.capture.findMany({ where: { id: { in: ids } } });
    const [one, other] = rows.map(({ fingerprint }) => Buffer.from(fingerprint ?? []).toString('hex'));
    expect([one?.length, other]).toEqual([64, one]);
    await put('shop', { width: 900 }).expect(200);
    expect((await send({ preset: 'shop' }).expect(409)).body.error_code).toBe('IDEMPOTENCY_CONFLICT');
  });
});

describe('a batch with presets', () => {
  // One address may register only a few accounts an hour.
  let account: Awaited<ReturnType<typeof newAccount>>;
  beforeAll(async () => {
    account = await newAccount();
  });

  it('uses the preset of an item or of the batch, under the batch’s and the item’s options', async () => {
    const { client, put } = account;
    await put('shop', { width: 800, dark_mode: true }).expect(200);
    await put('card', { width: 600 }).expect(200);
    const items = [{ url }, { url, preset: 'card' }, { url, preset: null }, { url, dark_mode: null }];
    const body = { preset: 'shop', options: { height: 700 }, items };
    const { batch_id } = (await client.post('/api/v1/batches').send(body).expect(202)).body;
    const rows = await gateway.database.prisma.capture.findMany({
      where: { batchId: batch_id },
      orderBy: { batchIndex: 'asc' },
    });
    expect(rows.map(({ options }) => options)).toEqual([
      { url, preset: 'shop@1', width: 800, height: 700, dark_mode: true },
      { url, preset: 'card@1', width: 600, height: 700 },
      { url, height: 700 },
      { url, preset: 'shop@1', width: 800, height: 700 },
    ]);
  });

  it('400: names the preset of the batch or the item that is unknown or does not fit', async () => {
    const { client, put } = account;
    await put('long', { full_page: true }).expect(200);
    const refuse = async (body: object) =>
      (await client.post('/api/v1/batches').send(body).expect(400)).body.details.map(
        ({ field }: { field: string }) => field,
      );
    expect(await refuse({ preset: 'lnog', items: [{ url }, { url, preset: 'gone' }] })).toEqual([
      'preset',
      'items.1.preset',
    ]);
    expect(await refuse({ preset: 'long', items: [{ url, type: 'pdf' }] })).toEqual(['preset.full_page']);
    expect(await refuse({ items: [{ url, type: 'pdf', preset: 'long' }] })).toEqual(['items.0.preset.full_page']);
  });
});
