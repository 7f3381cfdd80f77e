import { describe, expect, it } from '@jest/globals';
import { onePixel } from '../../../test-gateway.ts';
import { startCompatGateway } from '../shared/compat.test-support.ts';

const { gateway, key, latest } = await startCompatGateway();
const path = '/compat/apiflash/v1/urltoimage';
const page = 'https://example.com/';
const get = (query: object) => gateway.http.get(path).query({ access_key: key, url: page, ...query });

describe('/v1/urltoimage of ApiFlash', () => {
  it('takes a screenshot by a query, with ApiFlash’s defaults and headers', async () => {
    const { headers, body } = await get({ full_page: true, no_cookie_banners: true, headers: 'a=1;b=2' }).expect(200);
    expect(body).toEqual(onePixel);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-quota-limit': '50000',
      'x-quota-remaining': headers['x-ratelimit-remaining'],
      'x-quota-reset': expect.stringMatching(/^\d{10}$/),
    });
    expect(latest().options).toMatchObject({
      full_page: true,
      block_cookie_banners: true,
      width: 1_920,
      height: 1_080,
    });
  });

  it('takes a screenshot by a form', async () => {
    await gateway.http
      .post(path)
      .type('form')
      .send({ access_key: key, url: page, format: 'png', delay: 2 })
      .expect(200);
    expect(latest().options).toMatchObject({ format: 'png', delay_ms: 2_000 });
    await gateway.http.post(path).field('url', page).field('access_key', key).expect(200);
    await gateway.http
      .post(path)
      .type('form')
      .send({ url: page })
      .expect(401, /needs an API key, as access_key/);
  });

  it('responds with JSON', async () => {
    const { body } = await get({ response_type: 'json' }).expect(200);
    expect(body).toEqual({ url: expect.stringContaining('/files/') });
  });

  it('responds with a status and a text for an error', async () => {
    await get({ access_key: 'wrong' })
      .expect(401)
      .expect('Content-Type', /^text\/plain/);
    await get({ extract_text: true }).expect(400, /extract_text is not supported: extraction is not supported/);
    await get({ url: `${page}slow` }).expect(400, /failed/);
    await get({ url: '' }).expect(400, /url is required/);
  });

  it('returns 402 when the month’s quota is used up', async () => {
    const free = await gateway.register('used-up@example.com', 'starter');
    const { id: accountId } = await gateway.database.prisma.account.findUniqueOrThrow({
      where: { email: 'used-up@example.com' },
    });
    await get({ access_key: free }).expect(200);
    await gateway.database.prisma.usage.updateMany({ where: { accountId }, data: { used: 2_000 } });
    await get({ access_key: free }).expect(402);
    const { body } = await gateway.http.get(`${path}/quota`).query({ access_key: free }).expect(200);
    expect(body).toEqual({ limit: 2_000, remaining: 0, reset: expect.any(Number) });
  });
});
