import { createHmac } from 'node:crypto';
import { signedText } from '@capture/contract/links/link-parameters';
import { forgetLinkBounds } from '@capture/database/links/link-bounds';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { Admission } from '../../limits/admission.ts';
import { failIfBad, onePixel, startSecondGateway, startSharedGateway, startTestWorker } from '../../test-gateway.ts';

const gateway = await startSharedGateway('B', { settings: { REGISTRATIONS_PER_HOUR: 1_000 } });
const other = await startSecondGateway(gateway);
let key: string;
let keyId: string;
let secret: string;
/** Resolves when the worker may render. */
let mayRender: Promise<void> = Promise.resolve();

const account = () => gateway.as(key);
const newSecret = async (body: object = {}) =>
  (await account().post('/api/v1/links/secret').send(body).expect(201)).body.secret;

beforeAll(async () => {
  startTestWorker(gateway, failIfBad, () => mayRender);
});
beforeEach(async () => {
  key = await gateway.register(`${Math.random()}@example.com`, 'enterprise');
  ({ id: keyId } = (await account().get('/api/v1/keys').expect(200)).body.keys[0]);
  secret = await newSecret();
});

/** Returns the path of a link, signed as the contract says. */
function sign(parameters: Record<string, string>, { file = 'screenshot.png', by = secret, of = keyId } = {}): string {
  const text = Object.entries(parameters)
    .sort(([one], [next]) => (one < next ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  const signature = createHmac('sha256', by).update(`${file}?${text}`).digest('hex');
  return `/r/${of}/${signature}/${file}?${text}`;
}
const page = (name = 'a') => ({ url: `https://example.com/${name}` });
const get = (path: string) => gateway.http.get(path);
const captures = async () =>
  Number(
    (
      await gateway.database.pool.query(
        'SELECT count(*) FROM capture c JOIN account a ON a.id = c.account_id JOIN api_key k ON k.account_id = a.id WHERE k.id = $1',
        [keyId],
      )
    ).rows[0].count,
  );
const used = async () => (await account().get('/api/v1/account')).body.usage.used;

describe('200', () => {
  it('renders at the first use, and shows the stored file afterwards, for one unit', async () => {
    const link = sign({ ...page(), full_page: 'true' });
    const first = await get(link).expect(200);
    expect(first.body).toEqual(onePixel);
    expect(first.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=86400, stale-while-revalidate=86400',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.stringMatching(/^"req_/),
    });
    // The response shows viewers no fact of the account.
    expect(Object.keys(first.headers).filter((name) => /quota|ratelimit|retry/.test(name))).toEqual([]);
    expect((await get(link).expect(200)).headers.etag).toBe(first.headers.etag);
    expect([await captures(), await used()]).toEqual([1, 1]);
    const { rows } = await gateway.database.pool.query('SELECT options FROM capture ORDER BY id DESC LIMIT 1');
    expect(rows[0].options).toEqual({ ...page(), full_page: true, format: 'png' });
  });

  it('shows the same file to any order of the parameters, and to an ordinary capture’s options', async () => {
    const stored = await account()
      .post('/api/v1/screenshot')
      .send({ ...page('shared'), width: 800 })
      .expect(200);
    const path = sign({ ...page('shared'), width: '800' });
    const swapped = path.replace(/\?(.*)&(.*)$/, '?$2&$1');
    expect((await get(swapped).expect(200)).headers.etag).toBe(`"${stored.headers['x-request-id']}"`);
  });

  it('renders equal links once, also on two gateways', async () => {
    let open = () => {};
    mayRender = new Promise((resolve) => (open = resolve));
    const link = sign(page('together'));
    const responses = Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? gateway : other).http.get(link)));
    await waitUntil(async () => (await captures()) === 1, { what: 'the render to start' });
    open();
    expect(new Set((await responses).map(({ status, headers }) => `${status} ${headers.etag}`)).size).toBe(1);
    expect([await captures(), await used()]).toEqual([1, 1]);
  });

  it('shows an old image while it renders a new one', async () => {
    const link = sign({ ...page('old'), ttl_s: '60' });
    const first = await get(link).expect(200);
    await gateway.database.pool.query(`UPDATE capture SET completed_at = now() - interval '61 seconds' WHERE id = $1`, [
      first.headers.etag?.slice(1, -1),
    ]);
    const second = await get(link).expect(200);
    expect(second.headers).toMatchObject({
      etag: first.headers.etag,
      'cache-control': expect.stringContaining('max-age=10,'),
    });
    await waitUntil(async () => (await get(link)).headers.etag !== first.headers.etag, { what: 'the new image' });
    expect(await captures()).toBe(2);
  });

  it('makes PDFs and OG images', async () => {
    expect((await get(sign(page(), { file: 'pdf.pdf' })).expect(200)).headers['content-type']).toBe('application/pdf');
    expect(
      (await get(sign({ ...page(), template: 'card' }, { file: 'og-image.webp' })).expect(200)).headers['content-type'],
    ).toBe('image/webp');
  });

  it('gives a placeholder of the image’s size for a failure, and renders no more for a minute', async () => {
    const link = sign({ ...page('bad'), placeholder: 'f4f4f5', width: '300', height: '200' });
    for (let n = 0; n < 2; n += 1) {
      const { body, headers } = await get(link).expect(200);
      expect(headers['cache-control']).toBe('max-age=60');
      expect(await sharp(body).metadata()).toMatchObject({ format: 'png', width: 300, height: 200 });
      expect((await sharp(body).removeAlpha().raw().toBuffer()).subarray(0, 3).toString('hex')).toBe('f4f4f5');
    }
    expect([await captures(), await used()]).toEqual([1, 0]);
    const { body } = await get(sign({ ...page('bad'), placeholder: 'transparent' })).expect(200);
    expect((await sharp(body).stats()).isOpaque).toBe(false);
  });

  it('gives a placeholder while the first render takes long', async () => {
    let open = () => {};
    mayRender = new Promise((resolve) => (open = resolve));
    const link = sign({ ...page('slow'), placeholder: 'transparent' });
    expect((await get(link).expect(200)).headers['cache-control']).toBe('max-age=60');
    open();
    await waitUntil(async () => (await get(link)).headers.etag !== undefined, { what: 'the image' });
    expect(await captures()).toBe(1);
  });

  it('responds to HEAD, to a known ETag and to ranges', async () => {
    const link = sign(page('parts'));
    const { headers } = await get(link).expect(200);
    const tag = String(headers.etag);
    expect((await gateway.http.head(link).expect(200)).headers['content-length']).toBe(String(onePixel.length));
    await get(link).set('If-None-Match', tag).expect(304);
    const part = await get(link).set('Range', 'bytes=1-3').expect(206);
    expect([String(part.body), part.headers['content-range']]).toEqual(['PNG', `bytes 1-3/${onePixel.length}`]);
    await get(link).set('Range', 'bytes=900-').expect(416);
    await get(link).set({ Range: 'bytes=1-3', 'If-Range': '"another"' }).expect(200);
  });
});

describe('403, 410', () => {
  it('LINK_INVALID: a changed parameter, file, key or secret, and a link of a revoked key', async () => {
    const link = sign(page());
    const changed = [
      link.replace('example.com%2Fa', 'example.com%2Fb'),
      link.replace('screenshot.png', 'screenshot.webp'),
      `${link}&width=100`,
      sign(page(), { by: 'another secret' }),
      sign(page(), { of: 'key_unknown' }),
      link.replace(/[0-9a-f]{64}/, 'x'),
    ];
    const errors = await Promise.all(changed.map(async (each) => (await get(each).expect(403)).body));
    expect(new Set(errors.map(({ error_code, error_message }) => `${error_code} ${error_message}`)).size).toBe(1);
    expect(errors[0].error_code).toBe('LINK_INVALID');
    await account().post('/api/v1/keys').expect(201);
    await get(link).expect(200);
    await account().delete(`/api/v1/keys/${keyId}`).expect(204);
    await get(link).expect(403);
    expect(gateway.logged.join()).not.toContain(secret);
  });

  it('LINK_EXPIRED: after its time, which no cache outlasts', async () => {
    const at = (seconds: number) => String(Math.floor(Date.now() / 1_000) + seconds);
    expect((await get(sign({ ...page(), expires: at(-1) })).expect(410)).body.error_code).toBe('LINK_EXPIRED');
    const { headers } = await get(sign({ ...page(), expires: at(100) })).expect(200);
    const [, maxAge, stale] =
      /max-age=(\d+), stale-while-revalidate=(\d+)/.exec(String(headers['cache-control'])) ?? [];
    expect(Number(maxAge) + Number(stale)).toBeLessThanOrEqual(100);
  });

  it('LINK_NOT_ALLOWED: a link that the policy excludes', async () => {
    const policy = {
      allowed_hosts: ['example.com', '*.example.org'],
      max_width: 1_280,
      max_height: 800,
      renders_per_day: 1,
    };
    expect((await account().put('/api/v1/links/policy').send(policy).expect(200)).body).toEqual(policy);
    expect((await account().get('/api/v1/links/policy').expect(200)).body).toEqual(policy);
    const refused = async (parameters: Record<string, string>) => (await get(sign(parameters)).expect(403)).body;
    expect(await refused({ url: 'https://example.org/' })).toMatchObject({
      error_code: 'LINK_NOT_ALLOWED',
      error_message: expect.stringContaining('pages of example.org'),
    });
    expect((await refused({ ...page(), device_scale_factor: '2' })).error_message).toContain('this one has 2560');
    expect((await refused({ ...page(), full_page: 'true' })).error_message).toContain('full_page has no limit');
    await get(sign({ url: 'https://www.example.org/' })).expect(200);
    expect((await refused(page('second'))).error_message).toContain('1 renders a day');
    // Stored images are still shown, and refused renders leave no record.
    await get(sign({ url: 'https://www.example.org/' })).expect(200);
    expect([await captures(), await used()]).toEqual([1, 1]);
  });
});

describe('renders of a day', () => {
  const setPolicy = (policy: object) => account().put('/api/v1/links/policy').send(policy).expect(200);
  const old = () =>
    gateway.database.pool.query(
      `UPDATE capture SET completed_at = now() - interval '61 seconds'
        WHERE account_id = (SELECT account_id FROM api_key WHERE id = $1)`,
      [keyId],
    );

  it('of one link end with renders_per_link, while others render', async () => {
    await setPolicy({ renders_per_link: 2 });
    const link = sign({ ...page('bound'), ttl_s: '60' });
    const tags = new Set<string>();
    for (let n = 1; n <= 2; n += 1) {
      await get(link).expect(200);
      await waitUntil(async () => (await captures()) === n, { what: `render ${n}` });
      await waitUntil(async () => !tags.has((await get(link)).headers.etag ?? ''), { what: 'a new image' });
      tags.add((await get(link)).headers.etag ?? '');
      await old();
    }
    // The old image stays.
    expect(tags.has((await get(link).expect(200)).headers.etag ?? '')).toBe(true);
    expect(await captures()).toBe(2);
    await get(sign({ ...page('bound'), width: '800' })).expect(200);
    expect(await captures()).toBe(3);
  });

  it('of one host end with renders_per_host, exactly, on two gateways at once', async () => {
    await setPolicy({ renders_per_host: 5 });
    const statuses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 ? gateway : other).http.get(sign(page(`host-${n}`)))),
    );
    expect(statuses.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(7).fill(403)]);
    const { body } = await get(sign(page('host-more'))).expect(403);
    expect(body.error_message).toContain('5 renders a day of the pages of one host');
    await get(sign({ url: 'https://www.example.com/' })).expect(200);
    expect([await captures(), await used()]).toEqual([6, 6]);
  });

  it('never start with a limit of 0', async () => {
    for (const limit of ['renders_per_day', 'renders_per_link', 'renders_per_host']) {
      await setPolicy({ [limit]: 0 });
      await get(sign(page(`none-${limit}`))).expect(403);
      await get(sign({ ...page(`none-${limit}`), placeholder: 'f4f4f5' })).expect(403);
    }
    expect([await captures(), await used()]).toEqual([0, 0]);
  });

  it('start again each day, and counts of earlier days are removed', async () => {
    await setPolicy({ renders_per_host: 1 });
    await get(sign(page('yesterday'))).expect(200);
    await get(sign(page('today'))).expect(403);
    const { pool } = gateway.database;
    await pool.query(`UPDATE link_bound SET day = day - 1`);
    await get(sign(page('today'))).expect(200);
    await forgetLinkBounds(pool);
    const { rows } = await pool.query(`SELECT FROM link_bound WHERE day < (now() AT TIME ZONE 'UTC')::date`);
    expect(rows).toEqual([]);
  });
});

it('400: a repeated parameter, a secret, an unknown option, or an option that no link has', async () => {
  const faultOf = async (path: string) => (await get(path).expect(400)).body.details[0];
  expect(await faultOf(`${sign(page())}&url=https%3A%2F%2Fexample.com`)).toMatchObject({
    field: 'url',
    message: 'is given twice',
  });
  expect(await faultOf(sign({ ...page(), headers: '{"a":"b"}' }))).toMatchObject({
    field: 'headers',
    message: 'cannot be part of a link',
  });
  expect(await faultOf(sign({ ...page(), async: 'true' }))).toMatchObject({ field: 'async' });
  expect(await faultOf(sign({ ...page(), fullpage: 'true' }))).toMatchObject({ field: 'fullpage' });
  expect(await faultOf(sign({ ...page(), placeholder: 'red' }))).toMatchObject({ field: 'placeholder' });
  for (const expires of ['', ' 1800000000', '0x10', '1e12', '-1', '1.5']) {
    expect(await faultOf(sign({ ...page(), expires }))).toMatchObject({ field: 'expires' });
  }
  for (const ttl of ['', ' 60', '0x60', '59']) {
    expect(await faultOf(sign({ ...page(), ttl_s: ttl }))).toMatchObject({ field: 'ttl_s' });
  }
  await get(sign(page(), { file: 'screenshot.gif' })).expect(404);
});

it('holds the policy to the size that a resized image has', async () => {
  await account().put('/api/v1/links/policy').send({ max_height: 800 }).expect(200);
  const { body } = await get(sign({ ...page(), resize_width: '2560' })).expect(403);
  expect(body.error_message).toContain('this one has 1440');
});

describe('with a preset', () => {
  const put = (name: string, options: object) => account().put(`/api/v1/presets/${name}`).send({ options }).expect(200);
  const newestOptions = async () =>
    (await gateway.database.pool.query('SELECT options FROM capture ORDER BY id DESC LIMIT 1')).rows[0].options;
  const faultOf = async (parameters: Record<string, string>, more = {}) =>
    (await get(sign(parameters, more)).expect(400)).body.details[0];

  it('200: the newest or a named version, under the options of the link', async () => {
    await put('shop', { width: 800, dark_mode: true, format: 'webp' });
    const newest = sign({ ...page('preset'), preset: 'shop', dark_mode: 'false' });
    await get(newest).expect(200);
    expect(await newestOptions()).toEqual({
      ...page('preset'),
      preset: 'shop@1',
      width: 800,
      dark_mode: false,
      format: 'png',
    });
    await put('shop', { width: 900 });
    await get(newest).expect(200);
    expect(await newestOptions()).toMatchObject({ preset: 'shop@2', width: 900 });
    await get(sign({ ...page('preset'), preset: 'shop@1', dark_mode: 'false' })).expect(200);
    // A link of the pinned version shows the image that is already stored.
    expect(await captures()).toBe(2);
  });

  it('400: of another account, deleted, misspelled or of another kind, without naming other presets', async () => {
    await put('shop', { width: 800, device_scale_factor: 2 });
    for (const preset of ['shoq', 'shop@2']) {
      const fault = await faultOf({ ...page(), preset });
      expect(fault).toEqual({ field: 'preset', message: expect.stringContaining('is not a preset'), value: preset });
    }
    expect(await faultOf({ ...page(), preset: 'Shop!' })).toMatchObject({ field: 'preset' });
    expect(await faultOf({ ...page(), preset: 'shop' }, { file: 'og-image.png' })).toMatchObject({
      field: expect.stringMatching(/^preset\.(width|device_scale_factor)$/),
    });
    const strangers = await gateway.register(`${Math.random()}@example.com`, 'enterprise');
    await gateway.as(strangers).put('/api/v1/presets/theirs').send({ options: {} }).expect(200);
    expect(await faultOf({ ...page(), preset: 'theirs' })).toMatchObject({ field: 'preset' });
  });

  it.each([
    ['headers', { headers: { 'X-Token': 'opensesame' } }],
    ['cookies', { cookies: [{ name: 'session', value: 'opensesame' }] }],
    ['basic_auth', { basic_auth: { username: 'ada', password: 'opensesame' } }],
    ['webhook_url', { webhook_url: 'https://hooks.example.com/' }],
    ['cache_ttl_s', { cache_ttl_s: 60 }],
  ])('400: whose %s no link can have', async (name, options) => {
    await put('mine', options);
    const fault = await faultOf({ ...page(), preset: 'mine' });
    expect(fault).toEqual({ field: `preset.${name}`, message: 'cannot be part of a link' });
    expect(await captures()).toBe(0);
  });

  it('403: options that the policy excludes, also from a preset', async () => {
    await account().put('/api/v1/links/policy').send({ max_width: 1_280 }).expect(200);
    await put('wide', { width: 1_920 });
    const { body } = await get(sign({ ...page(), preset: 'wide' })).expect(403);
    expect(body.error_code).toBe('LINK_NOT_ALLOWED');
    await get(sign({ ...page(), preset: 'wide', width: '1280' })).expect(200);
  });
});

it('429: more first uses at once than may wait for an account, uses that join a render included', async () => {
  const narrow = await startSecondGateway(gateway, {
    parts: { admission: new Admission(gateway.form, { captureWait: { perAccount: 2 } }) },
  });
  let render = () => {};
  mayRender = new Promise((resolve) => {
    render = resolve;
  });
  const link = sign(page('crowd'));
  const first = [narrow.http.get(link), narrow.http.get(link)].map((sent) => sent.then(({ status }) => status));
  await waitUntil(() => narrow.captureWaiter.size === 2, { what: 'two to wait for one image' });
  const { body } = await narrow.http.get(link).expect(429);
  expect(body).toMatchObject({ error_code: 'RATE_LIMITED', error_message: expect.stringContaining('this link') });
  await narrow.http.get(sign(page('another'))).expect(429);
  await narrow.http.get(sign({ ...page('another'), placeholder: 'f4f4f5' })).expect(200);
  expect(await captures()).toBe(1);
  render();
  expect(await Promise.all(first)).toEqual([200, 200]);
  await narrow.http.get(sign(page('another'))).expect(200);
});

it('waits while the account sends as many files as it may', async () => {
  const link = sign(page('sent'));
  await get(link).expect(200);
  const { account_id } = (await gateway.database.pool.query('SELECT account_id FROM api_key WHERE id = $1', [keyId]))
    .rows[0];
  const sending = await Promise.all(Array.from({ length: 250 }, () => gateway.admission.take('linkFile', account_id)));
  let shown = false;
  const request = get(link).then(({ status }) => {
    shown = true;
    return status;
  });
  // A request with the account's key does not wait.
  await account().post('/api/v1/screenshot').send(page('own')).expect(200);
  expect(shown).toBe(false);
  for (const release of sending) release();
  expect(await request).toBe(200);
});

it('429: too many files of the account wait to be sent; no cache keeps this', async () => {
  const link = sign(page('crowded'));
  await get(link).expect(200);
  const { account_id } = (await gateway.database.pool.query('SELECT account_id FROM api_key WHERE id = $1', [keyId]))
    .rows[0];
  const take = (length: number) => Array.from({ length }, () => gateway.admission.take('linkFile', account_id));
  // The array has the slots of the files that are sent, after the response above has ended, and of those that wait.
  const taken = await Promise.all(take(250));
  const waiting = take(1_000);
  const { body, headers } = await get(link).expect(429);
  expect(body.error_code).toBe('RATE_LIMITED');
  expect(headers['cache-control'] ?? 'no-store').not.toContain('public');
  for (const release of taken) release();
  for (const each of waiting) (await each)();
});

it('422: a failed capture without a placeholder, with a short cache time', async () => {
  const { body, headers } = await get(sign(page('bad'))).expect(422);
  expect(body.error_code).toBe('NAVIGATION_FAILED');
  expect(headers['cache-control']).toBe('public, max-age=10');
});

it('403: pages of an allowed host that lead to another, with and without a placeholder', async () => {
  await account()
    .put('/api/v1/links/policy')
    .send({ allowed_hosts: ['example.com'] })
    .expect(200);
  for (const more of [{}, { placeholder: 'f4f4f5' }]) {
    const link = sign({ ...page('moved'), ...more });
    await get(link).expect(200);
    const { rowCount } = await gateway.database.pool.query(
      `UPDATE capture SET receipt = '{"final_url": "https://elsewhere.example/"}' WHERE url = $1`,
      [page('moved').url],
    );
    expect(rowCount).toBe(1);
    const { body, headers } = await get(link).expect(403);
    expect(body).toMatchObject({
      error_code: 'LINK_NOT_ALLOWED',
      error_message: expect.stringContaining('elsewhere.example'),
    });
    expect(headers).not.toHaveProperty('cache-control');
    await gateway.database.pool.query(`UPDATE capture SET receipt = NULL`);
  }
});

it('creates, rotates and deletes the link secret', async () => {
  const link = sign(page('rotated'));
  await get(link).expect(200);
  const first = secret;
  secret = await newSecret({ overlap_s: 3_600 });
  await get(link).expect(200);
  await get(sign(page('rotated'))).expect(200);
  await newSecret();
  await get(sign(page('rotated'), { by: first })).expect(403);
  expect((await account().get('/api/v1/links/secret').expect(200)).body).toEqual({ created_at: expect.any(String) });
  await account().delete('/api/v1/links/secret').expect(204);
  await get(sign(page('rotated'))).expect(403);
  expect((await account().get('/api/v1/links/secret').expect(404)).body.error_message).toContain('POST');
  const { rows } = await gateway.database.pool.query('SELECT link_secret FROM account WHERE link_secret IS NOT NULL');
  expect(JSON.stringify(rows)).not.toContain('lnk_');
});

describe('POST /api/v1/links', () => {
  const signed = (body: object) => account().post('/api/v1/links').send(body);
  const pathOf = (url: string) => url.replace(gateway.links.publicUrl, '');

  it('200: signs a link that works, with the size at which a page shows it', async () => {
    const parameters = {
      ...page('signed'),
      width: 640,
      height: 400,
      device_scale_factor: 2,
      hide_selectors: ['h1', 'é'],
    };
    const { body } = await signed({ file: 'screenshot.webp', parameters }).expect(200);
    expect(body).toMatchObject({ width: 640, height: 400 });
    await get(pathOf(body.url)).expect(200);
    const { hide_selectors, ...plain } = parameters;
    const texts = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, String(value)]));
    const ours = sign({ ...texts, hide_selectors: JSON.stringify(hide_selectors) }, { file: 'screenshot.webp' });
    expect(pathOf(body.url)).toBe(ours);
    const sizeOf = async (file: string, more: object) => {
      const { width, height } = (await signed({ file, parameters: { ...page(), ...more } }).expect(200)).body;
      return [width, height];
    };
    expect(await sizeOf('screenshot.png', { full_page: true })).toEqual([1_280, null]);
    expect(await sizeOf('screenshot.png', { resize_width: 640 })).toEqual([640, 360]);
    expect(await sizeOf('og-image.png', {})).toEqual([1_200, 630]);
    expect(await sizeOf('pdf.pdf', {})).toEqual([null, null]);
  });

  it('400: options that a link cannot have, and the key of another account', async () => {
    const faultOf = async (body: object) => (await signed(body).expect(400)).body.details[0];
    const file = 'screenshot.png';
    expect(await faultOf({ file: 'screenshot.gif', parameters: page() })).toMatchObject({ field: 'file' });
    expect(await faultOf({ file, parameters: { ...page(), headers: { a: 'b' } } })).toMatchObject({
      field: 'parameters.headers',
      message: 'cannot be part of a link',
    });
    expect(await faultOf({ file, parameters: { ...page(), width: 5 } })).toMatchObject({ field: 'parameters.width' });
    expect(await faultOf({ file, parameters: { ...page(), preset: 'none' } })).toMatchObject({
      field: 'parameters.preset',
    });
    expect(await faultOf({ file, parameters: { ...page(), expires: 1 } })).toMatchObject({
      field: 'parameters.expires',
      message: 'must be in the future',
    });
    const stranger = gateway.as(await gateway.register(`${Math.random()}@example.com`));
    await stranger.post('/api/v1/links/secret').expect(201);
    const theirs = (await stranger.get('/api/v1/keys').expect(200)).body.keys[0].id;
    expect(await faultOf({ file, parameters: page(), key_id: theirs })).toMatchObject({
      field: 'key_id',
      value: theirs,
    });
  });

  it('403, 404: options that the policy excludes, and an account without a secret', async () => {
    await account()
      .put('/api/v1/links/policy')
      .send({ allowed_hosts: ['example.org'] })
      .expect(200);
    const { body } = await signed({ file: 'screenshot.png', parameters: page() }).expect(403);
    expect(body.error_code).toBe('LINK_NOT_ALLOWED');
    await account().delete('/api/v1/links/secret').expect(204);
    await signed({ file: 'screenshot.png', parameters: page() }).expect(404);
  });
});

it('signs the text of the contract', () => {
  expect(
    signedText('screenshot.png', [
      ['url', 'https://a.example/?x=1&y=ä b'],
      ['full_page', 'true'],
    ]),
  ).toBe('screenshot.png?full_page=true&url=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y%3D%C3%A4%20b');
});
