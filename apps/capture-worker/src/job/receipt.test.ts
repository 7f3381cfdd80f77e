import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BrowserProblem } from '../capture-failure.ts';
import { pause } from '../deadline.ts';
import { openForTests, openSecretForTests, small } from '../worker.test-support.ts';
import { receiptOf } from './receipt.ts';

const capture = { createdAt: new Date('2026-11-21T10:00:00.000Z'), startedAt: new Date('2026-11-21T10:00:00.120Z') };

describe('a receipt', () => {
  afterEach(() => void jest.restoreAllMocks());
  const { server, worker } = openForTests({ '/image': '' }, { account: 'account', viewport: small });
  const secret = openSecretForTests();

  async function receipt(url: string, options: Record<string, unknown> = {}) {
    const { report } = await worker.render('screenshot', { url, ...options });
    return receiptOf(capture, report, { storingMs: 1.4 });
  }

  it('describes how a page was loaded', async () => {
    const body = `<!doctype html><title>A \u{1f600} title</title><img src="/image?token=opensesame"><img src="/missing?token=opensesame">
      <img src="${secret.url('/private')}"><script>alert('opensesame')</script>`;
    server.serve({
      '/start': { status: 302, headers: { location: '/moved?token=opensesame' } },
      '/moved': { status: 301, headers: { location: '/end?token=opensesame#opensesame' } },
      '/end': { status: 203, body },
    });
    const actual = await receipt(server.url('/start?token=opensesame'), { block_resources: ['font'] });
    expect(actual).toEqual({
      final_url: server.url('/end'),
      redirects: [server.url('/start'), server.url('/moved')],
      http_status: 203,
      navigations: 1,
      isolation: 'account',
      title: 'A \u{1f600} title',
      timings: {
        queue_ms: 120,
        browser_ms: expect.any(Number),
        other_tries_ms: 0,
        navigation_ms: expect.any(Number),
        waiting_ms: expect.any(Number),
        acting_ms: expect.any(Number),
        capture_ms: expect.any(Number),
        storing_ms: 1,
      },
      wait: 'quiet',
      tries: 1,
      browser_failures: [],
      requests: {
        total: 6,
        failed: 2,
        blocked: 1,
        bytes: expect.any(Number),
        cut_off: null,
        failures: expect.arrayContaining([
          { url: server.url('/missing'), reason: '404' },
          { url: secret.url('/private'), reason: 'blocked' },
        ]),
      },
      dialogs: 1,
      console_errors: [],
      script_error: null,
      ads: null,
      cookie_banner: null,
    });
    expect(JSON.stringify(actual)).not.toContain('opensesame');
    for (const ms of Object.values(actual.timings)) expect(Number.isInteger(ms)).toBe(true);
  });

  it('holds the first console errors, truncated', async () => {
    server.serve({
      '/errors': `<script>
        console.error('format', 1, { a: 1 }, new Error('inner'));
        console.error('x'.repeat(100_000));
        console.error({ toString() { throw new Error('no text') } }, Symbol('symbol'));
        console.error(String.fromCharCode(0, 0xd800));
        setTimeout(() => { throw new TypeError('thrown') });
        setTimeout(() => Promise.reject(new Error('rejected')), 100);
      </script>`,
      '/many': '<script>for (let n = 0; n < 5_000; n += 1) console.error("error", n)</script>',
    });
    const { console_errors: errors } = await receipt(server.url('/errors'), { delay_ms: 300 });
    expect(errors).toEqual([
      'format 1 [object Object] Error: inner',
      'x'.repeat(300),
      '\ufffd\ufffd',
      'Uncaught TypeError: thrown',
      'Uncaught (in promise) Error: rejected',
    ]);
    const { console_errors: many } = await receipt(server.url('/many'));
    expect(many).toHaveLength(20);
    expect(many.at(-1)).toBe('error 19');
  });

  it('is correct when the page replaces built-ins that we use', async () => {
    server.serve({
      '/hostile': `<!doctype html><title>true</title><script>
        Object.defineProperty(document, 'title', { get: () => 'forged' });
        window.captureErrors = ['forged'];
        String = Reflect.apply = CustomEvent = () => { throw new Error('mine') };
        EventTarget.prototype.dispatchEvent = () => { throw new Error('mine') };
        console.error('written');
      </script>`,
    });
    expect(await receipt(server.url('/hostile'))).toMatchObject({ title: 'true', console_errors: ['written'] });
  });

  it('limits the number of failed requests', async () => {
    const script = `let left = 200;
      const failed = () => { if (--left === 0) document.documentElement.className = 'all' };
      for (let n = 0; n < 200; n += 1) Object.assign(new Image(), { src: '/none' + n, onerror: failed });`;
    server.serve({ '/failing': `<body>page<script>${script}</script>` });
    const { requests } = await receipt(server.url('/failing'), { wait_for_selector: '.all' });
    expect(requests.failed).toBeGreaterThanOrEqual(200);
    expect(requests.failures).toHaveLength(50);
  });

  it('says that the network of a page was cut off', async () => {
    const load = `for (let n = 0; n < 6_000; n += 1) fetch('/image?' + n).catch(() => undefined);
      setTimeout(() => fetch('/late').catch(() => undefined), 500);`;
    server.serve({ '/endless': `<body>page<script>${load}</script>` });
    const { requests } = await receipt(server.url('/endless'), { delay_ms: 1_000 });
    expect(requests).toMatchObject({ total: 5_000, cut_off: 'requests' });
  });

  it('says why tries failed, without the words of the browser, and how long they took', async () => {
    jest.spyOn(worker.accountPages, 'of').mockReturnValue(worker.pool);
    const take = jest.spyOn(worker.pool, 'take');
    take.mockRejectedValueOnce(new BrowserProblem('unavailable', 'https://other.example/ blocks the browser'));
    take.mockImplementationOnce(async () => {
      await pause(300);
      throw new BrowserProblem('ended', 'https://other.example/ ended the browser');
    });
    const from = performance.now();
    const { report } = await worker.render('screenshot', { url: server.url('/image') });
    const elapsedMs = performance.now() - from;
    const actual = receiptOf(capture, report, { storingMs: 0 });
    expect(actual).toMatchObject({ tries: 2, browser_failures: ['unavailable', 'ended'] });
    expect(JSON.stringify(actual)).not.toContain('other.example');
    const { queue_ms: _, storing_ms: __, ...phases } = actual.timings;
    expect(phases.other_tries_ms).toBeGreaterThanOrEqual(790);
    // The remaining time goes to assessing the image, and to opening and reading the page.
    const sum = Object.values(phases).reduce((total: number, ms) => total + (ms ?? 0), 0);
    expect(sum).toBeLessThanOrEqual(elapsedMs + 10);
    expect(sum).toBeGreaterThan(elapsedMs - 1_000);
  });

  it('counts the first try of a capture that was repaired as another one', async () => {
    let visits = 0;
    server.serve({
      '/flaky': '<body>text<img src="/late">',
      '/late': (_, response) => {
        visits += 1;
        setTimeout(() => response.writeHead(visits === 1 ? 503 : 404).end(), 400);
      },
    });
    const { tries, timings, browser_failures: failures } = await receipt(server.url('/flaky'));
    expect([tries, failures]).toEqual([2, []]);
    expect(timings.other_tries_ms).toBeGreaterThanOrEqual(390);
  });

  it('of a failed capture has what was known by then', async () => {
    server.serve({ '/waiting': '<title>waiting</title><script>console.error("known")</script>' });
    const options = { url: server.url('/waiting'), wait_for_selector: '.never', timeout_ms: 3_000 };
    const { report } = await worker.failRender('screenshot', options);
    expect(receiptOf(capture, report, { storingMs: 0 })).toMatchObject({
      final_url: server.url('/waiting'),
      http_status: 200,
      title: 'waiting',
      console_errors: ['known'],
      timings: { capture_ms: null },
      wait: 'quiet',
    });
    server.serve({ '/gone': { status: 404, body: 'gone' } });
    const gone = await worker.failRender('screenshot', { url: server.url('/gone'), fail_on_status: [404] });
    expect(receiptOf(capture, gone.report, { storingMs: 0 }).timings.navigation_ms).toEqual(expect.any(Number));
    const refused = await worker.failRender('screenshot', { url: secret.url('/?token=opensesame') });
    const actual = receiptOf(capture, refused.report, { storingMs: 0 });
    expect(actual).toMatchObject({ http_status: null, title: null, wait: null });
    expect(JSON.stringify(actual)).not.toContain('opensesame');
  });
});
