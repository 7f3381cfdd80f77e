/// <reference lib="dom" />
import type { IncomingMessage } from 'node:http';
import type { Page, PageServer } from '@capture/testing/network/page-server';

/** A state that a page can leave, with a script that leaves the state and a script that looks for it. Both run in the page. */
interface PageState {
  seed(): unknown;
  /** Truthy if the state is there. */
  find(): unknown;
  /** Whether a page with this state is closed, because the state cannot be cleared. */
  closes?: true;
}

const cacheable = { 'cache-control': 'max-age=3600' };

/** A script that sends a name and a password with a request. */
function logIn(then: string): string {
  return `const request = new XMLHttpRequest();
    request.open('GET', '/login', true, 'seeded', 'password');
    request.onloadend = () => ${then};
    request.send();`;
}

/** A script that opens a WebSocket with a name and a password in its URL. */
function openSocket(then: string): string {
  return `new WebSocket('ws://seeded:password@' + location.host + '/login').onclose = () => ${then};`;
}

/** Pages whose responses depend on the state. */
const pages: Record<string, Page> = {
  '/cookie': { headers: { 'set-cookie': 'hidden=1; HttpOnly; Max-Age=3600' } },
  '/partitioned': { headers: { 'set-cookie': '__Host-parted=1; Secure; Path=/; SameSite=None; Partitioned' } },
  '/echo': ({ headers }, response) => {
    const { cookie = '', authorization = '', origin = '' } = headers;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-credentials', 'true');
    response.end(JSON.stringify({ cookie, authorization, dictionary: headers['available-dictionary'] ?? '' }));
  },
  '/login': (request, response) => {
    if (request.headers.authorization) response.end('in');
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="all"' }).end();
  },
  '/tagged': (request, response) => {
    // A second body shows that the browser stored the first: without a stored response there is no `If-None-Match`.
    response.writeHead(200, { etag: '"seeded"', 'cache-control': 'no-cache' });
    response.end(request.headers['if-none-match'] ?? '');
  },
  '/dictionary': { headers: { ...cacheable, 'use-as-dictionary': 'match="/echo*"' }, body: 'dictionary'.repeat(50) },
  '/slow-login': (request, response) => {
    if (request.headers.authorization) setTimeout(() => response.end('in'), 2_000);
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="all"' }).end();
  },
  '/socket-frame': `<script>${openSocket(`parent.postMessage('in', '*')`)}</script>`,
  '/socket.js': { headers: { 'content-type': 'text/javascript' }, body: openSocket('postMessage(1)') },
  '/login-frame': `<script>${logIn(`parent.postMessage('in', '*')`)}</script>`,
  '/login.js': { headers: { 'content-type': 'text/javascript' }, body: logIn('postMessage(1)') },
  '/service.js': { headers: { 'content-type': 'text/javascript' }, body: 'addEventListener("fetch", () => {})' },
  '/shared.js': {
    headers: { 'content-type': 'text/javascript' },
    body: 'let uses = 0; onconnect = ({ ports: [port] }) => port.postMessage(uses++)',
  },
  '/pixel.svg': {
    headers: { ...cacheable, 'content-type': 'image/svg+xml' },
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  },
  '/cached.txt': { headers: cacheable, body: 'cached' },
};

/** Counts requests by path, so that a page learns whether a request reached the server. */
export function statePages(server: () => PageServer): Record<string, Page> {
  const preflights = new Map<string, number>();
  return {
    ...pages,
    '/hits': (request: IncomingMessage, response) => {
      response.setHeader('access-control-allow-origin', '*');
      response.end(String(server().hits(new URL(request.url ?? '', 'http://x').searchParams.get('path') ?? '')));
    },
    '/cross': (request, response) => {
      const { origin = '' } = request.headers;
      if (request.method === 'OPTIONS') preflights.set(origin, (preflights.get(origin) ?? 0) + 1);
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', 'x-seeded');
      response.setHeader('access-control-max-age', '3600');
      response.end(String(preflights.get(origin) ?? 0));
    },
  };
}

const findCredentials = async () => (await (await fetch('/echo')).json()).authorization;

/** Looks for credentials on another site. */
const findCredentialsElsewhere = async () =>
  (await (await fetch(`http://localhost:${location.port}/echo`, { credentials: 'include' })).json()).authorization;

/**
 * Every state that the web platform lets a page keep beyond its document, from the specifications of HTML, Fetch, HTTP caching,
 * Cookies, Storage, IndexedDB, File System, Service Workers, Web Locks, Permissions, Client Hints and compression dictionaries.
 */
export const pageStates: Record<string, PageState> = {
  'a cookie': {
    seed: () => {
      // biome-ignore lint/suspicious/noDocumentCookie: this is what the test tries.
      document.cookie = 'seeded=1; max-age=3600';
    },
    find: () => document.cookie.includes('seeded'),
  },
  'a cookie that scripts cannot read': {
    seed: () => fetch('/cookie'),
    find: async () => (await (await fetch('/echo')).json()).cookie.includes('hidden'),
  },
  'a partitioned cookie': {
    seed: () => fetch('/partitioned'),
    find: async () => (await (await fetch('/echo')).json()).cookie.includes('__Host-parted'),
  },
  'a cookie of the Cookie Store': {
    seed: () =>
      (globalThis as unknown as { cookieStore: { set(name: string, value: string): unknown } }).cookieStore.set(
        'stored',
        '1',
      ),
    find: () => document.cookie.includes('stored'),
  },
  'local storage': {
    seed: () => localStorage.setItem('seeded', '1'),
    find: () => localStorage.seeded,
  },
  'local storage written when the page is left': {
    seed: () => {
      localStorage.setItem('now', '1');
      for (const event of ['pagehide', 'unload', 'beforeunload'])
        addEventListener(event, () => localStorage.setItem(event, '1'));
      document.addEventListener('visibilitychange', () => localStorage.setItem('hidden', '1'));
      setInterval(() => localStorage.setItem('timer', '1'), 1);
    },
    find: () => ['now', 'pagehide', 'unload', 'beforeunload', 'hidden', 'timer'].find((key) => key in localStorage),
  },
  'session storage': {
    seed: () => sessionStorage.setItem('seeded', '1'),
    find: () => sessionStorage.length,
  },
  'a database': {
    seed: () =>
      new Promise((resolve) => {
        indexedDB.open('seeded').onsuccess = resolve;
      }),
    find: async () => (await indexedDB.databases()).length,
  },
  'the cache of scripts': {
    seed: () => caches.open('seeded'),
    find: async () => (await caches.keys()).length,
  },
  'a file': {
    seed: async () => (await navigator.storage.getDirectory()).getFileHandle('seeded', { create: true }),
    find: async () => {
      const folder = (await navigator.storage.getDirectory()) as unknown as { keys(): AsyncIterableIterator<string> };
      return !(await folder.keys().next()).done;
    },
  },
  'a storage bucket': {
    seed: () =>
      (navigator as unknown as { storageBuckets: { open(name: string): unknown } }).storageBuckets.open('seeded'),
    find: async () =>
      (await (navigator as unknown as { storageBuckets: { keys(): Promise<string[]> } }).storageBuckets.keys()).length,
  },
  'a service worker': {
    seed: async () => {
      await navigator.serviceWorker.register('/service.js');
      await navigator.serviceWorker.ready;
    },
    find: async () => (await navigator.serviceWorker.getRegistrations()).length,
  },
  'a shared worker': {
    seed: () =>
      new Promise((resolve) => {
        const { port } = new SharedWorker('/shared.js');
        port.onmessage = resolve;
      }),
    find: () =>
      new Promise((resolve) => {
        const { port } = new SharedWorker('/shared.js');
        port.onmessage = ({ data }) => resolve(data);
      }),
    closes: true,
  },
  'a lock': {
    seed: () =>
      new Promise((resolve) => {
        void navigator.locks.request('seeded', () => {
          resolve(null);
          return new Promise(() => undefined);
        });
      }),
    find: async () => (await navigator.locks.query()).held?.length,
  },
  'a message channel': {
    seed: () => {
      const channel = new BroadcastChannel('seeded');
      setInterval(() => channel.postMessage('seeded'), 5);
    },
    find: () =>
      new Promise((resolve) => {
        new BroadcastChannel('seeded').onmessage = resolve;
        setTimeout(() => resolve(null), 100);
      }),
  },
  'a name of the window': {
    seed: () => {
      window.name = 'seeded';
    },
    find: () => window.name,
  },
  'a property of the window': {
    seed: () => Object.assign(window, { seeded: 1 }),
    find: () => 'seeded' in window,
  },
  'history entries': {
    seed: () => {
      for (const part of ['#a', '#b', '#c']) history.pushState(part, '', part);
    },
    find: () => history.length > 2 || history.state !== null,
  },
  'a response in the HTTP cache': {
    seed: () => fetch('/cached.txt'),
    find: async () => {
      const hits = async () => (await fetch('/hits?path=/cached.txt')).text();
      const before = await hits();
      await fetch('/cached.txt');
      return before === (await hits());
    },
  },
  'an entity tag': {
    seed: () => fetch('/tagged'),
    find: async () => (await fetch('/tagged')).text(),
  },
  'an image in memory': {
    seed: async () => {
      const image = new Image();
      image.src = '/pixel.svg';
      await image.decode();
      document.body.append(image);
    },
    find: async () => {
      const hits = async () => (await fetch('/hits?path=/pixel.svg')).text();
      const before = await hits();
      const image = new Image();
      image.src = '/pixel.svg';
      await image.decode();
      return before === (await hits());
    },
  },
  'a preflight': {
    seed: () => fetch(`http://localhost:${location.port}/cross`, { headers: { 'x-seeded': '1' } }),
    find: async () => {
      const ask = async () =>
        (await fetch(`http://localhost:${location.port}/cross`, { headers: { 'x-seeded': '1' } })).text();
      const count = async () => (await fetch(`http://localhost:${location.port}/cross`)).text();
      const before = await count();
      return (await ask()) === before;
    },
  },
  credentials: {
    seed: () =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open('GET', '/login', true, 'seeded', 'password');
        request.onloadend = resolve;
        request.send();
      }),
    find: findCredentials,
    closes: true,
  },
  'credentials of a frame of another site': {
    seed: () =>
      new Promise((resolve) => {
        addEventListener('message', resolve);
        const frame = document.createElement('iframe');
        frame.src = `http://localhost:${location.port}/login-frame`;
        document.body.append(frame);
      }),
    find: findCredentialsElsewhere,
    closes: true,
  },
  'credentials of a worker': {
    seed: () =>
      new Promise((resolve) => {
        new Worker('/login.js').onmessage = resolve;
      }),
    find: findCredentials,
    closes: true,
  },
  'credentials of a request that is aborted': {
    seed: async () => {
      const request = new XMLHttpRequest();
      request.open('GET', '/slow-login', true, 'seeded', 'password');
      request.send();
      await new Promise((resolve) => setTimeout(resolve, 200));
      request.abort();
    },
    find: findCredentials,
    closes: true,
  },
  'credentials of a WebSocket': {
    seed: () =>
      new Promise((resolve) => {
        new WebSocket(`ws://seeded:password@${location.host}/login`).onclose = resolve;
      }),
    find: findCredentials,
    closes: true,
  },
  'credentials of a WebSocket in a frame of another site': {
    seed: () =>
      new Promise((resolve) => {
        addEventListener('message', resolve);
        const frame = document.createElement('iframe');
        frame.src = `http://localhost:${location.port}/socket-frame`;
        document.body.append(frame);
      }),
    find: findCredentialsElsewhere,
    closes: true,
  },
  'credentials of a WebSocket in a worker': {
    seed: () =>
      new Promise((resolve) => {
        new Worker('/socket.js').onmessage = resolve;
      }),
    find: findCredentials,
    closes: true,
  },
  'credentials of a WebSocket in a worker of a worker': {
    seed: () =>
      new Promise((resolve) => {
        const source = `new Worker('${location.origin}/socket.js').onmessage = () => postMessage(1)`;
        new Worker(URL.createObjectURL(new Blob([source]))).onmessage = resolve;
      }),
    find: findCredentials,
    closes: true,
  },
  'credentials of a prefetch': {
    seed: async () => {
      const script = document.createElement('script');
      script.type = 'speculationrules';
      const urls = [`http://seeded:password@${location.host}/login`];
      script.textContent = JSON.stringify({ prefetch: [{ urls, eagerness: 'immediate' }] });
      document.body.append(script);
      await new Promise((resolve) => setTimeout(resolve, 500));
    },
    find: findCredentials,
    closes: true,
  },
  'a compression dictionary': {
    seed: async () => {
      await fetch('/dictionary');
      await new Promise((resolve) => setTimeout(resolve, 100));
    },
    find: async () => (await (await fetch('/echo?dictionary')).json()).dictionary,
  },
  'an object URL': {
    seed: () => Object.assign(window, { url: URL.createObjectURL(new Blob(['seeded'])) }),
    find: () => (window as { url?: string }).url,
  },
};

/**
 * A page that leaves states if `seeding`, then looks for them and puts the indexes of the states that it finds into its title. A
 * state that cannot be left, in a frame perhaps, is not found. A frame reports to its page.
 */
export function statePage(states: readonly PageState[], seeding: boolean): string {
  const source = (run: () => unknown) => `(${String(run).replace(/^(async\s+)?(?=(seed|find)\()/, '$1function ')})`;
  const seeds = seeding ? states.map(({ seed }) => `try { await ${source(seed)}(); } catch {}`) : [];
  const finds = states.map(({ find }, place) => `if (await ${source(find)}()) found.push(${place});`);
  return `<!doctype html><body><script>(async () => {
    ${seeds.join('\n')}
    const found = [];
    ${finds.join('\n')}
    document.title = 'found ' + found;
  })().catch((error) => { document.title = String(error); }).finally(() => {
    document.body.insertAdjacentHTML('beforeend', '<p id="done">');
    if (parent !== window) parent.postMessage(document.title, '*');
  });</script>`;
}
