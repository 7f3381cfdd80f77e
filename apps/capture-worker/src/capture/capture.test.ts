import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BrowserProblem } from '../capture-failure.ts';
import { crashPages, openForTests, readPixels, small } from '../worker.test-support.ts';

const red = 'body { margin: 0; background: #ff0000 }';

describe('a capture', () => {
  const { server, worker } = openForTests(
    { '/red': `<!doctype html><style>${red}</style><p>red` },
    { viewport: small },
  );
  afterEach(async () => {
    // Only the default context and the ready page's context remain.
    await worker.pool.refill();
    const { browser } = (await worker.cells.current()).chromium;
    await waitUntil(() => browser.browserContexts().length === 2, { what: 'the contexts to be closed' });
  });

  /** An image that keeps the page loading until it requests `/done`. Its slow bytes keep it from counting as stalled. */
  const untilDone = () => {
    const ends: (() => void)[] = [];
    server.serve({
      '/dripping': (_, response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        const drip = setInterval(() => response.write('.'), 100);
        response.once('close', () => clearInterval(drip));
        ends.push(() => response.end());
      },
      '/done': (_, response) => {
        for (const end of ends.splice(0)) end();
        response.end();
      },
    });
    return '<img src="/dripping">';
  };

  const page = (path: string, body: string, style = '') => {
    server.serve({ [path]: `<!doctype html><style>body { margin: 0 } ${style}</style>${body}` });
    return server.url(path);
  };

  describe('returns the requested screenshot', () => {
    it.each([
      [{ format: 'png', width: undefined, height: undefined }, 1280, 720],
      [{ format: 'jpeg', width: 801, height: 601 }, 801, 601],
      [{ format: 'webp', width: 333, height: 777, device_scale_factor: 3 }, 999, 2331],
      [{ width: 1281, height: 721, device_scale_factor: 1.5 }, 1922, 1082],
      [{ width: 16, height: 16, device_scale_factor: 0.5 }, 8, 8],
      [{ width: 7680, height: 4320 }, 7680, 4320],
    ] as const)('%j', async (options, width, height) => {
      const { image } = await worker.capture(server.url('/red'), options);
      const pixels = await readPixels(image);
      expect([image.width, image.height]).toEqual([width, height]);
      expect([pixels.width, pixels.height]).toEqual([width, height]);
      expect(image.format).toBe('format' in options ? options.format : 'png');
      expect(pixels.at(width - 1, height - 1)).toMatch(/^#f[c-f]0[0-3]0[0-3]$/);
    });

    it('in the requested quality', async () => {
      const url = page('/gradient', '<div style="height:720px;background:linear-gradient(45deg,#123,#fed,#987,#0ff)">');
      for (const format of ['jpeg', 'webp'] as const) {
        const size = async (quality?: number) => {
          const { image } = await worker.capture(url, { format, ...(quality !== undefined && { quality }) });
          return image.bytes.length;
        };
        const [low, standard, high] = [await size(10), await size(), await size(100)];
        expect(low).toBeLessThan(standard);
        expect(standard).toBeLessThan(high);
        expect(await size(80)).toBe(standard);
      }
    });

    it('with default emulation: UTC, en-US, the viewport size', async () => {
      const url = page(
        '/client',
        `<script>
          const found = [Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, innerWidth, devicePixelRatio];
          if (found.join() === 'UTC,en-US,640,2') document.documentElement.style.background = '#00ff00';
        </script>`,
      );
      const { image } = await worker.capture(url, { width: 640, device_scale_factor: 2 });
      expect((await readPixels(image)).at(5, 5)).toBe('#00ff00');
    });

    it.each([
      ['a page with status 404', { status: 404, body: `<style>${red}</style>not found` }, 404],
      ['a page with status 503', { status: 503, body: `<style>${red}</style>out of order` }, 503],
    ])('of %s', async (_, response, status) => {
      server.serve({ '/error': response });
      const { image, report } = await worker.capture(server.url('/error'));
      expect((await readPixels(image)).at(100, 100)).toBe('#ff0000');
      expect(report.httpStatus).toBe(status);
    });

    it('of documents that are not HTML', async () => {
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"><rect width="2000" height="2000" fill="#00f"/></svg>';
      server.serve({
        '/text': { headers: { 'content-type': 'text/plain' }, body: 'only text' },
        '/json': { headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
        '/svg': { headers: { 'content-type': 'image/svg+xml' }, body: svg },
      });
      await worker.capture(server.url('/text'));
      await worker.capture(server.url('/json'));
      const { image } = await worker.capture(server.url('/svg'));
      expect((await readPixels(image)).at(100, 100)).toBe('#0000ff');
    });

    it('of the target of a redirect', async () => {
      server.serve({ '/moved': { status: 302, headers: { location: '/red' } } });
      const { image, report } = await worker.capture(server.url('/moved'));
      expect((await readPixels(image)).at(100, 100)).toBe('#ff0000');
      expect(report).toMatchObject({ httpStatus: 200, redirects: [server.url('/moved')] });
    });
  });

  describe('is isolated from other captures', () => {
    it('in cookies, storage, caches and workers', async () => {
      const url = page(
        '/memory',
        `<script>
          (async () => {
            const before = [document.cookie, localStorage.length, sessionStorage.length, (await indexedDB.databases()).length].join();
            document.cookie = 'seen=1; max-age=1000';
            localStorage.seen = 1;
            sessionStorage.seen = 1;
            indexedDB.open('seen');
            document.body.style.background = before === ',0,0,0' ? '#00ff00' : '#ff0000';
            fetch('/done');
          })();
        </script><img src="/cached.png">${untilDone()}`,
      );
      server.serve({ '/cached.png': { headers: { 'content-type': 'image/png', 'cache-control': 'max-age=1000' } } });
      for (let round = 1; round <= 2; round += 1) {
        const { image } = await worker.capture(url);
        expect((await readPixels(image)).at(100, 100)).toBe('#00ff00');
        expect(server.hits('/cached.png')).toBe(round);
      }
    });

    it('and opens no dialogs, windows, permission prompts or downloads', async () => {
      const url = page(
        '/intrusive',
        `<script>
          alert(1); confirm(2); prompt(3); print();
          const opened = window.open('/red');
          Promise.all(['geolocation', 'notifications', 'camera', 'clipboard-read'].map((name) =>
            navigator.permissions.query({ name }).then(({ state }) => state)))
            .then((states) => {
              if (!opened && states.every((state) => state === 'denied')) document.body.style.background = '#00ff00';
              fetch('/done');
            });
          const link = Object.assign(document.createElement('a'), { href: '/file', download: 'file' });
          document.documentElement.append(link);
          link.click();
        </script>${untilDone()}`,
      );
      server.serve({ '/file': { headers: { 'content-disposition': 'attachment' }, body: 'x' } });
      const before = server.hits('/red');
      const { image } = await worker.capture(url);
      expect((await readPixels(image)).at(100, 100)).toBe('#00ff00');
      expect(server.hits('/red')).toBe(before);
    });
  });

  it.each([
    ['opens dialogs', 'setInterval(() => { alert(1); print() }, 20)'],
    ['logs', 'setInterval(() => { for (let n = 0; n < 1000; n += 1) { console.error(n); console.log(n) } }, 0)'],
    ['navigates', 'setInterval(() => { for (let n = 0; n < 100; n += 1) location.hash = Math.random() }, 5)'],
  ])('succeeds for a page that %s without end', async (_, script) => {
    server.serve({ '/restless': `<!doctype html><style>${red}</style><script>${script}</script>` });
    const { image } = await worker.capture(server.url('/restless'), { delay_ms: 200 });
    expect((await readPixels(image)).at(100, 100)).toBe('#ff0000');
  });

  it('succeeds for a page that calls `close()`, which an ordinary browser ignores', async () => {
    server.serve({ '/closes': `<!doctype html><style>${red}</style><script>close()</script>` });
    const { image, report } = await worker.capture(server.url('/closes'), { delay_ms: 200 });
    expect((await readPixels(image)).at(100, 100)).toBe('#ff0000');
    expect(report.tries).toBe(1);
  });

  it('receives no console or exception events, which could be without end', async () => {
    server.serve({ '/noisy': '<script>console.log("text"); setTimeout(() => { throw new Error("text") })</script>' });
    const page = await worker.pool.take();
    const events: string[] = [];
    page.page.on('console', () => events.push('console'));
    page.page.on('pageerror', () => events.push('pageerror'));
    await page.session.send('Page.navigate', { url: server.url('/noisy') });
    await waitUntil(() => page.activity.document?.loaded, { what: 'the page' });
    // The response comes after any event that the page has sent before.
    await page.session.send('Runtime.evaluate', {
      expression: 'new Promise((resolve) => setTimeout(resolve, 50))',
      awaitPromise: true,
    });
    expect(events).toEqual([]);
    await page.close();
  });

  describe('is retried', () => {
    /** Serves a red page with an image whose first request gets no response. */
    function heldPage(): { url: string; requested: Promise<void> } {
      let onRequest: () => void = () => undefined;
      const first = new Promise<void>((resolve) => {
        onRequest = resolve;
      });
      let hits = 0;
      server.serve({
        '/held': `<!doctype html><style>${red}</style><img src="/image">`,
        '/image': (_, response) => {
          hits += 1;
          if (hits === 1) onRequest();
          else response.writeHead(404).end();
        },
      });
      return { url: server.url('/held'), requested: first };
    }

    it('when its browser is killed', async () => {
      const { url, requested } = heldPage();
      const capturing = worker.capture(url);
      await requested;
      const { pid } = (await worker.cells.current()).chromium;
      process.kill(-pid, 'SIGKILL');
      const { image, report } = await capturing;
      expect((await readPixels(image)).at(100, 100)).toBe('#ff0000');
      expect(report.tries).toBe(2);
      expect(report.problems).toEqual([expect.stringMatching(/^ended:/)]);
      expect(report.otherTriesMs).toBeGreaterThan(0);
    });

    it('in the same browser when the renderer crashes', async () => {
      const { url, requested } = heldPage();
      const starts = worker.cells.starts;
      const capturing = worker.capture(url);
      await requested;
      await crashPages(worker);
      const { image, report } = await capturing;
      expect((await readPixels(image)).at(100, 100)).toBe('#ff0000');
      expect(report.tries).toBe(2);
      expect(report.problems).toEqual([expect.stringMatching(/^crashed:/)]);
      expect(worker.cells.starts).toBe(starts);
    });

    it('in the same browser when its page is closed', async () => {
      const { url, requested } = heldPage();
      const starts = worker.cells.starts;
      const capturing = worker.capture(url);
      await requested;
      const { browser } = (await worker.cells.current()).chromium;
      const target = await waitUntil(() => browser.targets().find((each) => each.url() === url), { what: 'the page' });
      await (await target.page())?.close();
      const { report } = await capturing;
      expect(report.problems).toEqual([expect.stringMatching(/^crashed: the page, or a part of it, was closed/)]);
      expect(worker.cells.starts).toBe(starts);
    });

    it('only once', async () => {
      server.serve({ '/always': '<img src="/crash">', '/crash': () => void crashPages(worker) });
      expect(await worker.fail(server.url('/always'))).toEqual({
        code: 'RENDERING_FAILED',
        message: 'The page could not be rendered in two tries: the page crashed, or exceeded a limit such as memory.',
      });
      await worker.capture(server.url('/red'));
    });
  });

  describe('waits for a browser while another page makes it hang', () => {
    afterEach(() => void jest.restoreAllMocks());
    const unavailable = () => new BrowserProblem('unavailable', 'no page could be made');

    it('without using up its tries', async () => {
      const take = jest.spyOn(worker.pool, 'take');
      for (let each = 0; each < 3; each += 1) take.mockRejectedValueOnce(unavailable());
      const { image, report } = await worker.capture(server.url('/red'));
      expect((await readPixels(image)).at(50, 50)).toBe('#ff0000');
      // The capture pauses for half a second after each try.
      expect(report.otherTriesMs).toBeGreaterThanOrEqual(1_490);
      expect(report).toMatchObject({ tries: 1, problems: Array(3).fill('unavailable: no page could be made') });
    });
  });

  describe('fails with CAPTURE_TIMEOUT', () => {
    it.each([
      ['a server that never responds', {}, 'hang' as const],
      ['a page with an endless script', {}, '<script>for (;;);</script>'],
      ['an image that never loads, with wait_until=load', { wait_until: 'load' }, '<img src="/never">'],
      [
        'endless requests, with wait_until=networkidle',
        { wait_until: 'networkidle' },
        // Each request takes longer than the interval, so the network is never idle, however slow the machine is.
        '<script>setInterval(() => fetch("/slow"), 50)</script>',
      ],
      ['a delay_ms over the limit', { delay_ms: 5_000 }, 'x'],
    ] as const)('%s', async (_, options, response) => {
      server.serve({ '/late': response, '/never': 'hang', '/slow': { delayMs: 500 } });
      expect(await worker.fail(server.url('/late'), { timeout_ms: 1_000, ...options })).toEqual({
        code: 'CAPTURE_TIMEOUT',
        message: 'The capture did not finish within timeout_ms, 1 s.',
      });
    });
  });
});
