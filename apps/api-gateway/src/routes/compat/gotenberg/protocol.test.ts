import { describe, expect, it } from '@jest/globals';
import { Chromiumly, HtmlConverter, HtmlScreenshot, MarkdownConverter, UrlConverter, UrlScreenshot } from 'chromiumly';
import { onePixel } from '../../../test-gateway.ts';
import { startCompatGateway } from '../shared/compat.test-support.ts';

const { gateway, key, url, latest, latestHtml } = await startCompatGateway();
Chromiumly.configure({ endpoint: `${url}/compat/gotenberg`, username: 'gotenberg', password: key });
const page = 'https://example.com/';
const convert = '/compat/gotenberg/forms/chromium/convert';
const form = (path: string) => gateway.http.post(path).auth('any', key);

describe('the client of Gotenberg', () => {
  it('converts a URL with options, and with Gotenberg’s defaults', async () => {
    const file = await new UrlConverter().convert({
      url: page,
      properties: { size: { width: 8.27, height: '297mm' }, margins: { top: 1 }, landscape: true },
      header: Buffer.from('<p>Header</p>'),
      waitDelay: '1.5s',
      cookies: [{ name: 'a', value: '1', domain: 'example.com' }],
      emulatedMediaFeatures: [{ name: 'prefers-color-scheme', value: 'dark' }],
    });
    expect(file).toEqual(onePixel);
    expect(latest()).toMatchObject({ type: 'pdf', url: page });
    expect(latest().options).toMatchObject({
      ...{ paper_width: '8.27in', paper_height: '297mm', landscape: true, header_html: '<p>Header</p>' },
      ...{ margin: { top: '1in', left: '0.39in' }, delay_ms: 1_500, dark_mode: true, fail_on_status: ['4xx', '5xx'] },
    });
  });

  it('takes a screenshot of a URL, and of HTML', async () => {
    await new UrlScreenshot().capture({ url: page, properties: { format: 'jpeg', quality: 70, width: 1_024 } });
    expect(latest()).toMatchObject({ type: 'screenshot', options: { format: 'jpeg', quality: 70, width: 1_024 } });
    await new HtmlScreenshot().capture({ html: Buffer.from('<h1>Hello</h1>') });
    expect(latest()).toMatchObject({ type: 'screenshot', options: { full_page: true } });
    expect(await latestHtml()).toBe('<h1>Hello</h1>');
  });

  it('converts HTML with the files that it refers to', async () => {
    const html =
      '<link rel="stylesheet" href="style.css"><img src="./logo.png"><img src="https://example.com/logo.png">';
    await new HtmlConverter().convert({
      html: Buffer.from(html),
      assets: [
        { file: Buffer.from('body { background: url(logo.png) }'), name: 'style.css' },
        { file: onePixel, name: 'logo.png' },
      ],
    });
    const image = `data:image/png;base64,${onePixel.toString('base64')}`;
    const style = Buffer.from(`body { background: url(${image}) }`).toString('base64');
    expect(await latestHtml()).toBe(
      `<link rel="stylesheet" href="data:text/css;base64,${style}"><img src="${image}"><img src="https://example.com/logo.png">`,
    );
  });

  it('converts Markdown', async () => {
    await new MarkdownConverter().convert({
      html: Buffer.from('<body>{{ toHTML "file.md" }}</body>'),
      markdown: Buffer.from('# Hello\n\n*there*'),
    });
    expect(await latestHtml()).toBe('<body><h1>Hello</h1>\n<p><em>there</em></p>\n</body>');
  });

  it('is refused a page that becomes too large', async () => {
    const image = { file: Buffer.alloc(1024 * 1024), name: 'logo.png' };
    const html = Buffer.from('<img src="logo.png"><img src="logo.png">');
    await expect(new HtmlConverter().convert({ html, assets: [image] })).rejects.toThrow(
      /Status: 400 .*\n.*\nBody: .*index\.html must be at most 2 MB, with the files that it refers to/,
    );
  });

  it('gets status and text of an error', async () => {
    const converter = new UrlConverter();
    await expect(converter.convert({ url: `${page}gone` })).rejects.toThrow(
      /Status: 409 .*\n.*\nBody: The page .* failed/,
    );
    await expect(converter.convert({ url: page, userPassword: 'secret' })).rejects.toThrow(
      /Status: 400 .*\n.*\nBody: .*userPassword is not supported: PDFs are not post-processed/,
    );
    await expect(converter.convert({ url: page, webhook: { webhookUrl: page } })).rejects.toThrow(
      /Gotenberg-Webhook-Url is not supported/,
    );
  });
});

describe('the routes of Gotenberg', () => {
  it('name the file and the request as the client wishes', async () => {
    const response = await form(`${convert}/url`)
      .field('url', page)
      .set('Gotenberg-Output-Filename', 'report 1')
      .set('Gotenberg-Trace', 'trace-1')
      .expect(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="report 1.pdf"',
      'gotenberg-trace': 'trace-1',
    });
  });

  it('need a key, in Basic authentication or in a header', async () => {
    const { headers, text } = await gateway.http.post(`${convert}/url`).field('url', page).expect(401);
    expect(headers).toMatchObject({
      'www-authenticate': expect.stringMatching(/^Basic/),
      'content-type': /^text\/plain/ as unknown,
    });
    expect(text).toContain('as the password of Basic authentication or in the header X-Api-Key');
    await gateway.http.post(`${convert}/url`).set('X-Api-Key', key).field('url', page).expect(200);
  });

  it('name the fields that a form lacks', async () => {
    await form(`${convert}/url`)
      .field('scale', '1')
      .expect(400, /url is required/);
    await form(`${convert}/html`)
      .field('scale', '1')
      .expect(400, /index\.html is required, as a file/);
    await form(`${convert}/url`)
      .send({ url: page })
      .expect(415, /must be a form/);
    await form(`${convert}/url`)
      .set('Content-Type', 'multipart/form-data; boundary=x')
      .send('nonsense')
      .expect(400, /not a valid form/);
    await form(`${convert}/url`)
      .field('url', page)
      .field('paperwidth', '1')
      .expect(400, /paperwidth is not a known option of Gotenberg/);
    const crowd = Object.fromEntries(Array.from({ length: 1_002 }, (_, index) => [`f${index}`, '1']));
    await form(`${convert}/url`)
      .type('form')
      .send(crowd)
      .expect(400, /the form must have at most 1,000 parts/);
    await form('/compat/gotenberg/forms/libreoffice/convert').field('url', page).expect(404);
  });
});
