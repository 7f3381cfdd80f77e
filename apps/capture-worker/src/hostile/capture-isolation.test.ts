import { text } from 'node:stream/consumers';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { openForTests, small } from '../worker.test-support.ts';

const timeout_ms = 120_000;

/** Looks for state of earlier captures, reports it in the title, and leaves state that the next capture must not find. */
const statefulPage = `<!doctype html><body><script>
  const found = [];
  const look = (name, value) => { if (value) found.push(name + '=' + value); };
  const within = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 2000))]).catch(() => undefined);
  const stored = (database) => new Promise((resolve) => {
    const opening = indexedDB.open('injected', 1);
    opening.onupgradeneeded = ({ oldVersion }) => opening.result.createObjectStore('all') && resolve(oldVersion);
    opening.onsuccess = () => resolve(opening.result.version === 1 && database.length > 0);
  });
  (async () => {
    look('cookie', document.cookie);
    look('localStorage', localStorage.injected);
    look('sessionStorage', sessionStorage.injected);
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
    const messages = [];
    const channel = new BroadcastChannel('injected');
    channel.onmessage = ({ data }) => messages.push(data);
    const shared = new SharedWorker('/shared.js');
    const before = await within(new Promise((resolve) => { shared.port.onmessage = ({ data }) => resolve(data); shared.port.start(); }));
    look('shared worker', before);
    const blob = new URLSearchParams(location.search).get('blob');
    if (blob) look('blob', await fetch(blob).then((response) => response.text(), () => ''));

    document.cookie = 'injected=1; max-age=100000';
    localStorage.injected = sessionStorage.injected = window.name = 'injected';
    await caches.open('injected').then((cache) => cache.put('/injected', new Response('injected')));
    await folder.getFileHandle('injected', { create: true });
    await navigator.serviceWorker.register('/service.js');
    navigator.locks.request('injected', () => new Promise(() => {}));
    setInterval(() => channel.postMessage('injected'), 20);
    history.pushState(0, '', location.href);
    const url = URL.createObjectURL(new Blob(['injected']));
    await fetch('/injected-blob', { method: 'POST', body: url });
    await new Promise((resolve) => setTimeout(resolve, 200));
    look('broadcast', messages.join());
    document.title = 'done ' + found.join(' ');
    document.body.append(Object.assign(document.createElement('i'), { id: 'done' }));
  })();
</script>`;

describe('captures in the same browser are isolated', () => {
  const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });
  const { server, worker } = openForTests(
    {
      '/stateful': statefulPage,
      '/shared.js': script(
        'let before = 0; onconnect = ({ ports: [port] }) => { port.postMessage(before); before += 1; };',
      ),
      '/service.js': script("onfetch = (event) => event.respondWith(new Response('injected'));"),
      '/injected-blob': async (request, response) => {
        blobs.push(await text(request));
        response.end();
      },
    },
    { size: 2, viewport: small },
  );
  const blobs: string[] = [];
  const requests: { path: string; authorization?: string; cookie?: string; none?: string; port?: number }[] = [];

  /** Returns the state that a capture finds. A page that does not report in time is captured again. */
  const findState = (options: Record<string, unknown> = {}) =>
    waitUntil(
      async () => {
        const url = server.url(`/stateful?blob=${encodeURIComponent(blobs.at(-1) ?? '')}`);
        // The page never gets quiet; `#done` shows that it has reported.
        const request = { url, wait_until: 'load', wait_for_selector: '#done', timeout_ms, ...options };
        return (await worker.render('screenshot', request)).report.page?.title;
      },
      { what: 'a page that reports its facts' },
    );

  it('share no cookies, storage, workers, channels, blobs or permissions, even concurrently or after a crash', async () => {
    expect(await findState({ geolocation: { latitude: 48, longitude: 16 } })).toMatch(/^done( permission=granted)?$/);
    expect(await findState()).toBe('done');
    expect(await Promise.all([findState(), findState()])).toEqual(['done', 'done']);
    const { pid } = (await worker.cells.current()).chromium;
    process.kill(-pid, 'SIGKILL');
    await waitUntil(async () => (await worker.cells.current()).chromium.pid !== pid, { what: 'another browser' });
    expect(await findState()).toBe('done');
    expect(blobs.length).toBeGreaterThanOrEqual(5);
  });

  /** Serves a path and records its requests. */
  const serveRecorded = (path: string, headers: Record<string, string>, body: string) => {
    server.serve({
      [path]: ({ headers: { 'if-none-match': none }, socket: { remotePort: port } }, response) => {
        requests.push({ path, ...(none && { none }), ...(port && { port }) });
        response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
      },
    });
  };

  it('share no HTTP cache: cached files are requested again, without If-None-Match', async () => {
    serveRecorded(
      '/kept.js',
      { 'content-type': 'text/javascript', 'cache-control': 'max-age=100000, immutable', etag: '"injected"' },
      '',
    );
    serveRecorded(
      '/favicon.ico',
      { 'content-type': 'image/png', 'cache-control': 'max-age=100000', etag: '"injected"' },
      '',
    );
    server.serve({
      '/cached': '<script src="/kept.js"></script><link rel="icon" href="/favicon.ico"><img src="/favicon.ico">',
    });
    for (const round of [1, 2, 3]) {
      await worker.capture(server.url('/cached'), { timeout_ms });
      for (const path of ['/kept.js', '/favicon.ico']) {
        const matching = requests.filter((each) => each.path === path);
        expect(matching.length).toBeGreaterThanOrEqual(round);
        expect(matching.filter(({ none }) => none !== undefined)).toEqual([]);
      }
    }
  });

  it('share no credentials: basic_auth and cookies of one capture are not sent for another', async () => {
    server.serve({
      '/private': (request, response) => {
        const { authorization, cookie } = request.headers;
        requests.push({ path: '/private', ...(authorization && { authorization }), ...(cookie && { cookie }) });
        if (authorization) response.writeHead(200, { 'content-type': 'text/html' }).end('private');
        else response.writeHead(401, { 'www-authenticate': 'Basic realm="private"' }).end('closed');
      },
    });
    const url = server.url('/private');
    const secretOptions = {
      basic_auth: { username: 'one', password: 'secret' },
      cookies: [{ name: 'session', value: 'one' }],
    };
    const first = await worker.render('screenshot', { url, timeout_ms, ...secretOptions });
    expect(first.report.httpStatus).toBe(200);
    const count = requests.length;
    const second = await worker.render('screenshot', { url, timeout_ms });
    expect(second.report.httpStatus).toBe(401);
    expect(requests.slice(count)).toEqual([{ path: '/private' }]);
  });

  it('share no connections', async () => {
    serveRecorded('/connection', {}, 'x');
    for (let round = 0; round < 3; round += 1) await worker.capture(server.url('/connection'), { timeout_ms });
    const ports = requests.filter(({ path }) => path === '/connection').map(({ port }) => port);
    expect(new Set(ports).size).toBe(ports.length);
    expect(ports.length).toBeGreaterThanOrEqual(3);
  });
});
