import { describe, expect, it } from '@jest/globals';
import { openForTests, openSecretForTests, type Pixels, readPixels } from '../worker.test-support.ts';

const red = '#ff0000';
const green = '#00ff00';

describe('the option html', () => {
  const { server, worker } = openForTests(
    {
      '/green.css': { delayMs: 200, headers: { 'content-type': 'text/css' }, body: `body { background: ${green} }` },
      '/data': { delayMs: 200, headers: { 'access-control-allow-origin': 'null' }, body: green },
      '/red': `<!doctype html><body style="background:${red}">`,
      '/never': 'hang',
    },
    { account: 'account', viewport: { width: 400, height: 300 } },
  );
  const secret = openSecretForTests({ '/': { headers: { 'access-control-allow-origin': '*' }, body: 'secret' } });

  async function capture(html: string, options: Record<string, unknown> = {}): Promise<Pixels> {
    const { file } = await worker.render('screenshot', { html, ...options });
    return readPixels(file);
  }

  it('renders the document with the style sheets and data that it loads', async () => {
    const sheet = `<!doctype html><title>Größe</title><link rel="stylesheet" href="${server.url('/green.css')}"><p>text`;
    const { file, report } = await worker.render('screenshot', { html: sheet });
    expect((await readPixels(file)).at(200, 200)).toBe(green);
    expect(report).toMatchObject({
      finalUrl: 'about:blank',
      httpStatus: null,
      page: { title: 'Größe' },
      waitEnded: 'quiet',
    });
    const script = `<body><script>fetch('${server.url('/data')}').then((response) => response.text())
      .then((color) => { document.body.style.background = color })</script>`;
    expect((await capture(script)).at(200, 200)).toBe(green);
  });

  it('has the touch events of its device, on a page that was used before too', async () => {
    const html = `<body><script>document.body.style.background = 'ontouchstart' in window ? '${green}' : '${red}'</script>`;
    expect((await capture(html)).at(200, 200)).toBe(red);
    expect((await capture(html, { device: 'iPhone 15 Pro' })).at(200, 200)).toBe(green);
    expect((await capture(html)).at(200, 200)).toBe(red);
  });

  it('respects the doctype, and has an opaque origin', async () => {
    const check = `document.compatMode === 'CSS1Compat' && location.href === 'about:blank' && self.origin === 'null' && !isSecureContext`;
    const html = `<!doctype html><body><script>if (${check}) document.body.style.background = '${green}'</script>`;
    expect((await capture(html)).at(200, 200)).toBe(green);
  });

  it('renders all of a 2 MB document', async () => {
    const rows = `<p style="margin:0;height:1px" title="${'x'.repeat(1_900)}"></p>`.repeat(1_000);
    const { file } = await worker.render('screenshot', {
      html: `<!doctype html><body style="margin:0;width:100px;overflow-x:hidden">${rows}`,
      width: 100,
      full_page: true,
    });
    expect(file.height).toBe(1_000);
  });

  it('cannot reach blocked addresses', async () => {
    const html = `<body style="background:${green}"><img src="${secret.url('/')}"><iframe src="${secret.url('/')}"></iframe>
      <script>fetch('${secret.url('/')}').then(() => { document.body.style.background = '${red}' })</script>
      <iframe src="file:///etc/passwd"></iframe>`;
    const { file, report } = await worker.render('screenshot', { html });
    expect((await readPixels(file)).at(350, 280)).toBe(green);
    expect(report.egress?.blocked).toBeGreaterThan(0);
  });

  it('follows a document that navigates, and checks the new page', async () => {
    expect((await capture(`<script>location = '${server.url('/red')}'</script>`)).at(200, 200)).toBe(red);
    const failure = await worker.failRender('screenshot', {
      html: `<meta http-equiv="refresh" content="0;url=${secret.url('/')}">`,
    });
    expect(failure.code).toBe('URL_BLOCKED');
  });

  it('supports wait_until, click, css and fail_on_status', async () => {
    const html = `<a id="go">go</a><script>go.onclick = () => { document.body.style.background = '${green}' }</script>`;
    for (const wait_until of ['domcontentloaded', 'load', 'networkidle', 'auto']) {
      expect((await capture(html, { wait_until, click: '#go' })).at(200, 200)).toBe(green);
    }
    expect((await capture('<p>', { css: `body { background: ${green} }`, fail_on_status: ['4xx'] })).at(200, 200)).toBe(
      green,
    );
  });

  it('does not wait for a resource that never loads', async () => {
    expect((await capture(`<body style="background:${green}"><img src="${server.url('/never')}">`)).at(200, 200)).toBe(
      green,
    );
  });

  it('reports console errors', async () => {
    const { report } = await worker.render('screenshot', {
      html: '<script>console.error("written"); thrown()</script>',
    });
    expect(report.page?.errors).toEqual(['written', 'Uncaught ReferenceError: thrown is not defined']);
  });
});
