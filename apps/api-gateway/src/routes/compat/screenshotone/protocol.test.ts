import { beforeAll, describe, expect, it } from '@jest/globals';
import { AnimateOptions, APIError, Client, TakeOptions } from 'screenshotone-api-sdk';
import { onePixel } from '../../../test-gateway.ts';
import { startCompatGateway } from '../shared/compat.test-support.ts';

const { gateway, key, url, captures, latest, latestHtml } = await startCompatGateway();
const base = `${url}/compat/screenshotone`;
const page = 'https://example.com/';
const post = (body: object) => gateway.http.post('/compat/screenshotone/take').send(body);
const get = (query: object) =>
  gateway.http.get('/compat/screenshotone/take').query({ access_key: key, url: page, ...query });

describe('the client of ScreenshotOne', () => {
  const client = new Client(key, 'a-secret-of-theirs', base);

  it('takes a screenshot with options, and with ScreenshotOne’s defaults', async () => {
    const options = TakeOptions.url(page).fullPage(true).format('webp').delay(2).blockCookieBanners(true);
    const blob = await client.take(options.headers('X-One: 1', 'X-Two: 2').hideSelectors('.chat', '#news'));
    expect(Buffer.from(await blob.arrayBuffer())).toEqual(onePixel);
    expect(blob.type).toBe('image/webp');
    expect(latest()).toMatchObject({ type: 'screenshot', url: page });
    expect(latest().options).toMatchObject({
      ...{ full_page: true, format: 'webp', delay_ms: 2_000, block_cookie_banners: true, width: 1_280, height: 1_024 },
      ...{ hide_selectors: ['.chat', '#news'], fail_on_status: ['4xx', '5xx'] },
    });
  });

  it('takes a PDF of HTML, and a screenshot of Markdown', async () => {
    const blob = await client.take(TakeOptions.html('<h1>Hello</h1>').format('pdf').pdfPaperFormat('letter'));
    expect(blob.type).toBe('application/pdf');
    expect(latest()).toMatchObject({ type: 'pdf', options: { paper: 'Letter' } });
    expect(await latestHtml()).toBe('<h1>Hello</h1>');
    await client.take(TakeOptions.markdown('# Hello'));
    expect(await latestHtml()).toBe('<h1>Hello</h1>\n');
  });

  it.each([
    [
      'an option without a counterpart',
      TakeOptions.url(page).proxy('http://proxy.test'),
      400,
      'request_not_valid',
      /proxy is not supported: captures use the network of the platform/,
    ],
    ['a value that cannot be used', TakeOptions.url(page).format('gif'), 400, 'request_not_valid', /format .*gif/],
    ['a page that does not open', TakeOptions.url(`${page}unreachable`), 500, 'network_error', /failed/],
    ['a page that responds with an error', TakeOptions.url(`${page}gone`), 500, 'host_returned_error', /failed/],
    [
      'a selector that matches nothing',
      TakeOptions.url(`${page}without-selector`),
      400,
      'selector_not_found',
      /failed/,
    ],
  ])('gets its own error for %s', async (_, options, httpStatusCode, errorCode, errorMessage) => {
    const error = await client.take(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ httpStatusCode, errorCode, errorMessage: expect.stringMatching(errorMessage) });
    expect(error).toMatchObject({ documentationUrl: expect.stringMatching(`^${url}/docs/errors#[a-z_]+$`) });
  });

  it('gets ScreenshotOne’s error for an animation, and for a wrong key', async () => {
    await expect(client.animate(AnimateOptions.url(page))).rejects.toMatchObject({
      httpStatusCode: 400,
      errorMessage: expect.stringContaining('/animate is not supported'),
    });
    const stranger = new Client('not-a-key', 'secret', base);
    await expect(stranger.take(TakeOptions.url(page))).rejects.toMatchObject({
      httpStatusCode: 400,
      errorCode: 'access_key_invalid',
    });
  });
});

describe('the signed URLs of ScreenshotOne', () => {
  let client: Client;
  beforeAll(async () => {
    const keyId = (await gateway.as(key).get('/api/v1/keys').expect(200)).body.keys[0].id;
    const { secret } = (await gateway.as(key).post('/api/v1/links/secret').expect(201)).body;
    client = new Client(keyId, secret, base);
  });
  const open = async (options: TakeOptions) => {
    const { pathname, search } = new URL(await client.generateSignedTakeURL(options));
    return pathname + search;
  };

  it('of ScreenshotOne’s client render once without a key, and then show the stored file', async () => {
    const link = await open(TakeOptions.url(`${page}signed`).fullPage(true).format('webp').cacheTtl(86_400));
    const { headers } = await gateway.http.get(link).expect(200, onePixel);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': expect.stringMatching(/max-age=86400/),
    });
    expect(Object.keys(headers).filter((name) => /ratelimit/.test(name))).toEqual([]);
    const { length } = captures;
    await gateway.http.get(link).expect(200, onePixel);
    expect(captures).toHaveLength(length);
  });

  it('are refused when they are changed, or have an option that no link may have', async () => {
    const link = await open(TakeOptions.url(`${page}signed`).viewportWidth(800));
    const { body } = await gateway.http.get(link.replace('=800', '=900')).expect(400);
    expect(body).toMatchObject({ is_successful: false, error_code: 'signature_is_not_valid' });
    const refused = await gateway.http.get(await open(TakeOptions.url(page).headers('X-One: 1'))).expect(400);
    expect(refused.body.error_details).toMatchObject([{ field: 'headers', message: 'cannot be part of a link' }]);
    await gateway.http.get(await open(TakeOptions.url(page).cacheTtl(5))).expect(400, /cache_ttl must be at least 60/);
  });
});

describe('/take of ScreenshotOne', () => {
  it('takes the options from JSON, and the key from JSON or a header', async () => {
    await post({ access_key: key, url: page, viewport_width: 800, cookies: ['a=1; Secure'] }).expect(200, onePixel);
    expect(latest().options).toMatchObject({ width: 800, format: 'jpeg' });
    await post({ url: page }).set('X-Access-Key', key).expect(200);
    await post({ html: `<p>${'long '.repeat(100_000)}`, access_key: key }).expect(200);
    const { body } = await post({ url: page }).expect(400);
    expect(body).toMatchObject({ is_successful: false, error_code: 'access_key_required' });
  });

  it('reports in a header options that do not affect the capture', async () => {
    const { headers } = await get({ format: 'png', image_quality: 80, navigation_timeout: 20 }).expect(200);
    expect(headers['x-capture-ignored']).toBe(
      'navigation_timeout (timeout_ms is for the whole capture), image_quality (png has no quality)',
    );
    expect((await get({})).headers).not.toHaveProperty('x-capture-ignored');
  });

  it('responds with JSON, with an empty body, or at once', async () => {
    const { body } = await get({ response_type: 'json', external_identifier: 'order-1' }).expect(200);
    expect(body).toEqual({ screenshot_url: expect.stringContaining('/files/'), external_identifier: 'order-1' });
    const { pathname, search } = new URL(body.screenshot_url);
    await gateway.http.get(pathname + search).expect(200, onePixel);
    const empty = await get({ response_type: 'empty' }).expect(200);
    expect(empty.text).toBe('');
    await get({ async: true }).expect(202);
    await get({ response_type: 'xml' }).expect(400, /response_type must be one of by_format, empty, json/);
  });

  it('names a field at fault as the client did', async () => {
    const { body } = await get({ time_zone: 'Mars/North', webhook_url: 'https://hooks.example.com/' }).expect(400);
    expect(body.error_message).toContain('webhook_url is not supported');
    const second = await get({ time_zone: 'Mars/North' }).expect(400);
    expect(second.body.error_details).toMatchObject([{ field: 'time_zone' }]);
  });

  it('serves a second equal request from the cache', async () => {
    const cached = { url: `${page}cached`, cache: true, cache_ttl: 3_600 };
    await get(cached).expect(200);
    const { length } = captures;
    await get(cached).expect(200);
    expect(captures).toHaveLength(length);
  });

  it('has the limits of the account', async () => {
    const free = await gateway.register('free@example.com');
    const { headers } = await get({ access_key: free }).expect(200);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '199' });
    const { body } = await get({ access_key: free }).expect(400);
    expect(body).toMatchObject({ error_code: 'concurrency_limit_reached' });
  });

  it('returns ScreenshotOne’s error for other paths and methods', async () => {
    const { body } = await gateway.http.get('/compat/screenshotone/usage').expect(404);
    expect(body).toMatchObject({ is_successful: false, error_code: 'request_not_valid' });
    await gateway.http.head('/compat/screenshotone/take').query({ access_key: key, url: page }).expect(405);
  });
});
