import type { IncomingMessage, ServerResponse } from 'node:http';
import { captureKinds } from '@capture/contract/options/capture-options';
import { newId } from '@capture/database/ids';
import type { Page } from '@capture/testing/network/page-server';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CapturePage } from '../page/capture-page.ts';
import { crashPages, openForTests } from '../worker.test-support.ts';
import { environmentPage, tracesPage } from './share-page.test-support.ts';
import { SharedPages } from './shared-pages.ts';

/** Waits for the page's own signal, so that the result is the same under load. */
const whenDone = { wait_until: 'load', wait_for_selector: '#done' };

describe('items of a batch with share_page', () => {
  const script = { headers: { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' } };
  const traces = { headers: { 'permissions-policy': 'browsing-topics=()' } };
  const crashOnce = async (_: IncomingMessage, response: ServerResponse) => {
    if (server.hits('/crash.png') === 1) await crashPages(worker);
    else response.writeHead(204).end();
  };
  const pages: Record<string, Page> = {
    '/page': '<!doctype html><title>page</title><script src="/cached.js"></script><p id="done">',
    '/cached.js': { ...script, body: 'document.title += " with its script"' },
    '/environment': environmentPage,
    '/once.js': script,
    '/worker.js': { ...script, body: 'addEventListener("fetch", () => {})' },
    '/shared.js': { ...script, body: 'onconnect = () => {}' },
    '/frame': { ...traces, body: tracesPage() },
    '/hang': 'hang',
    '/gone': { status: 404 },
    '/lead': { status: 302, headers: { location: '/faulty' } },
    '/faulty': '<!doctype html><title>faulty</title><script>throw Error("oh")</script><img src="/gone"><p id="done">',
    '/crash': '<!doctype html><img src="/crash.png"><p id="done">',
    '/crash.png': crashOnce,
    '/sharing': '<!doctype html><script>new SharedWorker("/shared.js")</script><p id="done">',
    '/hanging': '<!doctype html><img src="/hang"><p id="done">',
    '/asking': '<!doctype html><script>for (let i = 0; i < 5; i++) alert(i)</script><p id="done">',
    '/hints': { headers: { 'accept-ch': 'DPR' }, body: '<!doctype html><p id="done">' },
  };
  const { server, worker } = openForTests(pages, { size: 2 });

  beforeAll(() => {
    server.serve({
      '/refused': `<!doctype html><img src="${server.url('/', '127.0.0.2')}"><p id="done">`,
      '/traces': tracesPage(server.url('/frame', 'localhost')),
    });
  });

  const item = (batchId: string, path: string, options: object = {}) =>
    worker.item(batchId, { url: path.startsWith('/') ? server.url(path) : path, ...whenDone, ...options });
  const titleOf = async (batchId: string, path: string, options?: object) =>
    (await item(batchId, path, options)).report.page?.title;

  it('use one page and its cache in turn; other batches and captures do not', async () => {
    const batch = newId('batch');
    for (const round of [1, 2, 3]) {
      const { report } = await item(batch, `/page?${round}`);
      expect(report).toMatchObject({ requests: 2, failedRequests: 0, httpStatus: 200, tries: 1 });
      expect(report.page?.title).toBe('page with its script');
      // No connection serves two items; whether one serves two requests is up to the browser.
      expect([1, 2]).toContain(report.egress?.connections);
    }
    expect(server.hits('/cached.js')).toBe(1);
    await item(newId('batch'), '/page');
    expect(server.hits('/cached.js')).toBe(2);
    await worker.capture(server.url('/page'));
    expect(server.hits('/cached.js')).toBe(3);
    await item(batch, '/page');
    expect(server.hits('/cached.js')).toBe(3);
  });

  it('find no traces of another item, in the page or in a cross-site frame', async () => {
    const batch = newId('batch');
    const traces = 'name cookie local session cache database files worker history';
    const title = `page: found nothing, left ${traces}; frame: found nothing, left ${traces.replace(/cookie | history/g, '')}`;
    expect(await titleOf(batch, '/traces')).toBe(title);
    expect(worker.sharedPages.idle).toBeGreaterThan(0);
    expect(await titleOf(batch, '/traces')).toBe(title);
    expect(await titleOf(batch, '/traces')).toBe(title);
    // All three used one page: its script came from the cache.
    expect(server.hits('/once.js')).toBe(1);
  });

  it('find no options of another item', async () => {
    const batch = newId('batch');
    const separate = await worker.render('screenshot', { url: server.url('/environment'), ...whenDone });
    const expected = separate.report.page?.title;
    expect(await titleOf(batch, '/environment')).toBe(expected);
    const others = [
      { device: 'iPhone 15 Pro', dark_mode: true, reduced_motion: true, media: 'print' },
      { width: 500, height: 400, device_scale_factor: 2, locale: 'de-AT', timezone: 'Europe/Vienna' },
      {
        user_agent: 'Robot/1.0',
        geolocation: { latitude: 48, longitude: 16 },
        block_resources: ['websocket', 'image'],
      },
      { omit_background: true, css: 'p { color: red }', hide_selectors: ['p'], full_page: true },
      { block_ads: true, block_cookie_banners: true },
    ];
    for (const options of others) {
      await item(batch, '/environment', options);
      expect(await titleOf(batch, '/environment')).toBe(expected);
    }
    expect(await titleOf(batch, '/environment', others[1])).not.toBe(expected);
  });

  it('have separate receipts', async () => {
    const batch = newId('batch');
    const { report: faulty } = await item(batch, '/lead');
    expect(faulty).toMatchObject({
      redirects: [server.url('/lead')],
      failedRequests: 1,
      finalUrl: server.url('/faulty'),
    });
    expect(faulty.page?.errors).toEqual([expect.stringContaining('oh')]);
    const { report } = await item(batch, '/page');
    expect(report).toMatchObject({ redirects: [], requests: 2, failedRequests: 0, failures: [] });
    expect(report.egress?.blocked).toBe(0);
    expect(report.page?.errors).toEqual([]);
  });

  it.each([
    { cookies: [{ name: 'a', value: 'b' }] },
    { headers: { 'X-A': 'b' } },
    { basic_auth: { username: 'a', password: 'b' } },
    { js: '1' },
    { click: 'p' },
    { url: undefined, html: '<p>' },
  ])('get a page of their own with %j', (options) => {
    const request = captureKinds.screenshot.request.parse({ url: 'http://host.example/', ...options });
    expect(worker.sharedPages.of(newId('batch'), request)).toBe(worker.pool);
    const plain = captureKinds.screenshot.request.parse({ url: 'http://host.example/' });
    expect(worker.sharedPages.of(null, plain)).toBe(worker.pool);
    expect(worker.sharedPages.of(newId('batch'), plain)).not.toBe(worker.pool);
  });

  it.each([
    ['crashed', '/crash', {}],
    ['has a shared worker', '/sharing', {}],
    ['has requests in flight', '/hanging', { wait_until: 'domcontentloaded' }],
    ['was refused an address', '/refused', {}],
    ['keeps opening dialogs', '/asking', {}],
    ['makes the browser remember a host’s client hints', '/hints', {}],
    ['failed', '/gone', { fail_on_status: [404], wait_for_selector: undefined }],
  ])('do not reuse a page that %s', async (_, path, options) => {
    const batch = newId('batch');
    await item(batch, '/page');
    const before = server.hits('/cached.js');
    await item(batch, path, options).catch((error) => expect(error).toMatchObject({ code: 'HTTP_STATUS' }));
    await item(batch, '/page');
    expect(server.hits('/cached.js')).toBe(before + 1);
    await item(batch, '/page');
    expect(server.hits('/cached.js')).toBe(before + 1);
  });
});

describe('shared pages', () => {
  const request = captureKinds.screenshot.request.parse({ url: 'http://host.example/' });
  const drawn = { tries: 1, problems: [], waitEnded: 'quiet' as const };
  const { server, worker } = openForTests(
    {
      '/page': '<!doctype html><script src="/cached.js"></script>',
      '/cached.js': { headers: { 'cache-control': 'max-age=3600' }, body: '1' },
    },
    { sharedPages: { maxUses: 3 }, browser: { maxCaptures: 6 } },
  );

  it('are used up to their limit, and not in a replaced browser', async () => {
    const batch = newId('batch');
    const first = await worker.browser.current();
    const loads: number[] = [];
    for (let round = 1; round <= 5; round += 1) {
      await worker.item(batch, { url: server.url('/page'), wait_until: 'load' });
      loads.push(server.hits('/cached.js'));
    }
    expect(loads).toEqual([1, 1, 1, 2, 2]);
    // The browser is renewed after its sixth capture.
    await worker.capture(server.url('/page'));
    await waitUntil(async () => (await worker.browser.current()) !== first, { what: 'the browser to be renewed' });
    await worker.item(batch, { url: server.url('/page'), wait_until: 'load' });
    expect(server.hits('/cached.js')).toBe(4);
  });

  it('are closed when no item takes them', async () => {
    const pages = new SharedPages({ browser: worker.browser, pool: worker.pool, size: 1, idleMs: 1 });
    const source = pages.of(newId('batch'), request);
    const page = await source.take();
    await source.leave(page, drawn);
    await waitUntil(() => pages.idle === 0 && page.page.isClosed(), { what: 'the page to be closed' });
    await pages.close();
  });

  it('are kept up to the limit, the newest ones first', async () => {
    const pages = new SharedPages({ browser: worker.browser, pool: worker.pool, size: 1 });
    const [older, newer] = [pages.of(newId('batch'), request), pages.of(newId('batch'), request)];
    const taken = [await older.take(), await newer.take()];
    await older.leave(taken[0] as CapturePage, drawn);
    await newer.leave(taken[1] as CapturePage, drawn);
    await waitUntil(() => taken[0]?.page.isClosed() === true, { what: 'the older page to be closed' });
    expect(pages.idle).toBe(1);
    expect((await newer.take()).page).toBe(taken[1]?.page);
    await Promise.all(taken.map((page) => page.close()));
    await pages.close();
  });
});
