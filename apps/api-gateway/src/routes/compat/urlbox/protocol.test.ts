import { waitUntil } from '@capture/testing/wait-until';
import { beforeAll, describe, expect, it } from '@jest/globals';
import Urlbox from 'urlbox';
import { onePixel } from '../../../test-gateway.ts';
import { startCompatGateway } from '../shared/compat.test-support.ts';

const { gateway, key, captures, latest } = await startCompatGateway();
const prefix = '/compat/urlbox/v1/';
const page = 'https://example.com/';
const post = (path: string, body: object) =>
  gateway.http.post(`${prefix}render/${path}`).set('Authorization', `Bearer ${key}`).send(body);

/** The path of a link, without its host. */
const pathOf = (link: string) => {
  const { pathname, search } = new URL(link);
  return pathname + search;
};

describe('/v1/render of Urlbox', () => {
  it('renders and responds with a link, or with the bytes', async () => {
    const { body, headers } = await post('sync', { url: 'example.com', full_page: true, retina: true }).expect(200);
    expect(body).toEqual({
      renderUrl: expect.stringContaining('/files/'),
      size: onePixel.length,
      renderTime: expect.any(Number),
      queueTime: expect.any(Number),
    });
    await gateway.http.get(pathOf(body.renderUrl)).expect(200, onePixel);
    expect(headers).toMatchObject({ 'x-renders-allowed': '50000', 'x-renders-used': '1' });
    expect(latest()).toMatchObject({ url: 'http://example.com', options: { full_page: true, device_scale_factor: 2 } });
    await post('sync', { url: page, format: 'pdf', response_type: 'binary' }).expect('Content-Type', 'application/pdf');
  });

  it('renders by the paths of Urlbox’s command line too', async () => {
    const send = (path: string) =>
      gateway.http.post(`${prefix}${path}`).set('Authorization', `Bearer ${key}`).send({ url: page });
    const { body } = await send('screenshot').expect(200);
    expect(body).toMatchObject({ renderUrl: expect.stringContaining('/files/') });
    const later = await send('screenshot/async').expect(201);
    expect(later.body).toMatchObject({ status: 'created', renderId: expect.any(String) });
  });

  it('renders asynchronously, and reports the status', async () => {
    const { body } = await post('async', { url: page }).expect(201);
    expect(body).toEqual({ status: 'created', renderId: expect.any(String), statusUrl: expect.any(String) });
    const status = async () =>
      (await gateway.http.get(pathOf(body.statusUrl)).set('Authorization', `Bearer ${key}`).expect(200)).body;
    await waitUntil(async () => (await status()).status === 'succeeded', { what: 'the end of the render' });
    expect(await status()).toMatchObject({ renderId: body.renderId, renderUrl: expect.stringContaining('/files/') });
  });

  it('reports why a render failed', async () => {
    const { body } = await post('async', { url: `${page}gone` }).expect(201);
    const status = () => gateway.http.get(pathOf(body.statusUrl)).set('Authorization', `Bearer ${key}`);
    await waitUntil(async () => (await status()).body.status === 'failed', { what: 'the end of the render' });
    expect((await status()).body.error).toMatchObject({ code: 'HTTP_STATUS' });
    const failed = await post('sync', { url: `${page}unreachable` }).expect(400);
    expect(failed.body).toEqual({
      error: { message: expect.stringContaining('failed'), code: 'NAVIGATION_FAILED' },
      requestId: expect.stringMatching(/^req_/),
    });
  });

  it('refuses options without a counterpart', async () => {
    const { body } = await post('sync', { url: page, proxy: 'a:b@proxy.test' }).expect(400);
    expect(body.error).toEqual({
      // Urlbox's command line recognizes a wrong option by this code.
      code: 'InvalidOptions',
      message: expect.stringContaining('proxy is not supported: captures use the network of the platform'),
    });
    await post('sync', { url: page, response_type: 'base64' }).expect(400);
    await post('async', { url: page, webhook_url: 'https://hooks.example.com/' }).expect(400);
    const stranger = await gateway.http.post(`${prefix}render/sync`).send({ url: page }).expect(401);
    expect(stranger.body.error.code).toBe('NoApiKeySupplied');
  });
});

describe('the render links of Urlbox', () => {
  const own = (path: string) => `/api/v1/${path}`;
  let keyId: string;
  let secret: string;
  beforeAll(async () => {
    keyId = (await gateway.as(key).get(own('keys')).expect(200)).body.keys[0].id;
    secret = (await gateway.as(key).post(own('links/secret')).expect(201)).body.secret;
  });
  const linkOf = (options: object) =>
    pathOf(Urlbox(keyId, secret, `http://gateway.test${prefix}`).generateRenderLink({ url: page, ...options }));

  it('of Urlbox’s client render once, and then show the stored file', async () => {
    const link = linkOf({ full_page: true, hide_selector: '.chat,#news', width: 1_000 });
    const { headers } = await gateway.http.get(link).expect(200, onePixel);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': expect.stringMatching(/max-age=25\d{5}/),
    });
    expect(latest().options).toMatchObject({ full_page: true, width: 1_000, remove_selectors: ['.chat', '#news'] });
    const { length } = captures;
    await gateway.http.get(link).expect(200, onePixel);
    expect(captures).toHaveLength(length);
    await gateway.http.get(linkOf({ format: 'pdf' })).expect('Content-Type', 'application/pdf');
  });

  it('are refused when they are changed, or have an option that no link may have', async () => {
    const { body } = await gateway.http.get(`${linkOf({ width: 1_000 })}0`).expect(403);
    expect(body.error).toMatchObject({ code: 'LINK_INVALID' });
    await gateway.http.get(linkOf({ cookie: 'a=1' })).expect(400, /cookie cannot be part of a link/);
    await gateway.http.get(linkOf({ ttl: 5 })).expect(400, /ttl must be at least 60/);
    await gateway.http.get(linkOf({ proxy: 'a:b@proxy.test' })).expect(400, /proxy is not supported/);
    await gateway.http.get(linkOf({ url: `${page}gone` })).expect(400, /HTTP_STATUS/);
  });
});
