import type { IncomingMessage, ServerResponse } from 'node:http';
import { contractForm } from '@capture/contract/forms/forms';
import { openPageServer } from '@capture/testing/network/page-server';
import { describe, expect, it } from '@jest/globals';
import {
  openForTests,
  openSecretForTests,
  openTestWorker,
  readPixels,
  small,
  type TestWorker,
} from '../worker.test-support.ts';

const green = '#00ff00';

describe('waiting', () => {
  const { server, worker } = openForTests(
    {
      '/never': 'hang',
      '/data': { delayMs: 100, headers: { 'content-type': 'application/json' }, body: '{"next":"/more"}' },
      '/more': { delayMs: 100, headers: { 'content-type': 'application/json' }, body: '{}' },
      '/green.css': { delayMs: 200, headers: { 'content-type': 'text/css' }, body: `body { background: ${green} }` },
    },
    { size: 4, account: 'account', viewport: { width: 200, height: 100 } },
  );

  const turnGreen = `document.body.style.background = '${green}'`;
  let pages = 0;
  const serve = (body: string, head = '') => {
    pages += 1;
    server.serve({ [`/page-${pages}`]: `<!doctype html>${head}<body>${body}` });
    return server.url(`/page-${pages}`);
  };

  async function color(url: string, options: Parameters<TestWorker['capture']>[1] = {}): Promise<[string, string]> {
    const { image, report } = await worker.capture(url, options);
    return [(await readPixels(image)).at(150, 90), report.waitEnded ?? ''];
  }

  it('shows content that is fetched after the load event', async () => {
    const url = serve(
      `<script>onload = () => setTimeout(() => fetch('/data').then(() => { ${turnGreen} }), 0)</script>`,
    );
    expect(await color(url)).toEqual([green, 'quiet']);
    expect(await color(url, { wait_until: 'networkidle' })).toEqual([green, 'networkidle']);
    const pending = serve(
      `<script>onload = () => setTimeout(() => fetch('/never').then(() => { ${turnGreen} }), 0)</script>`,
    );
    expect(await color(pending, { wait_until: 'load' })).toEqual(['#ffffff', 'load']);
  });

  it('waits for a short body that comes long after its headers', async () => {
    server.serve({
      '/slow-body': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 });
        response.flushHeaders();
        setTimeout(() => response.end('ok'), 1_200);
      },
    });
    const url = serve(
      `<script>fetch('/slow-body').then((response) => response.text()).then(() => { ${turnGreen} })</script>`,
    );
    expect(await color(url)).toEqual([green, 'quiet']);
  });

  it('waits for requests that a response triggers', async () => {
    const url = serve(`<script>
      fetch('/data').then((response) => response.json()).then(({ next }) => fetch(next)).then(() => { ${turnGreen} });
    </script>`);
    expect(await color(url)).toEqual([green, 'quiet']);
  });

  it('adds delay_ms', async () => {
    const greenAfter = (ms: number) => serve(`<script>setTimeout(() => { ${turnGreen} }, ${ms})</script>`);
    expect(await color(greenAfter(600_000))).toEqual(['#ffffff', 'quiet']);
    expect(await color(greenAfter(600), { delay_ms: 1_500 })).toEqual([green, 'quiet']);
  });

  it('domcontentloaded does not wait for images', async () => {
    const url = serve(`<script>${turnGreen}</script><img src="/never">`);
    expect(await color(url, { wait_until: 'domcontentloaded' })).toEqual([green, 'domcontentloaded']);
  });

  it('ends for pages on which something never loads', async () => {
    const shown = (body: string, head = '') => color(serve(`<script>${turnGreen}</script>${body}`, head));
    const cases = {
      image: shown('<img src="/never">'),
      frame: shown('<iframe src="/never"></iframe>'),
      requestAfterLoad: shown('<script>onload = () => fetch("/never")</script>'),
      streamOfEvents: shown('<script>new EventSource("/never")</script>'),
      video: shown('<video src="/never" autoplay></video>'),
      beacon: shown('<script>navigator.sendBeacon("/never")</script>'),
      blockingStyleSheet: shown('text', '<head><link rel="stylesheet" href="/never">'),
      blockingScript: shown('text', '<head><script src="/never"></script>'),
    };
    const ends = await Promise.all(Object.entries(cases).map(async ([name, end]) => [name, await end] as const));
    expect(Object.fromEntries(ends)).toEqual({
      image: [green, 'stalled'],
      frame: [green, 'stalled'],
      requestAfterLoad: [green, 'in flight'],
      streamOfEvents: [green, 'quiet'],
      video: [green, 'stalled'],
      beacon: [green, 'quiet'],
      blockingStyleSheet: [green, 'cut off'],
      blockingScript: [green, 'cut off'],
    });
  });

  it('waits for a document as long as it still arrives, and while it opens dialogs', async () => {
    const inSeconds =
      (seconds: number, end: string, type = 'html') =>
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': `text/${type}` }).flushHeaders();
        const writing = setInterval(() => response.write('<p>more</p>'), 500);
        const ending = setTimeout(() => response.end(end), seconds * 1_000);
        response.once('close', () => {
          clearInterval(writing);
          clearTimeout(ending);
        });
      };
    const end = `<script>${turnGreen}</script>`;
    server.serve({
      '/slow': inSeconds(13, end),
      '/endless': inSeconds(60, end),
      '/dripping': inSeconds(60, '', 'css'),
    });
    const asking = serve(`<script>for (let n = 0; n < 160; n += 1) alert(n)</script>${end}`);
    const slow = color(server.url('/slow'));
    const endless = color(server.url('/endless'), { timeout_ms: 4_000 });
    // The wait for a document's resources takes 12 s, not two thirds of the time.
    const loading = worker.capture(serve('<link rel="stylesheet" href="/dripping"><p>text'));
    expect(await Promise.all([slow, endless, color(asking)])).toEqual([
      [green, 'quiet'],
      ['#ffffff', 'stalled'],
      [green, 'quiet'],
    ]);
    const { report } = await loading;
    expect(report.waitingMs).toBeGreaterThan(11_000);
    expect(report.waitingMs).toBeLessThan(16_000);
  });

  it('is not affected by page scripts that replace built-ins', async () => {
    const url = serve(`<script>
      ${turnGreen};
      window.requestAnimationFrame = () => 0;
      window.Promise = function () { throw new Error('mine'); };
      Element.prototype.decode = Array.prototype.map = () => { throw new Error('mine'); };
    </script>`);
    expect(await color(url)).toEqual([green, 'quiet']);
    expect(await color(url, { full_page: true })).toEqual([green, 'quiet']);
  });

  it('follows a page that navigates', async () => {
    server.serve({ '/next': `<!doctype html><link rel="stylesheet" href="/green.css"><body>next` });
    expect((await color(serve('<script>location = "/next"</script>')))[0]).toBe(green);
    expect((await color(serve('<meta http-equiv="refresh" content="0;url=/next">')))[0]).toBe(green);
    expect((await color(serve('<script>onload = () => { location = "/next" }</script>')))[0]).toBe(green);
  });
});

describe('pages that are blocked or cannot be opened', () => {
  const { server, worker } = openForTests({ '/fine': 'fine' }, { account: 'account', viewport: small });
  const secret = openSecretForTests({ '/': 'secret' });

  it.each([
    () => secret.url(),
    () => secret.url('/', 'localhost'),
    () => secret.url('/', '2130706433'),
    () => secret.url('/', '[::ffff:127.0.0.1]'),
    () => secret.url().replace('http:', 'https:'),
    () => 'http://169.254.169.254/latest/meta-data/',
    () => 'https://[fd00:ec2::254]/',
  ])('fails a blocked address with URL_BLOCKED (%#)', async (url) => {
    expect(await worker.fail(url())).toMatchObject({ code: 'URL_BLOCKED' });
  });

  it.each<[string, (to: string) => object | string]>([
    ['a redirect', (to) => ({ status: 302, headers: { location: to } })],
    ['a redirect that keeps the method', (to) => ({ status: 307, headers: { location: to } })],
    ['a meta refresh', (to) => `<meta http-equiv="refresh" content="0;url=${to}">`],
    ['a script', (to) => `<script>location = '${to}'</script>`],
    [
      'a script after the load event',
      (to) => `<script>onload = () => setTimeout(() => { location = '${to}' }, 50)</script>`,
    ],
    ['a form', (to) => `<form action="${to}" method="post"></form><script>document.forms[0].submit()</script>`],
  ])('fails %s to a blocked address with URL_BLOCKED', async (_, make) => {
    server.serve({ '/leads': make(secret.url()) as never });
    // The delay lets the navigation happen: a screenshot of the page before would be correct.
    expect(await worker.fail(server.url('/leads'), { delay_ms: 400 })).toMatchObject({ code: 'URL_BLOCKED' });
  });

  it.each<[string, (to: string) => object | string]>([
    ['a redirect', (to) => ({ status: 302, headers: { location: to } })],
    ['a script', (to) => `<script>location = '${to}'</script>`],
  ])('fails %s to a blocked name, and to a blocked address by https, with URL_BLOCKED', async (_, make) => {
    for (const target of [secret.url('/', 'localhost'), secret.url().replace('http:', 'https:')]) {
      server.serve({ '/leads': make(target) as never });
      expect(await worker.fail(server.url('/leads'), { delay_ms: 400 })).toMatchObject({ code: 'URL_BLOCKED' });
    }
  });

  it('leaves out blocked resources of a page', async () => {
    const url = secret.url();
    server.serve({
      '/embeds': `<iframe src="${url}"></iframe><img src="${url}"><script src="${url}"></script><p>fine`,
    });
    const { report } = await worker.capture(server.url('/embeds'));
    expect(report.egress?.blocked).toBeGreaterThanOrEqual(3);
  });

  it.each(['about:blank', "URL.createObjectURL(new Blob(['x'], { type: 'text/html' }))"])(
    'fails a page that navigates to %s',
    async (target) => {
      const to = target.startsWith('about') ? `'${target}'` : target;
      server.serve({ '/leaves': `<script>onload = () => { location = ${to} }</script>` });
      expect(await worker.fail(server.url('/leaves'))).toMatchObject({ code: 'NAVIGATION_FAILED' });
    },
  );

  const unreachable = {
    A: { code: 'URL_UNREACHABLE', sentence: /[^.]\.$/ },
    B: { code: 'NAVIGATION_FAILED', sentence: /^Could not navigate to the URL: .*[^.]\.$/ },
  };
  it.each<[string, 'A' | 'B', () => string, RegExp]>([
    [
      'an unknown host',
      'B',
      () => 'http://no-such-name.invalid/',
      /the name no-such-name\.invalid could not be resolved/,
    ],
    [
      'an unknown host, https',
      'A',
      () => 'https://no-such-name.invalid/',
      /the name no-such-name\.invalid could not be resolved/,
    ],
    ['a server without TLS', 'B', () => server.url().replace('http:', 'https:'), /no trusted TLS connection/],
    ['a file to download', 'A', () => server.url('/file'), /a file to download \(application\/zip\), not a page/],
    ['a PDF', 'B', () => server.url('/pdf'), /a file to download \(application\/pdf\), not a page/],
    ['a response without content', 'A', () => server.url('/empty'), /status 204, which has no content/],
    ['endless redirects', 'B', () => server.url('/loop'), /too many redirects/],
    ['a server that hangs up', 'A', () => server.url('/hangs-up'), /closed the connection before it/],
  ])('%s fails with its reason and the code of form %s', async (_, form, url, reason) => {
    server.serve({
      '/file': { headers: { 'content-type': 'application/zip' }, body: 'PK' },
      '/pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7' },
      '/empty': { status: 204 },
      '/loop': { status: 302, headers: { location: '/loop' } },
      '/hangs-up': (request) => request.socket.destroy(),
    });
    const failure = await worker.fail(url(), {}, contractForm(form));
    expect(failure).toEqual({ code: unreachable[form].code, message: expect.stringMatching(reason) });
    expect(failure.message).toMatch(unreachable[form].sentence);
    expect(failure.message).not.toMatch(/net::|ERR_/);
  });

  it('reports a refused connection', async () => {
    const gone = await openPageServer({});
    await gone.close();
    const other = await openTestWorker({ allow: '127.0.0.1/32' });
    expect(await other.fail(gone.url())).toEqual({
      code: 'NAVIGATION_FAILED',
      message: expect.stringMatching(/: 127\.0\.0\.1:\d+ refused the connection\.$/),
    });
    await other.close();
  });
});
