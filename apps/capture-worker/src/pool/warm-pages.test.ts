import type { IncomingMessage, ServerResponse } from 'node:http';
import { captureKinds } from '@capture/contract/options/capture-options';
import type { IsolationLevel } from '@capture/contract/options/isolation';
import type { Page } from '@capture/testing/network/page-server';
import { groupOf } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readMember } from '../browser/process-group.ts';
import { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { crashPages, openForTests, small, unusedPages } from '../worker.test-support.ts';
import { siteOf, warmKey } from './warm-key.ts';
import { environmentPage, tracesPage } from './warm-pages.test-support.ts';
import { WarmPages } from './warm-pages.ts';

/** Waits for the page's own signal, so that the result is the same under load. */
const whenDone = { wait_until: 'load', wait_for_selector: '#done' };

describe('captures of one account and site, at the level site,', () => {
  const crashOnce = async (_: IncomingMessage, response: ServerResponse) => {
    if (server.hits('/crash.png') === 1) await crashPages(worker);
    else response.writeHead(204).end();
  };
  let busySince: number | undefined;
  /** Whether pages have taken more CPU time since the first call than closes a page. */
  const hasComputed = async () => {
    const { pid } = (await worker.cells.current()).chromium;
    const renderers = groupOf(pid).filter(({ commandLine }) => commandLine.includes('--type=renderer'));
    const cpuMs = renderers.reduce((sum, each) => sum + (readMember(String(each.pid), pid)?.cpuMs ?? 0), 0);
    busySince ??= cpuMs;
    return cpuMs - busySince > 1_100;
  };
  const traces = { headers: { 'permissions-policy': 'browsing-topics=()' } };
  const pages: Record<string, Page> = {
    '/page': '<!doctype html><title>page</title><p id="done">',
    '/environment': environmentPage,
    '/worker.js': { headers: { 'content-type': 'text/javascript' }, body: 'addEventListener("fetch", () => {})' },
    '/frame': { ...traces, body: tracesPage() },
    '/hang': 'hang',
    '/gone': { status: 404 },
    '/lead': { status: 302, headers: { location: '/faulty' } },
    '/faulty': '<!doctype html><title>faulty</title><script>throw Error("oh")</script><img src="/gone"><p id="done">',
    '/crash': '<!doctype html><img src="/crash.png"><p id="done">',
    '/crash.png': crashOnce,
    '/hanging': '<!doctype html><img src="/hang"><p id="done">',
    '/asking': '<!doctype html><script>for (let i = 0; i < 5; i++) alert(i)</script><p id="done">',
    '/busy': `<!doctype html><body><script>(async () => {
      const compute = () => { let x = 0; for (let n = 0; n < 5e7; n += 1) x = (x + n) | 0; return x; };
      do compute(); while (await (await fetch('/enough')).text() !== 'true');
      document.body.innerHTML = '<p id="done">';
    })()</script>`,
    '/enough': async (_, response) => response.end(String(await hasComputed())),
    '/hints': { headers: { 'accept-ch': 'DPR' }, body: '<!doctype html><p id="done">' },
  };
  const { server, worker } = openForTests(pages, {
    warmPages: { size: 3 },
    viewport: small,
    isolation: 'site',
  });
  beforeAll(() => {
    server.serve({
      '/refused': `<!doctype html><img src="${server.url('/', '127.0.0.2')}"><p id="done">`,
      '/traces': tracesPage(server.url('/frame', 'localhost')),
      '/away': { status: 302, headers: { location: server.url('/page', 'localhost') } },
      '/there-and-back': `<!doctype html><script>location.hash ? document.write('<p id="done">') : location = '${server.url('/back', 'localhost')}'</script>`,
      '/back': `<!doctype html><script>location = '${server.url('/there-and-back')}#done'</script>`,
    });
  });
  let accounts = 0;
  const newAccount = () => `account ${++accounts}`;
  const capture = (account: string, path: string, options: object = {}) =>
    worker.captureFor(account, { url: server.url(path), ...whenDone, ...options });
  const titleOf = async (account: string, path: string, options?: object) =>
    (await capture(account, path, options)).report.page?.title;

  it('share one page, whatever their kind', async () => {
    const account = newAccount();
    const url = { url: server.url('/page'), ...whenDone };
    const taken = await unusedPages(worker, async () => {
      for (const round of [1, 2, 3]) {
        const { report } = await capture(account, `/page?${round}`);
        expect(report).toMatchObject({ requests: 1, failedRequests: 0, httpStatus: 200, tries: 1 });
        // Two captures share no connection.
        expect(report.egress?.connections).toBe(1);
      }
      await worker.captureFor(account, { ...url, full_page: true });
      await worker.captureFor(account, url, 'pdf');
      await worker.captureFor(account, url, 'og_image');
      await worker.captureFor(account, url, 'content');
      expect(await titleOf(account, '/page')).toBe('page');
    });
    expect(taken).toBe(1);
  });

  it('find no traces of an earlier capture, in the page or in a cross-site frame', async () => {
    const account = newAccount();
    const traces = 'name cookie local session cache database files worker history';
    const title = `page: found nothing, left ${traces}; frame: found nothing, left ${traces.replace(/cookie | history/g, '')}`;
    const taken = await unusedPages(worker, async () => {
      for (const _ of [1, 2, 3]) expect(await titleOf(account, '/traces')).toBe(title);
    });
    expect(taken).toBe(1);
  });

  it('find no options of an earlier capture', async () => {
    const account = newAccount();
    const separate = await worker.render('screenshot', { url: server.url('/environment'), ...whenDone });
    const expected = separate.report.page?.title;
    expect(await titleOf(account, '/environment')).toBe(expected);
    const others = [
      { device: 'iPhone 15 Pro', dark_mode: true, reduced_motion: true, media: 'print' },
      {
        ...{ width: 500, height: 400, device_scale_factor: 2, locale: 'de-AT', timezone: 'Europe/Vienna' },
        ...{ user_agent: 'Robot/1.0', block_resources: ['websocket', 'image'] },
        ...{ omit_background: true, css: 'p { color: red }', hide_selectors: ['p'], full_page: true },
        ...{ block_ads: true, block_cookie_banners: true },
      },
    ];
    for (const options of others) {
      await capture(account, '/environment', options);
      expect(await titleOf(account, '/environment')).toBe(expected);
    }
    expect(await titleOf(account, '/environment', others[1])).not.toBe(expected);
  });

  it('have separate receipts', async () => {
    const account = newAccount();
    const { report: faulty } = await capture(account, '/lead');
    expect(faulty).toMatchObject({
      redirects: [server.url('/lead')],
      failedRequests: 1,
      finalUrl: server.url('/faulty'),
    });
    expect(faulty.page?.errors).toEqual([expect.stringContaining('oh')]);
    const { report } = await capture(account, '/page');
    expect(report).toMatchObject({ redirects: [], requests: 1, failedRequests: 0, failures: [] });
    expect(report.egress?.blocked).toBe(0);
    expect(report.page?.errors).toEqual([]);
  });

  describe('do not use a page that', () => {
    // Each capture takes the page of the capture that ended the page before.
    const account = newAccount();
    beforeAll(() => capture(account, '/page'));

    it.each([
      ['crashed', '/crash', {}],
      ['has requests in flight', '/hanging', { wait_until: 'domcontentloaded' }],
      ['was refused an address', '/refused', {}],
      ['keeps opening dialogs', '/asking', {}],
      ['makes the browser remember a host’s client hints', '/hints', {}],
      ['took much processor time', '/busy', { timeout_ms: 120_000 }],
      ['was redirected to another site', '/away', {}],
      ['was on another site in between', '/there-and-back', {}],
      ['failed', '/gone', { fail_on_status: [404], wait_for_selector: undefined }],
    ])('%s', async (what, path, options) => {
      const visit = () =>
        capture(account, path, options).catch((error) => expect(error).toMatchObject({ code: 'HTTP_STATUS' }));
      // After a crash the second try takes another page.
      expect(await unusedPages(worker, visit)).toBe(what === 'crashed' ? 1 : 0);
      expect(await unusedPages(worker, () => capture(account, '/page'))).toBe(1);
    });
  });

  it('show documents of a client in one page, each without traces of the other', async () => {
    const account = newAccount();
    const document = (text: string) => ({
      html: `<title>${text}</title><script>document.title += ' ' + Object.keys(window).filter((key) => key === 'left') + document.querySelectorAll('p').length; left = 1</script><p id="done">${text}`,
      ...whenDone,
    });
    const taken = await unusedPages(worker, async () => {
      for (const text of ['one', 'two', 'three']) {
        const { report } = await worker.captureFor(account, document(text));
        expect(report.page?.title).toBe(`${text} 0`);
      }
      const { file } = await worker.captureFor(account, document('four'), 'pdf');
      expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    });
    expect(taken).toBe(1);
  });

  it('share no page with other accounts and sites', async () => {
    const [account, other] = [newAccount(), newAccount()];
    const seen = (path: string) =>
      waitUntil(
        async () => {
          const { session } = (await worker.cells.current()).chromium;
          const { targetInfos } = await session.send('Target.getTargets');
          const info = targetInfos.find((each) => each.type === 'page' && each.url.includes(path));
          return info && { target: info.targetId, context: info.browserContextId };
        },
        { what: `the browser to name the page of ${path}` },
      );
    let found: Awaited<ReturnType<typeof seen>>[] = [];
    server.serve({
      '/seen.css': async (request, response) => {
        found.push(await seen(new URL(request.headers.referer ?? '').pathname));
        response.setHeader('content-type', 'text/css');
        response.end();
      },
    });
    const visit = async (who: string, path: string, host?: string) => {
      server.serve({ [path]: '<!doctype html><link rel="stylesheet" href="/seen.css"><p id="done">' });
      found = [];
      await worker.captureFor(who, { url: server.url(path, host), ...whenDone });
      expect(found).toEqual([{ target: expect.any(String), context: expect.any(String) }]);
      return found[0];
    };
    const first = await visit(account, '/first');
    const otherAccount = await visit(other, '/second');
    const otherSite = await visit(account, '/third', 'localhost');
    expect(await visit(account, '/fourth')).toEqual(first);
    expect(await visit(other, '/fifth')).toEqual(otherAccount);
    expect(await visit(account, '/sixth', 'localhost')).toEqual(otherSite);
    for (const name of ['target', 'context'] as const) {
      expect(new Set([first, otherAccount, otherSite].map((each) => each?.[name])).size).toBe(3);
    }
  });
});

describe('the key of a warm page', () => {
  const keyOf = (options: object, account = 'a', level: IsolationLevel = 'site') =>
    warmKey(account, captureKinds.screenshot.request.parse({ url: 'https://www.host.example/', ...options }), level);

  it.each([
    { cookies: [{ name: 'a', value: 'b' }] },
    { headers: { 'X-A': 'b' } },
    { basic_auth: { username: 'a', password: 'b' } },
    { js: '1' },
    { click: 'p' },
    { geolocation: { latitude: 1, longitude: 2 } },
    { url: undefined, html: '<p>', js: '1' },
  ])('is missing with %j', (options) => {
    expect(keyOf(options)).toBeNull();
    expect(keyOf(options, 'a', 'account')).toBeNull();
  });

  it('names the account, and at the level site the site; at the level strict there is no key', () => {
    expect(keyOf({})).toBe('a site https://host.example');
    expect(keyOf({}, 'b')).not.toBe(keyOf({}));
    expect(keyOf({ url: undefined, html: '<script>' })).toBe('a site html');
    expect(keyOf({}, 'a', 'account')).toBe('a account');
    expect(keyOf({}, 'a', 'strict')).toBeNull();
  });

  it('names the account and the options, for still documents', () => {
    const [first, second] = ['<p>1', '<p>2'].map((html) => keyOf({ url: undefined, html }));
    expect(second).toBe(first);
    expect(keyOf({ url: undefined, html: '<p>', metadata: { invoice: '1' } })).toBe(first);
    expect(keyOf({ url: undefined, html: '<p>', dark_mode: true })).not.toBe(first);
    expect(keyOf({ url: undefined, html: '<p>' }, 'b')).not.toBe(first);
  });

  it.each([
    ['https://a.b.example.co.uk/x', 'https://example.co.uk'],
    ['http://example.co.uk/', 'http://example.co.uk'],
    ['https://one.github.io/', 'https://one.github.io'],
    ['https://two.github.io/', 'https://two.github.io'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
    ['http://localhost:8080/', 'http://localhost:8080'],
    ['https://EXAMPLE.com./', 'https://example.com'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example'],
    ['https://com/', 'https://com'],
  ])('has for %s the site %s', (url, site) => {
    expect(siteOf(url)).toBe(site);
  });
});

describe('warm pages', () => {
  const request = captureKinds.screenshot.request.parse({ url: 'http://host.example/' });
  const drawn = { tries: 1, problems: [], waitEnded: 'quiet' as const };
  const { server, worker } = openForTests(
    { '/page': '<!doctype html><p>page' },
    { warmPages: { maxUses: 3 }, cells: { maxCaptures: 6 }, viewport: small },
  );

  it('are used up to their limit, and not in a replaced browser', async () => {
    const first = await worker.cells.current();
    const capture = () => worker.captureFor('account', { url: server.url('/page'), wait_until: 'load' });
    const taken: number[] = [];
    for (let round = 1; round <= 5; round += 1) taken.push(await unusedPages(worker, capture));
    expect(taken).toEqual([1, 0, 0, 1, 0]);
    // The browser is renewed after its sixth capture.
    await worker.capture(server.url('/page'));
    await waitUntil(async () => (await worker.cells.current()) !== first, { what: 'the browser to be renewed' });
    expect(await unusedPages(worker, capture)).toBe(1);
  });

  it('are counted when they are taken', async () => {
    const taken: string[] = [];
    const pages = new WarmPages({
      cells: worker.cells,
      size: 1,
      onTaken: (page) => taken.push(page),
    });
    const source = pages.of('account', request, 'account', worker.pool);
    await source.leave(await source.take(new Deadline(60_000)), drawn);
    await (await source.take(new Deadline(60_000))).close();
    expect(taken).toEqual(['new', 'warm']);
    await pages.close();
  });

  it('are not kept with a size of 0', async () => {
    const pages = new WarmPages({ cells: worker.cells, size: 0 });
    expect(pages.of('account', request, 'account', worker.pool)).toBe(worker.pool);
  });

  it('are closed when no capture takes them', async () => {
    const pages = new WarmPages({ cells: worker.cells, size: 1, idleMs: 1 });
    const source = pages.of('account', request, 'account', worker.pool);
    const page = await source.take(new Deadline(60_000));
    await source.leave(page, drawn);
    await waitUntil(() => pages.idle === 0 && page.page.isClosed(), { what: 'the page to be closed' });
    await pages.close();
  });

  it('are kept only for the accounts of the last captures', async () => {
    const pages = new WarmPages({ cells: worker.cells, size: 2, recentKeys: 2 });
    const capture = async (account: string) => {
      const source = pages.of(account, request, 'account', worker.pool);
      await source.leave(await source.take(new Deadline(60_000)), drawn);
      return pages.idle;
    };
    // Three accounts in rotation: none would find its page.
    for (const account of ['1', '2', '3', '1', '2', '3']) expect(await capture(account)).toBe(0);
    expect(await capture('3')).toBe(1);
    expect(await capture('2')).toBe(2);
    await pages.close();
  });

  it('are kept up to the limit, the newest first', async () => {
    const pages = new WarmPages({ cells: worker.cells, size: 1 });
    const [older, newer] = [
      pages.of('account 1', request, 'account', worker.pool),
      pages.of('account 2', request, 'account', worker.pool),
    ];
    const taken = [await older.take(new Deadline(60_000)), await newer.take(new Deadline(60_000))];
    await older.leave(taken[0] as CapturePage, drawn);
    await newer.leave(taken[1] as CapturePage, drawn);
    await waitUntil(() => taken[0]?.page.isClosed() === true, { what: 'the older page to be closed' });
    expect(pages.idle).toBe(1);
    expect((await newer.take(new Deadline(60_000))).page).toBe(taken[1]?.page);
    await Promise.all(taken.map((page) => page.close()));
    await pages.close();
  });
});
