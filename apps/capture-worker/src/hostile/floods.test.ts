import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, deflateRawSync } from 'node:zlib';
import { listen } from '@capture/testing/network/listen';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureFailure } from '../capture-failure.ts';
import { messageLimits } from '../limits.ts';
import { openTestWorker, readPixels, small, type TestWorker } from '../worker.test-support.ts';

/** Repeats `work` without end, leaving the page's thread free in between. */
const forever = (work: string, everyMs = 0) =>
  `<!doctype html><script>setInterval(() => { ${work} }, ${everyMs});</script>`;

/** Often enough to keep a browser without limits busy. What a page does beyond its limits takes only its own processor time. */
const often = (work: string) => forever(work, 50);

/** Pages that are captured together, with ordinary captures beside them. Limited ones last until their timeout. */
const together = 3;

/** Between the ordinary captures: each takes a third of a second of processor time. */
const everyMs = 3_000;

const inRounds = (pages: Record<string, string>) => {
  const all = Object.entries(pages);
  const rounds = Array.from({ length: Math.ceil(all.length / together) }, (_, round) =>
    all.slice(round * together, (round + 1) * together),
  );
  return rounds.map((round) => [round.map(([name]) => name).join(', '), round] as const);
};

const worker = (program: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(program)}])))`;

/** Pages that make the browser report without end: one for each limit of what it may report. */
const floods: Record<string, string> = {
  'data: URLs': forever("fetch('data:,' + 'x'.repeat(5e6) + Math.random());"),
  frames: forever(
    "for (let n = 0; n < 50; n += 1) { const frame = document.createElement('iframe'); document.documentElement.append(frame); frame.remove(); }",
  ),
  'the console of a worker': `<script>${worker("setInterval(() => { for (let n = 0; n < 1000; n += 1) console.log('x'.repeat(1000)); }, 0)")}</script>`,
};

/** Other ways to reach these limits, in a fifth of the processor time. */
const otherFloods: Record<string, string> = {
  'request headers of 20 MB': forever("fetch('/', { headers: { a: 'x'.repeat(2e7) } }).catch(() => {});"),
  'events of a stream': '<script>new EventSource("/events")</script>',
  'messages of a socket, packed a thousandfold': '<script>new WebSocket("ws://127.0.0.1:SOCKETS/")</script>',
  'sent messages of a socket': `<script>const socket = new WebSocket("ws://127.0.0.1:SOCKETS/quiet");
     socket.onopen = () => setInterval(() => { if (socket.bufferedAmount < 1e8) socket.send('x'.repeat(2e7)); }, 0);</script>`,
  'frames of another site': forever(
    `const frame = document.createElement('iframe');
     frame.hidden = true;
     frame.src = 'http://localhost:' + location.port + '/good?' + Math.random();
     document.documentElement.append(frame);
     setTimeout(() => frame.remove(), 50);`,
    20,
  ),
  'addresses of its own document': forever("location.hash = 'x'.repeat(1.9e6) + Math.random();"),
  'navigations of frames that are abandoned': forever(
    `const frames = document.querySelectorAll('iframe');
     if (frames.length < 50) document.documentElement.append(document.createElement('iframe'));
     for (const frame of frames) frame.src = '/hang?' + Math.random();`,
    1,
  ),
  downloads: forever(
    `const link = document.createElement('a');
     link.href = URL.createObjectURL(new Blob(['x']));
     link.download = 'f';
     const frame = document.createElement('iframe');
     document.documentElement.append(frame);
     for (let n = 0; n < 100; n += 1) frame.contentWindow.HTMLElement.prototype.click.call(link);`,
    1,
  ),
  'frames that load again': `<iframe hidden srcdoc="<script>
     for (let n = 0; n < 300; n += 1) caches.open(Math.random()).catch(() => {});
     setTimeout(() => location.reload(), 0);
   </script>"></iframe>`.repeat(8),
};

/** Pages that would keep the browser's main process busy. Their scripts reach a limit before that. */
const limited: Record<string, string> = {
  workers: often(
    `for (let n = 0; n < 20; n += 1) { const worker = ${worker('1')}; setTimeout(() => worker.terminate(), 20); }`,
  ),
  titles: often('for (let n = 0; n < 1000; n += 1) document.title = Math.random();'),
  locks: often(
    'for (let n = 0; n < 1000; n += 1) navigator.locks.request(Math.random(), () => new Promise(() => {}));',
  ),
  'locks of a worker': `<script>${worker('setInterval(() => { for (let n = 0; n < 1000; n += 1) navigator.locks.request(Math.random(), () => new Promise(() => {})).catch(() => {}); }, 50)')}</script>`,
  caches: often('for (let n = 0; n < 200; n += 1) caches.open(Math.random()).catch(() => {});'),
  'caches of a worker': `<script>${worker('setInterval(() => { for (let n = 0; n < 200; n += 1) caches.open(Math.random()).catch(() => {}); }, 50)')}</script>`,
  channels: often("for (let n = 0; n < 100; n += 1) try { new BroadcastChannel('x').postMessage('x'); } catch {}"),
  'large messages in channels': `<script>const all = []; for (let n = 0; n < 20; n += 1) all.push(new BroadcastChannel('x'));
     const large = 'y'.repeat(8e6); setInterval(() => { for (const each of all) each.postMessage({ large }); }, 50);</script>`,
  'channels of frames': often(`const frame = document.createElement('iframe'); frame.hidden = true;
     if (document.querySelectorAll('iframe').length < 60) document.documentElement.append(frame);
     for (const each of document.querySelectorAll('iframe')) {
       try { (each.own ??= []).push(new each.contentWindow.BroadcastChannel('x')); } catch {}
       for (const channel of each.own) for (let n = 0; n < 50; n += 1) channel.postMessage('1');
     }`),
  blobs: often('(self.kept ??= []).push(new Blob([new Uint8Array(5e7).fill(7)]));'),
  'blobs of responses': often(
    'self.large ??= new Uint8Array(5e7).fill(7); new Response(large).blob().then((blob) => (self.kept ??= []).push(blob)).catch(() => {});',
  ),
  'reads of a blob': often(
    "self.large ??= new Blob(['x'.repeat(1e6)]); for (let n = 0; n < 500; n += 1) large.arrayBuffer().catch(() => {});",
  ),
  'items of local storage': often(
    "for (let n = 0; n < 2000; n += 1) try { localStorage['a' + (n % 100)] = Math.random(); } catch {}",
  ),
  'documents that are opened again': `${'<iframe></iframe>'.repeat(10)}${often(
    'for (const { document } of [self, ...frames]) for (let n = 0; n < 100; n += 1) { document.open(); document.close(); }',
  )}`,
  'moves of the window': often('for (let n = 0; n < 500; n += 1) { moveTo(n, n); resizeTo(n, n); }'),
  'questions for cameras': often(
    'for (let n = 0; n < 100; n += 1) { navigator.mediaDevices.enumerateDevices().catch(() => {}); navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => {}); }',
  ),
  'clicks on a file': often(`const link = document.createElement('a'); link.href = URL.createObjectURL(new Blob(['x']));
     link.download = 'f'; for (let n = 0; n < 500; n += 1) { link.click(); link.dispatchEvent(new MouseEvent('click')); }`),
  cookies: often("for (let n = 0; n < 1000; n += 1) document.cookie = Math.random() + '=' + 'x'.repeat(3000);"),
  'service workers': often(
    "let n = 0; for (let each = 0; each < 20; each += 1) navigator.serviceWorker.register('/sw.js?' + Math.random(), { scope: '/' + n++ }).catch(() => {});",
  ),
  'files of its own': `<!doctype html><script>navigator.storage.getDirectory().then((folder) => setInterval(() => {
     for (let n = 0; n < 50; n += 1) folder.getFileHandle('f' + Math.random(), { create: true }).catch(() => {});
   }, 0));</script>`,
  'entries of a cache': `<!doctype html><script>caches.open('x').then((cache) => setInterval(() => {
     for (let n = 0; n < 50; n += 1) { cache.put('/' + Math.random(), new Response('x')).catch(() => {}); cache.match('/x').catch(() => {}); }
   }, 0));</script>`,
  'buckets of storage': often(
    "for (let n = 0; n < 20; n += 1) navigator.storageBuckets.open('b' + Math.floor(Math.random() * 1e9)).catch(() => {});",
  ),
  addresses: often("history.pushState(0, '', '/' + 'x'.repeat(1.9e6));"),
  'names of a frame': `<iframe></iframe>${often("frames[0].name = 'n'.repeat(1e6) + Math.random();")}`,
  'lines of a console': often(
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
      '/hang': () => undefined,
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
    // No renewal: each test checks that the browser is the same. On a busy machine it may take long to respond.
    const browser = { maxCaptures: 100_000, floodTimes: { renewMs: 10_000, killMs: 10_000 } };
    testWorker = await openTestWorker({ allow, size: together + 1, browser });
  });
  afterAll(async () => {
    await testWorker.close();
    await server.close();
    await sockets.close();
  });

  /** Captures pages at once, ordinary ones beside them, and then one more. Returns the error of each page, if any. */
  async function captureBeside(
    pages: readonly string[],
    options: Record<string, unknown>,
  ): Promise<(CaptureFailure | null)[]> {
    const { browser, render, capture } = testWorker;
    const { pid } = await browser.current();
    const { starts } = browser;
    let ended = false;
    const attempts = pages.map(async (html, index) => {
      const path = `/flood-${index}`;
      server.serve({ [path]: html.replaceAll('SOCKETS', String(sockets.port)) });
      return render('screenshot', { url: server.url(path), ...options }).then(
        () => null,
        (error: CaptureFailure) => error,
      );
    });
    const hostile = Promise.all(attempts).finally(() => {
      ended = true;
    });
    for (let last = false; !last; ) {
      last = ended;
      const { image, report } = await capture(server.url('/good'), { ...small, timeout_ms: 120_000 });
      expect((await readPixels(image)).at(50, 50)).toBe('#0000ff');
      // Beside a flood, a busy machine may take too long to make the page of the first try.
      const problems = last ? report.problems : report.problems.filter((each) => !each.startsWith('unavailable:'));
      expect(problems).toEqual([]);
      await Promise.race([hostile, sleep(everyMs)]);
    }
    expect((await browser.current()).pid).toBe(pid);
    expect(browser.starts).toBe(starts);
    return hostile;
  }

  async function expectCutOff(round: [name: string, html: string][]): Promise<void> {
    const failures = await captureBeside(
      round.map(([, html]) => html),
      { timeout_ms: 100_000, wait_for_selector: '#never' },
    );
    const found = round.map(([name], index) => ({
      name,
      code: failures[index]?.code,
      message: failures[index]?.message,
    }));
    expect(found).toEqual(
      round.map(([name]) => ({
        name,
        code: 'RENDERING_FAILED',
        message: expect.stringMatching(
          /^The page floods the browser with (data|events|messages|frames, their navigations, workers or pings)\.$/,
        ),
      })),
    );
  }

  it.each(Object.entries(floods))('is cut off alone: %s', (name, html) => expectCutOff([[name, html]]));

  describe('by another way, at a fifth of the limits', () => {
    const limits = { ...messageLimits };
    beforeAll(() => {
      for (const what of ['bytes', 'events', 'changes'] as const) messageLimits[what] = limits[what] / 5;
    });
    afterAll(() => void Object.assign(messageLimits, limits));

    it.each(inRounds(otherFloods))('is cut off, and affects no other capture: %s', (_, round) => expectCutOff(round));
  });

  it.each(inRounds(limited))('is limited, and affects no other capture: %s', async (_, round) => {
    const failures = await captureBeside(
      round.map(([, html]) => html),
      { timeout_ms: 3_000 },
    );
    const codes = round.map(([name], index) => ({ name, code: failures[index]?.code }));
    expect(codes.filter(({ code }) => code === 'NAVIGATION_FAILED')).toEqual([]);
  });

  describe('the limits of what a page may make the browser do', () => {
    const counting = `
      const count = async (work) => {
        for (let done = 0; ; done += 1) {
          try { if (done >= 3000 || (await work(done)) === false) return done; } catch { return done; }
        }
      };
      const limits = async () => ({
        locks: await count(() => Promise.race([navigator.locks.request('x' + Math.random(), () => {}), navigator.locks.query()])),
        channels: await count((n) => void (n % 2 ? new BroadcastChannel('x') : new BroadcastChannel.prototype.constructor('x'))),
      });`;
    const limitsOfDocument = `
      const channel = new BroadcastChannel('y');
      const receiver = new BroadcastChannel('y');
      const limitsOfDocument = async () => {
        let received = 0;
        const last = new Promise((resolve) => { receiver.onmessage = () => { received += 1; if (received === 200) resolve(); }; });
        for (let n = 0; n < 700; n += 1) channel.postMessage(n);
        for (let n = 1; n <= 2000; n += 1) document.title = n;
        for (let n = 1; n <= 2000; n += 1) document.cookie = 'n=' + n;
        await last;
        return {
          workers: await count(() => ${worker('1')}.terminate()),
          received,
          title: document.title,
          cookie: document.cookie,
        };
      };`;
    const ofWorker = `${counting} onmessage = onconnect = (event) => limits().then((all) => (event.ports[0] ?? self).postMessage(all));`;
    const inWorker = (start: string, reply: string) =>
      `await new Promise((resolve) => { const worker = ${start}; ${reply} })`;
    const writes = `await count(async (n) => void (await [() => caches.open('x'), () => indexedDB.open('x')][n % 2]()))`;
    const places: Record<string, string> = {
      'a document': 'await limits()',
      'a worker': inWorker(
        "new Worker('/counts-in-worker')",
        'worker.onmessage = ({ data }) => resolve(data); worker.postMessage(1);',
      ),
      ...Object.fromEntries(
        Object.entries({
          'the functions of locks': 'LockManager.prototype',
          'the functions of locks by its global scope': 'Object.entries({ self })[0][1].LockManager.prototype',
          'a getter of locks, and replaces it':
            "(() => { const { get } = Object.getOwnPropertyDescriptor(WorkerNavigator.prototype, 'locks'); Object.defineProperty(WorkerNavigator.prototype, 'locks', { get: () => ({}) }); const locks = get.call(navigator); Object.defineProperty(WorkerNavigator.prototype, 'locks', { get: () => locks }); return locks; })()",
        }).map(([what, kept]) => [
          `a worker that keeps ${what} before it reads anything else`,
          inWorker(
            `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(`const { request, query } = ${kept}; ${ofWorker.replaceAll('navigator.locks.request(', 'request.call(navigator.locks, ').replaceAll('navigator.locks.query(', 'query.call(navigator.locks')}`)}])))`,
            'worker.onmessage = ({ data }) => resolve(data); worker.postMessage(1);',
          ),
        ]),
      ),
      'a shared worker': inWorker(
        "new SharedWorker('/counts-in-worker')",
        'worker.port.onmessage = ({ data }) => resolve(data);',
      ),
      'a frame of another site': `await new Promise((resolve) => {
        onmessage = ({ data }) => resolve(data);
        const frame = document.createElement('iframe');
        frame.src = 'http://localhost:' + location.port + '/counts-in-frame';
        document.body.append(frame);
      })`,
    };

    async function evaluate(expression: string): Promise<unknown> {
      const page = await testWorker.pool.take();
      server.serve({
        '/counts': '<!doctype html><body>',
        '/counts-in-worker': (_, response) => {
          response.writeHead(200, { 'content-type': 'text/javascript' }).end(ofWorker);
        },
        '/counts-in-frame': `<!doctype html><script>${counting} limits().then((all) => parent.postMessage(all, '*'));</script>`,
      });
      // Locks and channels need a secure context, which the addresses of this machine are.
      await page.session.send('Page.navigate', { url: server.url('/counts') });
      await waitUntil(() => page.activity.document?.loaded, { what: 'the page' });
      const call = { expression: `(async () => { ${expression} })()`, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = await page.session.send('Runtime.evaluate', call);
      await page.close();
      expect(exceptionDetails).toBeUndefined();
      return result.value;
    }

    /** Tries all of these in one page, which takes longer than they do: each has a count of its own there. */
    async function evaluateEach(tried: Record<string, string>, before = ''): Promise<Record<string, unknown>> {
      const each = Object.entries(tried).map(
        ([what, code]) => `all[${JSON.stringify(what)}] = await (async () => { ${code} })();`,
      );
      return (await evaluate(`${counting} ${before} const all = {}; ${each.join('\n')} return all;`)) as Record<
        string,
        unknown
      >;
    }

    const reads = `await count(async (n) => void (await [
      () => caches.has('x'), () => navigator.storage.estimate(), () => indexedDB.databases(),
      () => navigator.permissions.query({ name: 'geolocation' }),
    ][n % 4]()))`;
    const urls = `await count(() => { URL.createObjectURL(new Blob()); })`;
    const frameThatWrites = `<script>${counting} (async () => parent.postMessage(${writes}, '*'))()</script>`;
    const keepsFunctions = `const { has } = CacheStorage.prototype; const { estimate } = StorageManager.prototype; ${counting}
      onmessage = async () => postMessage(await count(async (n) => void (await (n % 2 ? has.call(caches, 'x') : estimate.call(navigator.storage)))));`;
    const registration = `navigator.serviceWorker.register('/missing.js?' + n).catch((error) => {
      if (error.name === 'QuotaExceededError') throw error;
    })`;

    const ofDocument: Record<string, [code: string, expected: unknown]> = {
      '64 workers, 200 messages, 1,000 titles and 1,000 cookies': [
        'return limitsOfDocument();',
        { workers: 64, received: 200, title: '1000', cookie: 'n=1000' },
      ],
      'of the storage: 1,000 calls that read and 300 that write': [`return [${reads}, ${writes}];`, [1_000, 300]],
      'of a frame, which can load again: 30 calls that write': [
        `const frame = document.createElement('iframe');
         frame.srcdoc = ${JSON.stringify(frameThatWrites)};
         document.body.append(frame);
         return await new Promise((resolve) => { onmessage = ({ data }) => resolve(data); });`,
        30,
      ],
      'of service workers: 20 registrations': [`return await count(async (n) => void (await ${registration}));`, 20],
      // Each call counts the address before and after it.
      'of a history: a million characters of addresses': [
        "return await count((n) => { history.replaceState(n, '', '?' + 'x'.repeat(1e5)); return history.state === n; });",
        5,
      ],
    };

    describe('hold in', () => {
      const storageOfWorker = 'a worker that keeps its functions before it reads anything else: 1,000 calls that read';
      const tried: Record<string, string> = {
        ...Object.fromEntries(Object.entries(places).map(([what, code]) => [what, `return ${code};`])),
        [storageOfWorker]: `return ${inWorker(
          `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(keepsFunctions)}])))`,
          'worker.onmessage = ({ data }) => resolve(data); worker.postMessage(1);',
        )};`,
      };
      let found: Record<string, unknown>;
      beforeAll(async () => {
        found = await evaluateEach(tried);
      });

      it(storageOfWorker, () => expect(found[storageOfWorker]).toBe(1_000));

      // Two calls for each lock.
      it.each(Object.keys(places))('%s', (what) =>
        expect(found[what]).toEqual({ locks: 100, channels: what === 'a document' ? 20 : 2 }),
      );

      it('a document that replaces the functions of the language', async () => {
        const code = `
          const kept = [];
          for (const name of ['apply', 'construct']) Reflect[name] = (target) => { kept.push(target); };
          Function.prototype.apply = Function.prototype.call = (target) => { kept.push(target); };
          const all = await limits();
          return { ...all, ...(kept.length > 0 && { kept: kept.length }) };`;
        expect(await evaluate(`${counting} ${code}`)).toEqual({ locks: 100, channels: 20 });
      });
    });

    it('leave a worker the name of its caches', async () => {
      const program = JSON.stringify("const caches = 'own'; postMessage(caches);");
      const code = `return await new Promise((resolve) => {
        new Worker(URL.createObjectURL(new Blob([${program}]))).onmessage = ({ data }) => resolve(data);
      })`;
      expect(await evaluate(code)).toBe('own');
    });

    it('hold from the start of a shared worker: no other session resumes it', async () => {
      const { session } = await testWorker.browser.current();
      const attached: string[] = [];
      const note = ({ targetInfo }: { targetInfo: { type: string } }) => void attached.push(targetInfo.type);
      session.connection()?.on('Target.attachedToTarget', note);
      await evaluate(String(places['a shared worker']));
      session.connection()?.off('Target.attachedToTarget', note);
      expect(attached).not.toContain('shared_worker');
    });

    describe('of a document:', () => {
      let found: Record<string, unknown>;
      beforeAll(async () => {
        found = await evaluateEach(
          Object.fromEntries(Object.entries(ofDocument).map(([what, [code]]) => [what, code])),
          limitsOfDocument,
        );
      });

      it.each(Object.entries(ofDocument))('%s', (what, [, expected]) => expect(found[what]).toEqual(expected));
    });

    it('of files, caches and buckets: 300 calls that write together; 2,000 object URLs', async () => {
      const open = `const folder = await navigator.storage.getDirectory(); const cache = await caches.open('x');`;
      const calls = `await count(async (n) => void (await [
        () => folder.getFileHandle('x', { create: true }), () => cache.put('/x', new Response('x')),
        () => navigator.storageBuckets.delete('x'),
      ][n % 3]()))`;
      // Opening the cache counts, too.
      expect(await evaluate(`${open} ${counting} return [${calls}, ${urls}];`)).toEqual([299, 2_000]);
    });

    it('of channels: messages of 10,000 characters', async () => {
      const code = `const [channel, receiver] = [new BroadcastChannel('z'), new BroadcastChannel('z')];
        const received = [];
        const last = new Promise((resolve) => { receiver.onmessage = ({ data }) => { received.push(data); if (data === 'last') resolve(); }; });
        const nested = { a: [{ b: 'x'.repeat(9_000) }, null, 1, undefined] };
        const getter = { get a() { return 'x'.repeat(20_000); } };
        const sent = ['x'.repeat(10_001), nested, [nested, nested], getter, new Map([[1, 'x'.repeat(20_000)]]), new Uint8Array(20_000), 7, 'last'];
        for (const each of sent) channel.postMessage(each);
        await last;
        return received;`;
      expect(await evaluate(code)).toEqual([{ a: [{ b: 'x'.repeat(9_000) }, null, 1, null] }, 7, 'last']);
    });

    it('of channels: ordinary objects arrive, whose size no other prototype hides', async () => {
      const code = `const [channel, receiver] = [new BroadcastChannel('o'), new BroadcastChannel('o')];
        const received = [];
        const last = new Promise((resolve) => { receiver.onmessage = ({ data }) => { received.push(data); if (data === 'last') resolve(); }; });
        const ordinary = [new Date(0), new Map([['a', [1]]]), new Set(['b']), new Uint8Array([7]), new ArrayBuffer(3), /x/g,
          { a: { b: { c: { d: { e: { f: 1 } } } } } }];
        const large = [new Map([[1, 'x'.repeat(20_000)]]), new Set(['x'.repeat(20_000)]), new Uint8Array(20_000),
          new RegExp('x'.repeat(20_000)), new ImageData(100, 100), new Error('x'.repeat(20_000))];
        for (const each of ordinary) channel.postMessage(each);
        for (const each of large) channel.postMessage(Object.setPrototypeOf(each, Object.prototype));
        channel.postMessage('last');
        await last;
        const [date, map, set, bytes, buffer, pattern, nested, ...others] = received;
        return [+date, map.get('a')[0], set.has('b'), bytes[0], buffer.byteLength, String(pattern), nested.a.b.c.d.e.f, others];`;
      expect(await evaluate(code)).toEqual([0, 1, true, 7, 3, '/x/g', 1, ['last']]);
    });

    it('of blobs: 200 MiB', async () => {
      const made = (parts: string) => `await count(() => void new (Object.getPrototypeOf(File))(${parts}))`;
      const code = `const part = new Uint8Array(10 * 2 ** 20); const class_ = class extends Blob {};
        const first = [await new Blob(['a', new Blob(['b']), new Uint8Array([99]), 4]).text(), new class_(['x']).size, new File(['x'], 'n').name];
        const changing = [part]; changing[Symbol.iterator] = function* () { for (let n = 0; n < 30; n += 1) yield part; };
        const large = { toString: () => 'x'.repeat(220 * 2 ** 20) };
        return [...first, ${made('changing')}, ${made('[large]')}, ${made('[part]')}, ${made('new Set([part])')}];`;
      expect(await evaluate(`${counting} ${code}`)).toEqual(['abc4', 1, 'n', 0, 0, 19, 0]);
    });

    it('of blobs that responses, requests, forms and canvases make: 200 MiB together', async () => {
      const code = `const part = new Uint8Array(20 * 2 ** 20);
        const load = (url, mime) => new Promise((resolve) => {
          const request = new XMLHttpRequest();
          request.open('GET', url);
          if (mime) request.overrideMimeType(mime);
          request.responseType = 'blob';
          request.onload = () => resolve([request.responseType, request.response, request.response === request.response]);
          request.send();
        });
        const canvas = document.createElement('canvas');
        const form = new FormData();
        form.append('a', new Blob(['file']), 'n');
        const [type, { size }, isSame] = await load('data:image/png,abc');
        const first = [
          await (await new Response('a', { headers: { 'content-type': 'text/css' } }).blob()).text(),
          (await new Response('a', { headers: { 'content-type': 'text/css' } }).blob()).type,
          await (await new Response(form).formData()).get('a').text(),
          type, size, isSame, (await load('data:image/png,abc'))[1].type, (await load('data:image/png,abc', 'text/css'))[1].type,
          (await new Promise((resolve) => canvas.toBlob(resolve))).type,
          (await load('data:Image/SVG+xml;charset=utf-8,abc'))[1].type, (await load('data:image/png,abc', 'none'))[1].type,
        ];
        const url = URL.createObjectURL(new Blob([part]));
        const makers = [
          () => new Response(part).blob(),
          () => new Request('/', { method: 'POST', body: part }).blob(),
          () => fetch(url).then((response) => response.blob()),
          () => load(url).then(([, blob]) => { if (!blob) throw 0; }),
        ];
        const made = await count(async (n) => void (await makers[n % 4]()));
        canvas.width = canvas.height = 5_000;
        const afterwards = [await new Promise((resolve) => canvas.toBlob(resolve))];
        for (const make of makers) await make().catch(() => afterwards.push('refused'));
        await new OffscreenCanvas(5_000, 5_000).convertToBlob().catch(() => afterwards.push('refused'));
        return [...first, made, ...afterwards];`;
      const refused = ['refused', 'refused', 'refused', 'refused', 'refused'];
      expect(await evaluate(`${counting} ${code}`)).toEqual([
        ...['a', 'text/css', 'file', 'blob', 3, true, 'image/png', 'text/css', 'image/png'],
        ...['image/svg+xml', 'application/octet-stream'],
        ...[8, null, ...refused],
      ]);
    });

    it('of the bytes of blobs that are read: 200 MiB, however; 2,000 object URLs are given back', async () => {
      const code = `const blob = new Blob([new Uint8Array(10 * 2 ** 20)]);
        const readers = [
          () => blob.arrayBuffer(), () => blob.text(), () => blob.stream().cancel(), () => new Response(blob).arrayBuffer(),
          () => new Promise((resolve) => { const reader = new FileReader(); reader.onload = resolve; reader.readAsText(blob); }),
        ];
        const first = [await new Blob(['a']).text(), await new Response(new Blob(['b'])).text(), await new Response('c').text()];
        const done = await count(async (n) => void (await readers[n % 5]()));
        const afterwards = [];
        for (const read of readers) try { await read(); } catch (error) { afterwards.push(error.name); }
        const url = URL.createObjectURL(new Blob(['d']));
        for (let n = 0; n < 2000; n += 1) URL.revokeObjectURL('blob:' + n);
        URL.revokeObjectURL(url);
        return [...first, done, ...new Set(afterwards), afterwards.length, await (await fetch(url)).text()];`;
      expect(await evaluate(`${counting} ${code}`)).toEqual(['a', 'b', 'c', 19, 'QuotaExceededError', 5, 'd']);
    });

    it('of changes of local and session storage: 5,000, which work as ever before', async () => {
      const code = `const area = localStorage;
        area.setItem('a', 1); area.b = { toString: () => 'two' }; sessionStorage.c = 3;
        Object.defineProperty(area, 'd', { value: 4, configurable: true, enumerable: true, writable: true });
        Storage.prototype.putItem = function (key, value) { this.setItem(key, value); };
        area.putItem('e', '5');
        const event = new StorageEvent('storage', { storageArea: area, key: 'a' });
        const older = new StorageEvent('storage');
        older.initStorageEvent('storage', false, false, 'a', null, null, '', sessionStorage);
        const heard = new Promise((resolve) => addEventListener('storage', resolve));
        const frame = document.createElement('iframe');
        document.body.append(frame);
        frame.contentWindow.localStorage.f = 6;
        const { storageArea, key } = await heard;
        const usual = [
          JSON.stringify(Object.entries(area).sort()), JSON.stringify(sessionStorage), area.length, area.getItem('b'), area.b, area.nothing,
          'a' in area, 'z' in area, delete area.a, area.getItem('a'), area instanceof Storage, String(area), area.key(9),
          area === window.localStorage, area !== sessionStorage, event.storageArea === area, older.storageArea === sessionStorage,
          storageArea === area, key, typeof area.setItem, area.setItem === Storage.prototype.setItem,
        ];
        let done = 0;
        try { for (; done < 9000; done += 3) { area.x = done; sessionStorage.setItem('x', done); area.removeItem('x'); } } catch {}
        try { area.clear(); } catch (error) { return [...usual, done, error.name, frame.contentWindow.localStorage.x]; }`;
      expect(await evaluate(code)).toEqual([
        ...['[["a","1"],["b","two"],["d","4"],["e","5"],["f","6"]]', '{"c":"3"}', 5, 'two', 'two', null],
        ...[true, false, true, null, true, '[object Storage]', null],
        ...[true, true, true, true, true, 'f', 'function', true],
        // Five items before.
        ...[4_995, 'QuotaExceededError', null],
      ]);
    });

    it('of changes of storage: sites replace the functions of an area, and store what is undefined', async () => {
      const code = `const area = localStorage; const { setItem } = area; const kept = [];
        area.setItem = function (key, value) { kept.push(key); setItem.apply(this, arguments); };
        area.setItem('a', 1);
        const found = [kept.join(), area.a, typeof area.setItem, area.getItem('setItem'), area.length];
        delete area.setItem;
        area.setItem('b', 2);
        area.setItem('c', undefined); area.d = undefined;
        Object.defineProperty(area, 'clear', { value: () => 'replaced', configurable: true });
        const later = [kept.join(), area.b, area.c, area.d, area.clear()];
        // Without that prototype these are items.
        Object.setPrototypeOf(area, null);
        return [...found, ...later, await count(() => { area.setItem = 'x'.repeat(1_000_000); })];`;
      expect(await evaluate(`${counting} ${code}`)).toEqual([
        ...['a', '1', 'function', null, 1, 'a', '2', 'undefined', 'undefined', 'replaced', 9],
      ]);
    });

    it('of the characters of items, in their keys too: 10 million', async () => {
      const code = `const key = 'k'.repeat(1_000_000);
        return [
          await count((n) => { localStorage.setItem({ toString: () => key + n }, ''); localStorage.removeItem(key + n); }),
          await count((n) => { localStorage[key + n] = ''; }),
        ];`;
      expect(await evaluate(`${counting} ${code}`)).toEqual([4, 0]);
    });

    it('of questions for devices, and of sockets', async () => {
      const code = `return [
          await count(() => navigator.mediaDevices.enumerateDevices()), await count(() => void new PressureObserver(() => {})),
          await count(() => void new WebSocket('ws://127.0.0.1:9/').close()), await count(() => void new EventSource('/counts').close()), await count(() => void new WebTransport('https://127.0.0.1:9/').closed.catch(() => {})),
        ];`;
      expect(await evaluate(`${counting} ${code}`)).toEqual([50, 50, 200, 200, 200]);
    });

    it('of documents that are opened again: 200, and 20 of a frame, which are written as ever before', async () => {
      const code = `const frame = document.createElement('iframe');
        document.body.append(frame);
        const shown = () => frame.contentDocument.body?.textContent;
        const write = (text) => { const own = frame.contentDocument; const same = own.open() === own; own.write(text); own.close(); return same; };
        const found = [write('<body>a'), shown(), write('<body>b'), shown()];
        // The last of them is opened by what is written to it, and is not closed.
        const written = await count((n) => { write('<body>' + n); return shown() === String(n); });
        write('<body>last');
        return [...found, written];`;
      expect(await evaluate(`${counting} ${code}`)).toEqual([true, 'a', true, 'b', 19]);
    });

    it('of requests for the full screen: 100, which are refused as ever', async () => {
      const code = `const names = new Set();
        let tries = 0;
        const last = new Promise((resolve) => document.addEventListener('fullscreenerror', () => { tries += 1; if (tries === 100) resolve(); }));
        for (let n = 0; n < 500; n += 1) document.body.requestFullscreen().catch(({ name }) => names.add(name));
        await last;
        await new Promise((resolve) => setTimeout(resolve, 200));
        return [...names, tries];`;
      expect(await evaluate(code)).toEqual(['TypeError', 100]);
    });

    it('of questions for apps: after 50 there is none at once', async () => {
      // Each takes the browser 1 ms or more.
      const code = `const ask = () => navigator.getInstalledRelatedApps();
        for (let n = 0; n < 50; n += 1) await ask();
        let turns = 0; let isKnown = false;
        void ask().then(() => { isKnown = true; });
        for (; !isKnown && turns < 10; turns += 1) await null;
        return [turns < 10, await ask()];`;
      expect(await evaluate(code)).toEqual([true, []]);
    });

    it('of requests that outlive the page: 50; the others are sent as ever', async () => {
      server.serve({ '/hits': (_, response) => void response.end(String(server.hits('/beacon'))) });
      const code = `const kept = { method: 'POST', body: 'x', keepalive: true };
        const hidden = new Proxy({}, { has: () => false, get: (_, name) => kept[name] });
        const request = new Request('/counts', kept);
        const responses = [];
        for (let n = 0; n < 10; n += 1) for (const args of [['/counts', kept], ['/counts', hidden], [request.clone()], [request.clone(), { mode: 'cors' }], ['/counts', Object.freeze(kept)]]) responses.push(await fetch(...args));
        for (let n = 0; n < 10; n += 1) navigator.sendBeacon('/beacon');
        for (const args of [['/counts', kept], ['/counts', hidden], [request], ['/counts'], ['/counts', new Request('/counts')]]) responses.push(await fetch(...args));
        const link = document.createElement('a');
        link.href = '#';
        link.ping = '/beacon';
        document.body.append(link);
        for (let n = 0; n < 30; n += 1) link.click();
        const hits = async () => Number(await (await fetch('/hits')).text());
        while ((await hits()) < 20) await new Promise((resolve) => setTimeout(resolve, 20));
        return [responses.filter(({ status }) => status === 200).length, await hits()];`;
      // The pings of 20 clicks, and no beacon.
      expect(await evaluate(code)).toEqual([55, 20]);
    });

    it('of the bytes that an origin stores: 200 MiB', async () => {
      const code = `const cache = await caches.open('x');
        const part = new Uint8Array(20 * 2 ** 20);
        return count((n) => cache.put('/' + n, new Response(part)));`;
      expect(await evaluate(`${counting} ${code}`)).toBe(9);
    });

    it('of databases: 5,000 transactions', async () => {
      const open = `const database = await new Promise((resolve) => {
        const opening = indexedDB.open('x');
        opening.onupgradeneeded = () => opening.result.createObjectStore('x');
        opening.onsuccess = () => resolve(opening.result);
      });`;
      const use = `let done = 0; try { for (; done < 6000; done += 1) database.transaction('x'); } catch {} return done;`;
      expect(await evaluate(`${open} ${use}`)).toBe(5_000);
    });
  });
});
