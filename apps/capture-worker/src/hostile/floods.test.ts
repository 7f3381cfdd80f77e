import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { constants, deflateRawSync } from 'node:zlib';
import { listen } from '@capture/testing/network/listen';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureFailure } from '../capture-failure.ts';
import { openTestWorker, readPixels, type TestWorker } from '../worker.test-support.ts';

/** Repeats `work` without end, leaving the page's thread free in between. */
const forever = (work: string) => `<!doctype html><script>setInterval(() => { ${work} }, 0);</script>`;

const worker = (program: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(program)}])))`;

/** Pages that make the browser report without end. */
const floods: Record<string, string> = {
  'request headers of 20 MB': forever("fetch('/', { headers: { a: 'x'.repeat(2e7) } }).catch(() => {});"),
  'events of a stream': '<script>new EventSource("/events")</script>',
  'messages of a socket, packed a thousandfold': '<script>new WebSocket("ws://127.0.0.1:SOCKETS/")</script>',
  'sent messages of a socket': `<script>const socket = new WebSocket("ws://127.0.0.1:SOCKETS/quiet");
     socket.onopen = () => setInterval(() => { if (socket.bufferedAmount < 1e8) socket.send('x'.repeat(2e7)); }, 0);</script>`,
  'data: URLs': forever("fetch('data:,' + 'x'.repeat(5e6) + Math.random());"),
  frames: forever(
    "for (let n = 0; n < 50; n += 1) { const frame = document.createElement('iframe'); document.documentElement.append(frame); frame.remove(); }",
  ),
  'frames of another site': forever(`const frame = document.createElement('iframe');
     frame.src = 'http://localhost:' + location.port + '/good?' + Math.random();
     document.documentElement.append(frame);
     setTimeout(() => frame.remove(), 50);`),
  'the console of a worker': `<script>${worker("setInterval(() => { for (let n = 0; n < 1000; n += 1) console.log('x'.repeat(1000)); }, 0)")}</script>`,
};

/** Pages that would keep the browser's main process busy. Their scripts reach a limit before that. */
const limited: Record<string, string> = {
  workers: forever(
    `for (let n = 0; n < 20; n += 1) { const worker = ${worker('1')}; setTimeout(() => worker.terminate(), 20); }`,
  ),
  titles: forever('for (let n = 0; n < 1000; n += 1) document.title = Math.random();'),
  'names of a frame': `<iframe></iframe>${forever("frames[0].name = 'n'.repeat(1e6) + Math.random();")}`,
  'lines of a console': forever(
    "for (let n = 0; n < 1000; n += 1) { console.log('x'.repeat(1000)); frames[0] ?? document.documentElement.append(document.createElement('iframe')); frames[0].console.log('y'); }",
  ),
};

/** WebSocket messages of 40 MB that are 39 kB on the wire; at `/quiet` none. */
async function openSocketServer() {
  const packed = deflateRawSync(Buffer.alloc(40_000_000, 'a'), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
  const head = Buffer.from([0xc1, 126, packed.length >> 8, packed.length & 0xff]);
  const message = Buffer.concat([head, packed]);
  const server = createServer();
  server.on('upgrade', ({ url, headers }, socket) => {
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const lines = ['Upgrade: websocket', 'Connection: Upgrade'];
    lines.push(`Sec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}`);
    if (url === '/') lines.push('Sec-WebSocket-Extensions: permessage-deflate');
    socket.on('error', () => socket.destroy()).resume();
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    const send = () => {
      while (!socket.destroyed && socket.write(message));
    };
    if (url === '/') socket.on('drain', send);
    if (url === '/') send();
  });
  return listen(server, 'socket server', { host: '127.0.0.1', port: 0 });
}

describe('a page that floods the browser with messages', () => {
  let server: PageServer;
  let sockets: Awaited<ReturnType<typeof openSocketServer>>;
  let testWorker: TestWorker;

  beforeAll(async () => {
    sockets = await openSocketServer();
    server = await openPageServer({
      '/good': '<!doctype html><body style="background: #0000ff">',
      '/events': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const send = () => {
          while (!response.destroyed && response.write(`data: ${'x'.repeat(1e6)}\n\n`));
        };
        response.on('drain', send);
        send();
      },
    });
    const allow = `127.0.0.1/32:${server.port},[::1]:${server.port},127.0.0.1/32:${sockets.port}`;
    testWorker = await openTestWorker({ allow, size: 2 });
  });
  afterAll(async () => {
    await testWorker.close();
    await server.close();
    await sockets.close();
  });

  /** Captures the page, and ordinary ones beside it, and then one more. Returns the error of the page, if any. */
  async function captureBeside(html: string, options: Record<string, unknown>): Promise<CaptureFailure | null> {
    const { browser, render, capture } = testWorker;
    const { pid } = await browser.current();
    const { starts } = browser;
    server.serve({ '/flood': html.replaceAll('SOCKETS', String(sockets.port)) });
    let ended = false;
    const hostile = render('screenshot', { url: server.url('/flood'), ...options })
      .then(
        () => null,
        (error: CaptureFailure) => error,
      )
      .finally(() => {
        ended = true;
      });
    for (let last = false; !last; ) {
      last = ended;
      const { image, report } = await capture(server.url('/good'), { timeout_ms: 120_000 });
      expect((await readPixels(image)).at(50, 50)).toBe('#0000ff');
      expect(report.problems).toEqual([]);
    }
    expect((await browser.current()).pid).toBe(pid);
    expect(browser.starts).toBe(starts);
    return hostile;
  }

  it.each(Object.entries(floods))('is cut off alone: %s', async (_, html) => {
    expect(await captureBeside(html, { timeout_ms: 120_000, delay_ms: 30_000 })).toMatchObject({
      code: 'RENDERING_FAILED',
      message: expect.stringMatching(/^The page floods the browser with (data|events|frames and workers)\.$/),
    });
  });

  it.each(Object.entries(limited))('is limited alone: %s', async (_, html) => {
    expect((await captureBeside(html, { timeout_ms: 5_000 }))?.code).not.toBe('NAVIGATION_FAILED');
  });

  it('may start 200 workers and set its title 1,000 times', async () => {
    const page = await testWorker.pool.take();
    server.serve({ '/counts': '<!doctype html>' });
    await page.session.send('Page.navigate', { url: server.url('/counts') });
    await waitUntil(() => page.activity.document?.loaded, { what: 'the page' });
    const expression = `(async () => {
      let workers = 0;
      try { for (;;) { ${worker('1')}.terminate(); workers += 1; } } catch {}
      for (let n = 1; n <= 2000; n += 1) document.title = n;
      return [workers, document.title];
    })()`;
    const call = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await page.session.send('Runtime.evaluate', call);
    expect(result.value).toEqual([200, '1000']);
    await page.close();
  });
});
