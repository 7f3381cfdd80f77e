import { openPageServer, type PageServer } from '@capture/testing/page-server';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestWorker, type TestWorker } from '../worker.test-support.ts';

const timeout_ms = 120_000;

/** Looks what is there from before; says so in the title; then leaves what the next one should not find. */
const memory = `<!doctype html><body><script>
  const seen = [];
  const look = (name, found) => { if (found) seen.push(name + '=' + found); };
  const within = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 2000))]).catch(() => undefined);
  const stored = (database) => new Promise((resolve) => {
    const opening = indexedDB.open('planted', 1);
    opening.onupgradeneeded = ({ oldVersion }) => opening.result.createObjectStore('all') && resolve(oldVersion);
    opening.onsuccess = () => resolve(opening.result.version === 1 && database.length > 0);
  });
  (async () => {
    look('cookie', document.cookie);
    look('localStorage', localStorage.planted);
    look('sessionStorage', sessionStorage.planted);
    look('window.name', window.name);
    look('history', history.length > 2 && history.length);
    look('referrer', document.referrer);
    const databases = await indexedDB.databases();
    look('indexedDB', databases.length);
    await within(stored(databases));
    look('caches', (await caches.keys()).join());
    const folder = await navigator.storage.getDirectory();
    for await (const name of folder.keys()) look('opfs', name);
    look('service worker', (await navigator.serviceWorker.getRegistrations()).length);
    look('locks', (await navigator.locks.query()).held.length);
    look('permission', await navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state !== 'denied' && state));
    const told = [];
    const channel = new BroadcastChannel('planted');
    channel.onmessage = ({ data }) => told.push(data);
    const shared = new SharedWorker('/shared.js');
    const before = await within(new Promise((resolve) => { shared.port.onmessage = ({ data }) => resolve(data); shared.port.start(); }));
    look('shared worker', before);
    const blob = new URLSearchParams(location.search).get('blob');
    if (blob) look('blob', await fetch(blob).then((answer) => answer.text(), () => ''));

    document.cookie = 'planted=1; max-age=100000';
    localStorage.planted = sessionStorage.planted = window.name = 'planted';
    await caches.open('planted').then((cache) => cache.put('/planted', new Response('planted')));
    await folder.getFileHandle('planted', { create: true });
    await navigator.serviceWorker.register('/service.js');
    navigator.locks.request('planted', () => new Promise(() => {}));
    setInterval(() => channel.postMessage('planted'), 20);
    history.pushState(0, '', location.href);
    const url = URL.createObjectURL(new Blob(['planted']));
    await fetch('/planted-blob', { method: 'POST', body: url });
    await new Promise((resolve) => setTimeout(resolve, 200));
    look('broadcast', told.join());
    document.title = 'done ' + seen.join(' ');
    document.body.append(Object.assign(document.createElement('i'), { id: 'done' }));
  })();
</script>`;

describe('one capture finds nothing of another, in the same browser', () => {
  let server: PageServer;
  let worker: TestWorker;
  const blobs: string[] = [];
  const asked: { path: string; authorization?: string; cookie?: string; none?: string; port?: number }[] = [];

  beforeAll(async () => {
    const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });
    server = await openPageServer({
      '/memory': memory,
      '/shared.js': script(
        'let before = 0; onconnect = ({ ports: [port] }) => { port.postMessage(before); before += 1; };',
      ),
      '/service.js': script("onfetch = (event) => event.respondWith(new Response('planted'));"),
      '/planted-blob': (request, response) => {
        let body = '';
        request.on('data', (part) => {
          body += part;
        });
        request.on('end', () => {
          blobs.push(body);
          response.end();
        });
      },
    });
    worker = await openTestWorker({ allow: `127.0.0.1/32:${server.port}`, size: 2 });
  });
  afterAll(async () => {
    await worker.close();
    await server.close();
  });

  /** What a capture finds; one whose page did not tell in time is made again, which must find as little. */
  const look = (options: Record<string, unknown> = {}) =>
    waitUntil(
      async () => {
        const url = server.url(`/memory?blob=${encodeURIComponent(blobs.at(-1) ?? '')}`);
        const request = { url, wait_for_selector: '#done', timeout_ms, ...options };
        return (await worker.render('screenshot', request)).report.page?.title;
      },
      { what: 'a page that tells of itself' },
    );

  it('one after the other, at once, and after a crash: in cookies, storage, workers, channels, blobs and permissions', async () => {
    expect(await look({ geolocation: { latitude: 48, longitude: 16 } })).toMatch(/^done( permission=granted)?$/);
    expect(await look()).toBe('done');
    expect(await Promise.all([look(), look()])).toEqual(['done', 'done']);
    const { pid } = await worker.browser.current();
    process.kill(-pid, 'SIGKILL');
    await waitUntil(async () => (await worker.browser.current()).pid !== pid, { what: 'another browser' });
    expect(await look()).toBe('done');
    expect(blobs.length).toBeGreaterThanOrEqual(5);
  });

  /** Notes each request for a path, and answers it. */
  const note = (path: string, headers: Record<string, string>, body: string) => {
    server.serve({
      [path]: (request, response) => {
        const { authorization, cookie, 'if-none-match': none } = request.headers;
        const { remotePort: port } = request.socket;
        asked.push({
          path,
          ...(authorization && { authorization }),
          ...(cookie && { cookie }),
          ...(none && { none }),
          ...(port && { port }),
        });
        response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
      },
    });
  };

  it('in the HTTP cache: what was kept is asked for again, and without an ETag', async () => {
    note(
      '/kept.js',
      { 'content-type': 'text/javascript', 'cache-control': 'max-age=100000, immutable', etag: '"planted"' },
      '',
    );
    note('/favicon.ico', { 'content-type': 'image/png', 'cache-control': 'max-age=100000', etag: '"planted"' }, '');
    server.serve({
      '/cached': '<script src="/kept.js"></script><link rel="icon" href="/favicon.ico"><img src="/favicon.ico">',
    });
    for (const round of [1, 2, 3]) {
      await worker.capture(server.url('/cached'), { timeout_ms });
      for (const path of ['/kept.js', '/favicon.ico']) {
        const requests = asked.filter((each) => each.path === path);
        expect(requests.length).toBeGreaterThanOrEqual(round);
        expect(requests.filter(({ none }) => none !== undefined)).toEqual([]);
      }
    }
  });

  it('in what was confided: credentials and cookies of one are not sent for the other', async () => {
    server.serve({
      '/private': (request, response) => {
        const { authorization, cookie } = request.headers;
        asked.push({ path: '/private', ...(authorization && { authorization }), ...(cookie && { cookie }) });
        if (authorization) response.writeHead(200, { 'content-type': 'text/html' }).end('private');
        else response.writeHead(401, { 'www-authenticate': 'Basic realm="private"' }).end('closed');
      },
    });
    const url = server.url('/private');
    const confided = {
      basic_auth: { username: 'one', password: 'secret' },
      cookies: [{ name: 'session', value: 'one' }],
    };
    const first = await worker.render('screenshot', { url, timeout_ms, ...confided });
    expect(first.report.httpStatus).toBe(200);
    const before = asked.length;
    const second = await worker.render('screenshot', { url, timeout_ms });
    expect(second.report.httpStatus).toBe(401);
    expect(asked.slice(before)).toEqual([{ path: '/private' }]);
  });

  it('in connections: each capture has its own', async () => {
    note('/connection', {}, 'x');
    for (let round = 0; round < 3; round += 1) await worker.capture(server.url('/connection'), { timeout_ms });
    const ports = asked.filter(({ path }) => path === '/connection').map(({ port }) => port);
    expect(new Set(ports).size).toBe(ports.length);
    expect(ports.length).toBeGreaterThanOrEqual(3);
  });
});
