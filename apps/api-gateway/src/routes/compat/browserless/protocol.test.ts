import { describe, expect, it } from '@jest/globals';
import { onePixel } from '../../../test-gateway.ts';
import { startCompatGateway } from '../shared/compat.test-support.ts';

const { gateway, key, latest } = await startCompatGateway();
const page = 'https://example.com/';
/** Sends a request as in the examples of browserless' documentation. */
const post = (path: string, body: object) =>
  gateway.http
    .post(`/compat/browserless${path}`)
    .query({ token: key })
    .set('Content-Type', 'application/json')
    .send(body);

describe('the routes of browserless', () => {
  it('take a screenshot with the options of Puppeteer', async () => {
    const { headers, body } = await post('/screenshot', {
      url: page,
      options: { fullPage: true, type: 'jpeg', quality: 75, encoding: 'binary' },
      gotoOptions: { waitUntil: 'networkidle2', timeout: 0 },
      viewport: { width: 1_280, height: 720 },
      cookies: [{ name: 'a', value: '1', url: page }],
    }).expect(200);
    expect(headers['content-type']).toBe('image/jpeg');
    expect(body).toEqual(onePixel);
    expect(latest().options).toMatchObject({ full_page: true, format: 'jpeg', quality: 75, timeout_ms: 120_000 });
    await post('/chromium/screenshot?blockAds=true', { url: page }).expect(200);
    expect(latest().options).toMatchObject({ block_ads: true, width: 800, height: 600 });
  });

  it('print a PDF', async () => {
    const options = { format: 'A4', printBackground: true, displayHeaderFooter: true, footerTemplate: '<p>F</p>' };
    const { headers } = await post('/chrome/pdf', { html: '<h1>Hello</h1>', options }).expect(200);
    expect(headers['content-type']).toBe('application/pdf');
    expect(latest()).toMatchObject({ type: 'pdf', options: { paper: 'A4', footer_html: '<p>F</p>' } });
  });

  it('send the whole document as rendered', async () => {
    for (const path of ['/content', '/chrome/content', '/chromium/content']) {
      const { headers, text } = await post(path, { url: page, gotoOptions: { waitUntil: 'networkidle0' } }).expect(200);
      expect(headers['content-type']).toMatch(/^text\/html/);
      expect(headers).not.toHaveProperty('x-capture-ignored');
      expect(text).toBe('The output document.');
      expect(latest()).toMatchObject({
        type: 'content',
        options: { format: 'html', only_main_content: false, wait_until: 'networkidle' },
      });
    }
  });

  it.each([
    ['a query', (path: string) => `${path}?token=${key}`, {}],
    ['Bearer', (path: string) => path, { Authorization: `Bearer ${key}` }],
    ['Basic', (path: string) => path, { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }],
  ])('take the key from %s', async (_, at, headers) => {
    await gateway.http.post(at('/compat/browserless/pdf')).set(headers).send({ url: page }).expect(200);
  });

  it('respond with a status and a text for an error', async () => {
    const wrong = await gateway.http.post('/compat/browserless/pdf?token=wrong').send({ url: page }).expect(401);
    expect(wrong.headers['content-type']).toMatch(/^text\/plain/);
    await post('/screenshot', { url: `${page}slow` }).expect(408, /failed/);
    await post('/screenshot', { url: page, viewport: { width: 'wide' } }).expect(
      400,
      /viewport\.width is not a number/,
    );
    await post('/screenshot', { url: page, waitForFunction: { fn: '() => true' } }).expect(
      400,
      /waitForFunction is not supported/,
    );
    await post('/screenshot', { url: page, options: { encoding: 'base64' } }).expect(
      400,
      /options\.encoding is not supported/,
    );
    await post('/screenshot', []).expect(400, /must be a JSON object/);
    await post('/content', { url: page, waitForFunction: { fn: '() => true' } }).expect(400, /waitForFunction/);
    await post('/function', {}).expect(404);
  });
});
