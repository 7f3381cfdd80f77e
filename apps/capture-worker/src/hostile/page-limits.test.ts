import { setTimeout as sleep } from 'node:timers/promises';
import { contractForm } from '@capture/contract/forms/forms';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { receiptOf } from '../job/receipt.ts';
import {
  consoleLimits,
  dialogLimits,
  maxDocuments,
  maxKeptFailures,
  maxTitleLength,
  maxWatchedRequests,
} from '../limits.ts';
import { openForTests, readPixels, small } from '../worker.test-support.ts';

const timeout_ms = 120_000;

describe('limits of a page', () => {
  const { server, worker } = openForTests({ '/nothing': 'nothing', '/hangs': 'hang' }, { viewport: small });

  const serve = (html: string) => {
    server.serve({ '/page': `<!doctype html><body style="background: #00ff00">${html}` });
    return server.url('/page');
  };

  /** Captures again if a busy page did not report its facts in time. */
  const captureWithFacts = (url: string, options: Record<string, unknown> = {}) =>
    waitUntil(
      async () => {
        const captured = await worker.capture(url, { timeout_ms, ...options });
        return captured.report.page && captured;
      },
      { what: 'a page that reports its facts' },
    );

  it.each([
    ['reloads', '<script>onload = () => location.reload()</script>', 'B', 'NAVIGATION_FAILED'],
    ['navigates on', "<script>location.href = '?' + Math.random()</script>", 'B', 'NAVIGATION_FAILED'],
    ['refreshes itself', '<meta http-equiv="refresh" content="0; url=?">', 'A', 'URL_UNREACHABLE'],
  ] as const)(
    `a page that %s more than ${maxDocuments} times fails as redirecting too often`,
    async (_, html, form, code) => {
      const url = serve(html);
      const before = server.hits('/page');
      expect(await worker.fail(url, { timeout_ms, delay_ms: 30_000 }, contractForm(form))).toEqual({
        code,
        message: expect.stringMatching(/it has too many redirects/),
      });
      // The page may have requested a few more documents before it was closed.
      expect(server.hits('/page') - before).toBeLessThanOrEqual(maxDocuments + 5);
    },
  );

  it('the network is cut off after the maximum number of requests', async () => {
    const page = await worker.pool.take();
    page.activity.requests = maxWatchedRequests - 3;
    const url = serve(
      "<script>for (let n = 0; n < 10; n += 1) fetch('/nothing?' + n)</script><img src='/nothing?late'>",
    );
    await page.session.send('Page.navigate', { url });
    await waitUntil(() => page.activity.requests === maxWatchedRequests, { what: 'the last counted request' });
    await waitUntil(() => page.activity.document?.loaded, { what: 'the page' });
    expect(page.activity.requests).toBe(maxWatchedRequests);
    expect(page.activity.inFlight).toBe(0);
    const fetching = "fetch('/cut-off').then(() => 'passed', () => 'failed')";
    const { result } = await page.session.send('Runtime.evaluate', { expression: fetching, awaitPromise: true });
    expect(result.value).toBe('failed');
    // The server may still receive requests that the page sent before.
    expect(server.hits('/cut-off')).toBe(0);
    await page.close();
  });

  it('a page of more than the maximum number of requests at once is captured', async () => {
    const url = serve(
      `<script>for (let n = 0; n < ${maxWatchedRequests + 1_000}; n += 1) fetch('data:,' + n)</script>`,
    );
    const { report } = await worker.capture(url, { timeout_ms });
    expect(report).toMatchObject({ waitEnded: 'quiet', requests: maxWatchedRequests });
  });

  it('an event is not handled once for each request in flight', async () => {
    const page = await worker.pool.take();
    const listeners = () => page.page.listenerCount('requestfinished') + page.page.listenerCount('response');
    const before = listeners();
    const url = serve("<script>for (let n = 0; n < 100; n += 1) fetch('/hangs?' + n)</script>");
    await page.session.send('Page.navigate', { url });
    await waitUntil(() => page.activity.inFlight === 100, { what: 'the requests' });
    expect(listeners()).toBe(before);
    await page.close();
  });

  it('dialogs without end are dismissed slowly', async () => {
    const page = await worker.pool.take();
    await page.session.send('Page.navigate', { url: serve('<script>for (;;) alert(1)</script>') });
    await waitUntil(() => page.dialogs > dialogLimits.atOnce + 3, { what: 'many dialogs' });
    const from = performance.now();
    const before = page.dialogs;
    await sleep(1_000);
    const most = (performance.now() - from) / dialogLimits.thenWaitMs + 1;
    expect(page.dialogs - before).toBeLessThanOrEqual(most);
    await page.close();
  });

  it('errors are reported up to the maximum, and the capture completes', async () => {
    const url = serve(`<script>
      let reported = 0;
      const flood = () => { for (let n = 0; n < 2000; n += 1) Promise.reject('x'.repeat(1e4)); };
      addEventListener('unhandledrejection', (event) => { if (!event.defaultPrevented) document.title = reported += 1; });
      flood(); setInterval(flood, 300);
    </script>`);
    const { image, report } = await captureWithFacts(url, { delay_ms: 500 });
    expect((await readPixels(image)).at(50, 50)).toBe('#00ff00');
    expect(report.page?.errors).toHaveLength(consoleLimits.most);
    expect(Number(report.page?.title)).toBe(consoleLimits.enough);
  });

  it('the receipt of a page with megabytes of texts has kilobytes', async () => {
    const url = serve(`<script>
      document.title = 't'.repeat(1e6);
      for (let n = 0; n < 60; n += 1) console.error('e'.repeat(5e4));
      for (let n = 0; n < 60; n += 1) new Image().src = '/missing/' + 'i'.repeat(1e4) + n;
      history.pushState(0, '', '/' + 'p'.repeat(5e5));
    </script>`);
    const { report } = await captureWithFacts(url);
    expect(report.page?.title).toHaveLength(maxTitleLength);
    expect(report.failures?.length).toBeLessThanOrEqual(maxKeptFailures);
    const now = new Date();
    const receipt = receiptOf({ createdAt: now, startedAt: now }, report, { storingMs: 0 });
    expect(receipt.final_url).toHaveLength(500);
    expect(receipt.console_errors).toHaveLength(consoleLimits.most);
    // The receipt keeps 20 errors of 300 characters and 50 URLs of 500, and little else.
    expect(JSON.stringify(receipt).length).toBeLessThan(64 * 1024);
  });

  it('a card cuts off texts of megabytes', async () => {
    const long = (letter: string) => letter.repeat(2_000_000);
    const url = serve(`<title>${long('t')}</title><meta name="description" content="${long('d')}">
      <meta property="og:site_name" content="${long('s')}"><meta property="og:image" content="/${long('i')}">`);
    const { file } = await worker.render('og_image', { url, template: 'card', timeout_ms });
    expect([file.width, file.height]).toEqual([1200, 630]);
  });
});
