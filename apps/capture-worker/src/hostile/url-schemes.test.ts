import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { closedUrls } from '@capture/testing/network/hostile-addresses';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBrowserFolder, openForTests, readPixels } from '../worker.test-support.ts';

const lime = '#00ff00';
const quoted = (url: string) => url.replaceAll('"', '&quot;');

describe('a URL that is not http or https', () => {
  const { server, worker } = openForTests(
    { '/lime': `<!doctype html><body style="background: ${lime}">` },
    { account: 'account', viewport: { width: 600, height: 200 } },
  );
  /** A page on disk that the browser's user may read. */
  let file: string;
  let folder: ReturnType<typeof openBrowserFolder>;

  beforeAll(() => {
    folder = openBrowserFolder();
    const onDisk = path.join(folder.path, 'lime.html');
    file = pathToFileURL(onDisk).href;
    writeFileSync(onDisk, `<!doctype html><body style="background: ${lime}">`);
    chmodSync(onDisk, 0o644);
  });
  afterAll(() => folder.close());

  const redirect = (location: string) => ({ status: 302, headers: { location } });

  // The worker blocks the schemes that Chromium itself would open; other schemes go to the system, which has no handler.
  it.each([
    ['file:///etc/passwd', 'URL_BLOCKED'],
    ['File:/etc/passwd', 'URL_BLOCKED'],
    ['\\\\localhost/etc/passwd', 'URL_BLOCKED'],
    ['chrome://version/', 'URL_BLOCKED'],
    ['chrome-untrusted://terminal/', 'URL_BLOCKED'],
    ['devtools://devtools/bundled/inspector.html', 'URL_BLOCKED'],
    ['filesystem:http://127.0.0.1/temporary/x', 'URL_BLOCKED'],
    ['blob:http://127.0.0.1/6c6f7374-0000-4000-8000-000000000000', 'URL_BLOCKED'],
    ['data:text/html,x', 'URL_BLOCKED'],
    ['about:blank', 'URL_BLOCKED'],
    ['ws://127.0.0.1/', 'URL_BLOCKED'],
    ['javascript:1', 'NAVIGATION_FAILED'],
    ['view-source:http://127.0.0.1/', 'NAVIGATION_FAILED'],
    ['view-source:view-source:file:///etc/passwd', 'NAVIGATION_FAILED'],
    ['chrome-error://chromewebdata/', 'NAVIGATION_FAILED'],
    ['ftp://127.0.0.1/', 'NAVIGATION_FAILED'],
    ['mailto:a@example.com', 'NAVIGATION_FAILED'],
  ])('fails as the target of a redirect: %s is %s', async (url, code) => {
    server.serve({ '/start': redirect(url) });
    expect(await worker.fail(server.url('/start'))).toMatchObject({ code });
  });

  it('is not opened by a script, a link or a form of the page', async () => {
    // The page can navigate to these URLs; the next test covers them.
    const navigating = /^(\\\\|javascript:|about:|wss?:|chrome-untrusted:)/;
    const urls = [file, ...closedUrls.filter((url) => !navigating.test(url))];
    server.serve({
      '/tries': `<!doctype html><body style="background: #ff0000">
        ${urls.map((url) => `<a href="${quoted(url)}">x</a><form action="${quoted(url)}"></form>`).join('')}
        <script>
          onload = async () => {
            for (const url of ${JSON.stringify(urls)}) {
              try { location.href = url } catch {}
              await new Promise((done) => setTimeout(done));
            }
            for (const link of document.links) link.click();
            for (const form of document.forms) form.submit();
            document.body.append(Object.assign(document.createElement('p'), { id: 'tried' }));
          };
        </script>`,
    });
    const { image, report } = await worker.capture(server.url('/tries'), { wait_for_selector: '#tried' });
    expect(report.finalUrl).toMatch(/^http:.*\/tries\??$/);
    expect((await readPixels(image)).at(500, 150)).toBe('#ff0000');
  });

  it.each([
    ['chrome-untrusted://terminal/', 'NAVIGATION_FAILED'],
    ['wss://127.0.0.1/', 'URL_BLOCKED'],
    ['about:version', 'NAVIGATION_FAILED'],
  ])('fails as the target of a script: %s is %s', async (url, code) => {
    server.serve({ '/start': `<script>onload = () => { location.href = '${url}' }</script>` });
    expect(await worker.fail(server.url('/start'), { delay_ms: 300 })).toMatchObject({ code });
  });

  /** A page with every kind of element that shows a document, each of 100 × 100 pixels. */
  const frames = (url: string) => {
    const size = 'style="position: absolute; border: 0; width: 100px; height: 100px;';
    return `<!doctype html><body style="background: #ff0000">
      <iframe src="${url}" ${size} left: 0; top: 0"></iframe>
      <object data="${url}" ${size} left: 100px; top: 0"></object>
      <embed src="${url}" ${size} left: 200px; top: 0">
      <iframe src="/to" ${size} left: 300px; top: 0"></iframe>
      <iframe srcdoc="<meta http-equiv=refresh content='0;url=${url}'>" ${size} left: 400px; top: 0"></iframe>
      <script>
        fetch('${url}').then((response) => response.text()).then((text) => { document.title = text }, () => undefined);
      </script>`;
  };
  const captureFrames = async (url: string) => {
    server.serve({ '/to': redirect(url), '/frames': frames(url) });
    const { image, report } = await worker.capture(server.url('/frames'), { delay_ms: 300 });
    const pixels = await readPixels(image);
    return { places: [0, 1, 2, 3, 4].filter((place) => pixels.at(place * 100 + 50, 50) === lime), report };
  };

  it('is neither shown in frames nor read by scripts', async () => {
    const [{ places, report }, { file: image }] = await Promise.all([
      captureFrames(file),
      worker.render('screenshot', { html: frames(file), delay_ms: 300 }),
    ]);
    expect(places).toEqual([]);
    expect(report.page?.title).toBe('');
    const pixels = await readPixels(image);
    expect([0, 1, 2, 3, 4].map((place) => pixels.at(place * 100 + 50, 50))).not.toContain(lime);
    // Over http, every element shows the same page.
    const web = await captureFrames(server.url('/lime'));
    expect(web.places).toEqual([0, 1, 2, 3, 4]);
    expect(web.report.page?.title).toContain(lime);
  });

  it('does not prevent the capture of a page that embeds it', async () => {
    const all = closedUrls.map(
      (url) => `<iframe src="${quoted(url)}"></iframe><object data="${quoted(url)}"></object>`,
    );
    server.serve({ '/all': `<!doctype html>${all.join('')}` });
    const { report } = await worker.capture(server.url('/all'));
    expect(report.finalUrl).toBe(server.url('/all'));
  });
});
