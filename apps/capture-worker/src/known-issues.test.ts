import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { groupOf } from '@capture/testing/processes/process-list';
import { describe, expect, it } from '@jest/globals';
import { readPdf } from './render/pdf.test-support.ts';
import { openForTests, readPixels } from './worker.test-support.ts';

const green = '#00ff00';

/** Complaints of users of screenshot services; docs/known-issues.md has the full list and names the other tests. */
describe('known issues of screenshot services', () => {
  const { server, worker } = openForTests(
    { '/never': 'hang' },
    { size: 6, account: 'account', viewport: { width: 640, height: 400 } },
  );

  const serve = (html: string) => {
    server.serve({ '/page': `<!doctype html>${html}` });
    return server.url('/page');
  };

  /** The text of each page of a PDF. */
  async function print(options: Record<string, unknown>): Promise<string[]> {
    const { file } = await worker.render('pdf', options);
    return (await readPdf(file.bytes)).pages.map(({ text }) => text);
  }

  it('refuses a page of 1.0 by 1.6 million pixels, and renders the next page', async () => {
    const url = serve('<div style="width:998096px;height:1605439px;background:#f00">');
    const started = await worker.cells.current();
    const failure = { code: 'PAGE_TOO_LARGE', message: expect.stringMatching(/the limit is 100 million pixels/) };
    expect(await worker.fail(url, { full_page: true })).toEqual(failure);
    expect(await worker.fail(url, { clip: { x: 0, y: 0, width: 100_000, height: 100_000 } })).toEqual(failure);
    await worker.capture(url, { width: 100, height: 100 });
    expect(await worker.cells.current()).toBe(started);
  });

  it('renders background pages like the page in front, with networkidle too', async () => {
    const colours = Array.from({ length: 6 }, (_, index) => `#${(index * 16 + 15).toString(16).padStart(2, '0')}0080`);
    for (const [index, colour] of colours.entries()) {
      const script = `<script>setInterval(() => { document.title = String(performance.now()) }, 10)</script>`;
      server.serve({ [`/tab-${index}`]: `<!doctype html><body style="background:${colour}">${script}` });
    }
    const capturing = colours.map(async (_, index) => {
      const wait_until = index % 2 === 0 ? 'networkidle' : 'auto';
      const { image } = await worker.capture(server.url(`/tab-${index}`), { width: 200, height: 100, wait_until });
      return (await readPixels(image)).at(100, 50);
    });
    expect(await Promise.all(capturing)).toEqual(colours);
  });

  it('networkidle does not wait for an open WebSocket or event stream', async () => {
    let opened = 0;
    server.serve({
      '/socket': (request) => {
        opened += 1;
        request.socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n');
        request.socket.write(`Sec-WebSocket-Accept: ${accept(String(request.headers['sec-websocket-key']))}\r\n\r\n`);
      },
      '/events': (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n'),
    });
    const url = serve(`<body><script>
      new EventSource('/events');
      new WebSocket('ws://' + location.host + '/socket').onopen = () => { document.body.style.background = '${green}' };
    </script>`);
    const { image, report } = await worker.capture(url, { wait_until: 'networkidle' });
    expect(report.waitEnded).toBe('networkidle');
    expect(opened).toBe(1);
    expect((await readPixels(image)).at(100, 100)).toBe(green);
  });

  it('renders the screenshot and PDF without dead, broken or hanging resources, and names them in the receipt', async () => {
    server.serve({ '/broken': { status: 503 }, '/hangs-up': (request) => request.socket.destroy() });
    const url = serve(`<body style="background:${green}"><p>whole</p><img src="/broken"><img src="/hangs-up">
      <img src="http://no-such-name.invalid/a.png"><link rel="stylesheet" href="/broken?style"><img src="/never">`);
    const [{ image, report }, printed] = await Promise.all([worker.capture(url), print({ url })]);
    expect((await readPixels(image)).at(500, 350)).toBe(green);
    const failures = report.failures?.map(
      ({ url: failed, reason }) => `${failed.replace(server.url('/'), '/')} ${reason}`,
    );
    expect(failures?.sort()).toEqual([
      '/broken 503',
      '/broken?style 503',
      '/hangs-up ERR_EMPTY_RESPONSE',
      '/never pending',
      'http://no-such-name.invalid/a.png dns',
    ]);
    expect(report.failedRequests).toBe(4);
    expect(printed.join()).toContain('whole');
  });

  it('shared memory is in the browser’s folder, not in the 64 MB of a container’s /dev/shm', async () => {
    await worker.capture(serve('<canvas width="2000" height="2000"></canvas>'), { full_page: true });
    const { pid } = (await worker.cells.current()).chromium;
    const mapped = groupOf(pid)
      .map((each) => readMaps(each.pid))
      .join('\n');
    // Chromium uses anonymous memory, or (until about version 152) files in the browser's folder.
    expect(mapped).toMatch(/memfd:shared-memory|\/capture-browser-[^/]+\/tmp\/\.org\.chromium/);
    expect(mapped).not.toContain('/dev/shm');
  });

  it('the page’s style can leave page numbers out on the first page only', async () => {
    const css = `@page { margin: 2cm; @bottom-right { content: 'Page ' counter(page) ' of ' counter(pages) } }
      @page :first { @bottom-right { content: none } @top-left { content: 'Cover' } }`;
    const url = serve('<p>one</p><p style="break-before:page">two</p><p style="break-before:page">three</p>');
    const [first, second, third] = await print({ url, css });
    expect(first).toContain('Cover');
    expect(first).not.toContain('Page');
    expect(second).toContain('Page 2 of 3');
    expect(third).toContain('Page 3 of 3');
  });

  it('a single_page PDF has a fixed bar once', async () => {
    const url = serve(`<div style="position:fixed;bottom:0;left:0;right:0">Accept all</div>
      ${Array.from({ length: 300 }, (_, index) => `<p>line ${index}.</p>`).join('')}`);
    const pages = await print({ url, single_page: true });
    expect(pages).toHaveLength(1);
    expect(pages[0]?.match(/Accept all/g)).toHaveLength(1);
    expect(pages[0]).toContain('line 299.');
  });

  it('a chart drawn in frames from a ResizeObserver is in the screenshot and the PDF', async () => {
    const url = serve(`<body style="margin:0"><div id="chart" style="height:300px"></div><script>
      new ResizeObserver(([{ contentRect }]) => {
        const draw = () => {
          chart.innerHTML = '<svg width="' + contentRect.width + '" height="300"><rect width="100%" height="300" fill="${green}"/><text y="50">Sales</text></svg>';
        };
        requestAnimationFrame(draw);
      }).observe(chart);
    </script>`);
    const { image } = await worker.capture(url);
    expect((await readPixels(image)).at(600, 200)).toBe(green);
    expect((await print({ url })).join()).toContain('Sales');
    expect((await print({ url, single_page: true })).join()).toContain('Sales');
  });

  it('has a page ready before a capture needs it', async () => {
    await worker.pool.refill();
    const { browser } = (await worker.cells.current()).chromium;
    const before = browser.browserContexts().length;
    expect(before).toBeGreaterThan(6);
    const page = await worker.pool.take();
    expect(browser.browserContexts()).toHaveLength(before);
    await page.close();
  });
});

/** The response to a WebSocket's key (RFC 6455). */
function accept(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

/** The memory maps of a process; empty if they cannot be read or it is gone. */
function readMaps(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8');
  } catch {
    return '';
  }
}
