import { contractForm } from '@capture/contract/forms/forms';
import { captureKinds } from '@capture/contract/options/capture-options';
import { parseAddressRules } from '@capture/egress/address-rules';
import { describe, expect, it } from '@jest/globals';
import { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { openForTests, readPixels } from '../worker.test-support.ts';
import { load } from './load.ts';

const green = '#00ff00';

describe('emulation', () => {
  // For the browser, 127.0.0.1 and localhost are two sites.
  const { server, worker } = openForTests({}, { account: 'account', viewport: { width: 320, height: 240 } });
  let headers: Record<string, unknown> = {};

  /** The color of a page that turns green if `check`, run in the page, is true. */
  async function color(check: string, options: Record<string, unknown>, style = ''): Promise<string> {
    server.serve({
      '/page': (request, response) => {
        headers = request.headers;
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(`<!doctype html><meta name="viewport" content="width=device-width"><style>${style}</style><body><script>
          (async () => (${check}))().then((met) => { if (met) document.documentElement.style.background = '${green}' });
        </script>`);
      },
    });
    const { file } = await worker.render('screenshot', { url: server.url('/page'), ...options });
    return (await readPixels(file)).at(5, 5);
  }

  it('emulates a device: screen, scale, touch and user agent', async () => {
    const check = `[innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints > 0, screen.width].join() === '393,659,3,true,393'
      && /iPhone/.test(navigator.userAgent) && matchMedia('(orientation: portrait)').matches`;
    expect(await color(check, { device: 'iphone 15 pro' })).toBe(green);
    expect(headers['user-agent']).toMatch(/iPhone/);
    const landscape = `innerWidth > innerHeight && screen.orientation.type === 'landscape-primary'`;
    expect(await color(landscape, { device: 'Pixel 5 landscape' })).toBe(green);
  });

  it('returns a screenshot of the device’s size', async () => {
    server.serve({ '/wide': '<!doctype html><meta name="viewport" content="width=device-width"><p>text' });
    const { file } = await worker.render('screenshot', { url: server.url('/wide'), device: 'Pixel 5' });
    expect([file.width, file.height]).toEqual([393 * 3, 851 * 3]);
  });

  it('sends the requested user agent, and the default language', async () => {
    expect(await color(`navigator.userAgent === 'Robot/1.0'`, { user_agent: 'Robot/1.0' })).toBe(green);
    expect(headers).toMatchObject({ 'user-agent': 'Robot/1.0', 'accept-language': 'en-US,en;q=0.9' });
  });

  it('sets the locale in requests and scripts', async () => {
    const austria = `navigator.language === 'de-AT' && navigator.languages.join('+') === 'de-AT+de'
      && new Date(0).toLocaleDateString(undefined, { month: 'long' }) === 'Jänner' && / Chrome\\//.test(navigator.userAgent)`;
    expect(await color(austria, { locale: 'de-AT' })).toBe(green);
    expect(headers['accept-language']).toBe('de-AT,de;q=0.9');
    expect(await color(`navigator.languages.join('+') === 'en-US+en'`, {})).toBe(green);
    expect(headers['accept-language']).toBe('en-US,en;q=0.9');
  });

  it('sets the time zone', async () => {
    const check = `new Date(0).getHours() === 9 && Intl.DateTimeFormat().resolvedOptions().timeZone === 'Asia/Tokyo'`;
    expect(await color(check, { timezone: 'Asia/Tokyo' })).toBe(green);
    expect(await color('new Date(0).getHours() === 0', {})).toBe(green);
  });

  it('sets the geolocation, and denies every other permission', async () => {
    const position = `await new Promise((resolve) => navigator.geolocation.getCurrentPosition(resolve, () => resolve(null)))`;
    const state = (name: string) => `(await navigator.permissions.query({ name: '${name}' })).state`;
    const atPosition = `Math.round((${position}).coords.latitude) === 48 && ${state('notifications')} === 'denied'`;
    expect(await color(atPosition, { geolocation: { latitude: 48.2, longitude: 16.4 } })).toBe(green);
    expect(await color(`(${position}) === null && ${state('geolocation')} === 'denied'`, {})).toBe(green);
  });

  it('sets dark mode, reduced motion and the medium', async () => {
    const conditions = ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', 'print'];
    const rules = conditions.map(
      (condition, n) => `@media ${condition} { p:nth-of-type(${n + 1}) { background: ${green} } }`,
    );
    server.serve({
      '/media': `<!doctype html><style>body { margin: 0 } p { height: 80px; margin: 0 } ${rules.join('')}</style><p></p><p></p><p></p>`,
    });
    const met = async (options: Record<string, unknown>) => {
      const { file } = await worker.render('screenshot', { url: server.url('/media'), ...options });
      const pixels = await readPixels(file);
      return conditions.filter((_, n) => pixels.at(50, n * 80 + 40) === green);
    };
    const [dark, reduced, print] = conditions;
    expect(
      await Promise.all([
        met({}),
        met({ dark_mode: true }),
        met({ reduced_motion: true }),
        met({ media: 'print' }),
        met({ media: 'print', dark_mode: true }),
      ]),
    ).toEqual([[], [dark], [reduced], [print], [dark, print]]);
  });

  it('is there before the first script, however slow the process is that the page has before', async () => {
    server.serve({
      '/first': `<!doctype html><script>document.title = [navigator.userAgent, navigator.language,
        new Date(0).getHours(), matchMedia('print and (prefers-color-scheme: dark)').matches, navigator.maxTouchPoints,
        new WebSocket('ws://localhost:9').url]</script>`,
    });
    const terms = { rules: parseAddressRules({ allow: `127.0.0.1/32:${server.port}` }), form: contractForm('B') };
    const open = (page: CapturePage, host: string, options: Record<string, unknown>) => {
      const own = { ...options, url: server.url('/first', host), wait_until: 'load' };
      const request = captureKinds.screenshot.request.parse(own);
      const deadline = new Deadline(60_000);
      return load(page, request, { ...terms, medium: 'screen', prints: false, deadline, report: () => undefined });
    };
    const options = {
      device: 'iPhone 15 Pro',
      locale: 'de-AT',
      timezone: 'Asia/Tokyo',
      dark_mode: true,
      media: 'print',
      block_resources: ['websocket'],
    };
    for (let round = 0; round < 2; round += 1) {
      const first = await worker.pool.take();
      await open(first, '127.0.0.1', {});
      const page = first.next(first);
      const busy = 'for (const end = performance.now() + 500; performance.now() < end;);';
      page.session.send('Runtime.evaluate', { expression: busy }).catch(() => undefined);
      try {
        // Another site, so it gets another process.
        await open(page, 'localhost', options);
        const { result } = await page.session.send('Runtime.evaluate', { expression: 'document.title' });
        expect(result.value).toMatch(/^Mozilla.*iPhone.*,de-AT,9,true,[1-9],wss:\/\/blocked/);
      } finally {
        await page.close();
      }
    }
  });

  it('applies to cross-site frames', async () => {
    const check = `navigator.language === 'fr-CA' && new Date(0).getHours() === 9 && matchMedia('(prefers-color-scheme: dark)').matches`;
    server.serve({
      '/inner': `<!doctype html><script>if (${check}) document.documentElement.style.background = '${green}'</script>`,
      // With the header the frame has its own process.
      '/outer': {
        headers: { 'content-type': 'text/html', 'origin-agent-cluster': '?1' },
        body: `<!doctype html><style>body { margin: 0 } iframe { border: 0; width: 300px; height: 300px }</style>
          <iframe src="${server.url('/inner', 'localhost')}"></iframe>`,
      },
    });
    const options = { locale: 'fr-CA', timezone: 'Asia/Tokyo', dark_mode: true };
    const { file } = await worker.render('screenshot', { url: server.url('/outer'), ...options });
    expect((await readPixels(file)).at(100, 100)).toBe(green);
  });

  describe('cookies', () => {
    const cookieOf = async (path: string, options: Record<string, unknown>) => {
      let sent: string | undefined;
      server.serve({
        [path]: (request, response) => {
          sent = request.headers.cookie;
          response.setHeader('content-type', 'text/html');
          response.end('<script>document.title = document.cookie</script>');
        },
      });
      const { report } = await worker.render('screenshot', { url: server.url(path), ...options });
      return { sent, title: report.page?.title };
    };

    it('are sent to the URL’s host from the first request on', async () => {
      const cookies = [
        { name: 'session', value: 'secret', http_only: true },
        { name: 'theme', value: 'dark', same_site: 'Strict' },
        { name: 'deep', value: '1', path: '/deep' },
        { name: 'elsewhere', value: '1', domain: 'example.com' },
      ];
      expect(await cookieOf('/cookies', { cookies })).toEqual({
        sent: 'session=secret; theme=dark',
        title: 'theme=dark',
      });
      expect((await cookieOf('/deep/page', { cookies })).sent).toBe('deep=1; session=secret; theme=dark');
      expect(await cookieOf('/cookies', {})).toEqual({ sent: undefined, title: '' });
    });

    it('fail with the index of one that browsers reject', async () => {
      const cookies = [
        { name: 'fine', value: '1' },
        { name: '__Host-token', value: 'secret', path: '/deep', secure: true },
      ];
      const failure = await worker.failRender('screenshot', { url: server.url('/cookies'), cookies });
      expect(failure.code).toBe('NAVIGATION_FAILED');
      expect(failure.message).toMatch(/browsers reject the cookie at cookies\.1/);
      expect(failure.message).not.toMatch(/secret|token/);
    });
  });
});
