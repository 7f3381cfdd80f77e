import { brotliCompressSync, constants, crc32, deflateSync, gzipSync } from 'node:zlib';
import type { Page } from './page-server.ts';

/** The possible ends of a capture of a hostile page with a short `timeout_ms`. They depend on the machine. */
export type HostileEnd = 'completed' | 'CAPTURE_TIMEOUT' | 'PAGE_TOO_LARGE' | 'RENDERING_FAILED' | 'NAVIGATION_FAILED';

/** A page that does something endless or excessive. */
export interface HostilePage {
  /** The name, which is also the path: `/endless-script`. */
  name: string;
  ends: readonly HostileEnd[];
  /** The page and its resources, by path. */
  parts: Record<string, Page>;
  /** Set if the page ends by itself, so that a short time limit would change the outcome. */
  patient?: true;
  /** Options that make the attack worse. */
  options?: Record<string, unknown>;
}

/** Uncompressed size of the bombs. */
const bombBytes = 300_000_000;

const inTimeOrNot = ['completed', 'CAPTURE_TIMEOUT'] as const;
const anyEnd = [...inTimeOrNot, 'RENDERING_FAILED'] as const;

/** One page for each way to attack a browser, served at `/<name>`. The capture's time limit bounds all of them. */
export const hostilePages: readonly HostilePage[] = [
  // These pages never leave the main thread idle.
  ...scripts(['CAPTURE_TIMEOUT'], {
    'endless-script': 'for (;;);',
    'endless-microtasks': 'const next = () => Promise.resolve().then(next); next();',
    'endless-alerts': 'for (;;) alert(1);',
    'endless-prints': 'for (;;) print();',
    // The worker has just looked at the page when it advances an animation.
    'stuck-after-a-look': `document.body.innerHTML = '<iframe sandbox srcdoc="x" width=640 height=320></iframe><p id=moving>x</p>';
     const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { for (;;); };
     addEventListener('load', () => setTimeout(() => {}, 300));
     moving.animate([{ opacity: 0.9 }, { opacity: 1 }], { duration: 60_000 }).finished.then(() => port2.postMessage(0));`,
  }),
  ...scripts(inTimeOrNot, {
    'stuck-when-left': 'onbeforeunload = () => 1; onpagehide = () => { for (;;); };',
    'layout-thrash': `document.body.innerHTML = '<div><p>x</p></div>'.repeat(5000);
     setInterval(() => { for (let n = 0; n < 1e6; n += 1) { document.body.style.width = n + 'px'; document.body.offsetHeight; } }, 0);`,
    'asks-to-stay':
      'onbeforeunload = (event) => { event.preventDefault(); return "stay"; }; setInterval(() => { location = "/elsewhere"; }, 20);',
  }),

  // These pages send messages to the browser.
  ...scripts(inTimeOrNot, {
    'endless-console':
      "for (let n = 0; n < 1e6; n += 1) console.log('x'.repeat(1000)); for (let n = 0; n < 1e6; n += 1) console.error({});",
    'endless-errors':
      "setInterval(() => { for (let n = 0; n < 1000; n += 1) setTimeout(() => { throw new Error('x'.repeat(1e4)); }); }, 0);",
    'endless-rejections':
      "setInterval(() => { for (let n = 0; n < 1000; n += 1) Promise.reject('x'.repeat(1e4)); }, 0);",
    'push-state-storm':
      "setInterval(() => { for (let n = 0; n < 1000; n += 1) try { history.pushState(0, '', '/' + Math.random()); } catch {} }, 0);",
    'long-texts':
      "document.title = 'x'.repeat(5e6); console.error('y'.repeat(5e6)); history.pushState(0, '', '/' + 'p'.repeat(1.9e6)); throw new Error('z'.repeat(5e6));",
    'long-addresses':
      "for (let n = 0; n < 100; n += 1) new Image().src = 'http://no-such-name.invalid/' + 'y'.repeat(1.9e6) + n;",
  }),

  // These pages fill the memory.
  ...scripts(anyEnd, {
    'fills-heap': 'const kept = []; for (let n = 0; ; n += 1) kept.push({ n, more: [n, n, n] });',
    'fills-buffers': 'const kept = []; setInterval(() => kept.push(new Uint8Array(5e7).fill(1)), 0);',
    'fills-wasm':
      'const kept = []; setInterval(() => { const memory = new WebAssembly.Memory({ initial: 800 }); new Uint8Array(memory.buffer).fill(1); kept.push(memory); }, 0);',
    'fills-canvases': `setInterval(() => {
       const canvas = Object.assign(document.createElement('canvas'), { width: 4000, height: 4000 });
       canvas.getContext('2d').fillRect(0, 0, 4000, 4000);
       document.body.append(canvas);
     }, 0);`,
    'fills-webgl': `const kept = [];
     setInterval(() => {
       const gl = document.createElement('canvas').getContext('webgl');
       if (!gl) return;
       gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
       gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4000, 4000, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(64e6).fill(1));
       kept.push(gl);
     }, 0);`,
    'fills-blobs': 'const kept = []; setInterval(() => kept.push(new Blob([new Uint8Array(2e7).fill(1)])), 0);',
    'fills-indexeddb': `const opening = indexedDB.open('x');
     opening.onupgradeneeded = () => opening.result.createObjectStore('x', { autoIncrement: true });
     opening.onsuccess = function write() {
       const writing = opening.result.transaction('x', 'readwrite');
       writing.objectStore('x').add(new Uint8Array(2e7).fill(Math.random() * 255));
       writing.oncomplete = write;
     };`,
    'fills-cache':
      "(async () => { const cache = await caches.open('x'); for (let n = 0; ; n += 1) await cache.put('/' + n, new Response(new Uint8Array(2e7).fill(n))); })();",
    'many-workers':
      "const url = URL.createObjectURL(new Blob(['const kept = new Uint8Array(1e6).fill(1); setInterval(() => kept, 10)'])); const kept = []; setInterval(() => { for (let n = 0; n < 20; n += 1) kept.push(new Worker(url)); }, 10);",
  }),
  ...scripts(inTimeOrNot, {
    'fills-local-storage': "for (let n = 0; ; n += 1) localStorage['k' + n] = 'x'.repeat(1e5);",
  }),

  // These pages have large responses.
  ...scripts(inTimeOrNot, {
    'endless-requests':
      "setInterval(() => { for (let n = 0; n < 100; n += 1) fetch('/nothing?' + Math.random()); }, 0);",
    'endless-data-requests':
      "setInterval(() => { for (let n = 0; n < 300; n += 1) fetch('data:,' + Math.random()); }, 0);",
    'large-uploads':
      "const body = 'z'.repeat(2e7); setInterval(() => fetch('/nothing', { method: 'POST', body }), 10);",
  }),
  {
    name: 'gzip-bomb',
    ends: anyEnd,
    parts: { '/gzip-bomb': compressed('gzip', () => gzipSync(Buffer.alloc(bombBytes, ' '), { level: 1 })) },
  },
  {
    name: 'brotli-bomb',
    ends: anyEnd,
    parts: {
      '/brotli-bomb': html(
        "<script>fetch('/bomb.br').then((response) => response.text()).then((text) => { window.kept = text; });</script>",
      ),
      '/bomb.br': compressed('br', () =>
        brotliCompressSync(Buffer.alloc(bombBytes, 'a'), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      ),
    },
  },
  {
    name: 'png-bomb',
    ends: anyEnd,
    parts: {
      '/png-bomb': html(Array.from({ length: 8 }, (_, index) => `<img src="/bomb.png?${index}" width="300">`).join('')),
      '/bomb.png': lazily('image/png', () => png(12_000, 12_000)),
    },
  },
  {
    name: 'svg-bomb',
    ends: inTimeOrNot,
    parts: {
      '/svg-bomb': html('<img src="/bomb.svg">'),
      '/bomb.svg': lazily('image/svg+xml', () => Buffer.from(svg(10, 12))),
    },
  },
  {
    name: 'endless-document',
    ends: anyEnd,
    parts: {
      '/endless-document': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const part = Buffer.alloc(1_000_000, '<p>without end ');
        const write = () => {
          while (!response.destroyed && response.write(part));
        };
        response.on('drain', write);
        write();
      },
    },
  },
  {
    name: 'dripping-document',
    ends: inTimeOrNot,
    parts: {
      '/dripping-document': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const drip = setInterval(() => response.write('x'.repeat(1_000)), 20);
        response.once('close', () => clearInterval(drip));
      },
    },
  },

  // These pages render expensively.
  ...scripts(inTimeOrNot, {
    'million-nodes': "document.body.innerHTML = '<b>x</b>'.repeat(1e6);",
    'many-frames':
      "for (let n = 0; n < 2000; n += 1) document.body.append(Object.assign(document.createElement('iframe'), { src: '/nothing?' + n }));",
  }),
  { name: 'deep-tree', ends: inTimeOrNot, parts: { '/deep-tree': html('<div>'.repeat(100_000)) } },
  { name: 'long-text', ends: anyEnd, parts: { '/long-text': html('a'.repeat(10_000_000)) } },
  {
    name: 'endless-animations',
    ends: inTimeOrNot,
    parts: {
      '/endless-animations': html(
        `<style>@keyframes turn { to { rotate: 360deg; filter: blur(9px) } } i { animation: turn 1s infinite; display: block; width: 50px; height: 50px; background: red }</style>${'<i></i>'.repeat(2_000)}`,
      ),
    },
  },
  {
    name: 'vast-page',
    ends: ['PAGE_TOO_LARGE'],
    patient: true,
    options: { full_page: true },
    parts: { '/vast-page': html('<div style="width: 998096px; height: 1605439px">') },
  },
  {
    name: 'frames-in-frames',
    ends: inTimeOrNot,
    parts: {
      '/frames-in-frames': html(
        "<script>for (let n = 0; n < 3; n += 1) document.body.append(Object.assign(document.createElement('iframe'), { src: '?' + Math.random() }));</script>",
      ),
    },
  },

  // These pages navigate.
  ...scripts(['NAVIGATION_FAILED', ...inTimeOrNot], {
    reloads: 'onload = () => location.reload();',
    'leads-on': "location.href = '?' + Math.random();",
  }),
  ...scripts(inTimeOrNot, {
    'opens-windows': "setInterval(() => open('/nothing'), 0);",
    downloads:
      "setInterval(() => Object.assign(document.createElement('a'), { href: 'data:,x', download: 'x' }).click(), 0);",
  }),
  {
    name: 'redirects',
    ends: ['NAVIGATION_FAILED'],
    patient: true,
    parts: { '/redirects': (request, response) => response.writeHead(302, { location: `${request.url}?` }).end() },
  },
  {
    name: 'meta-refresh',
    // The page may navigate twice while it is drawn.
    ends: ['NAVIGATION_FAILED', 'RENDERING_FAILED', ...inTimeOrNot],
    parts: { '/meta-refresh': html('<meta http-equiv="refresh" content="0; url=?">') },
  },
];

/** Returns all hostile pages, with their resources, for a page server. */
export function serveHostilePages(): Record<string, Page> {
  const nothing: Page = (request, response) => {
    request.resume();
    request.once('end', () => response.writeHead(200, { 'content-type': 'text/html' }).end('nothing'));
  };
  return Object.assign({ '/nothing': nothing }, ...hostilePages.map(({ parts }) => parts));
}

/**
 * A small page that keeps the GPU process, which all pages share, busy for minutes. It does not belong to `hostilePages`, which
 * concurrent captures need not notice.
 */
export const drawsForMinutes: Page = html(
  `<div style="position: relative; width: 1280px; height: 720px">${'<div style="backdrop-filter: blur(30px); width: 1280px; height: 720px; position: absolute; top: 0">x</div>'.repeat(400)}</div>`,
);

function html(body: string): string {
  return `<!doctype html><body style="background: #00ff00">${body}`;
}

function scripts(ends: readonly HostileEnd[], codes: Record<string, string>): HostilePage[] {
  return Object.entries(codes).map(([name, code]) => ({
    name,
    ends,
    parts: { [`/${name}`]: html(`<script>${code}</script>`) },
  }));
}

function compressed(encoding: string, make: () => Buffer): Page {
  return lazily('text/html', make, { 'content-encoding': encoding });
}

/** Returns a page whose body is made at the first request. */
function lazily(type: string, make: () => Buffer, headers: Record<string, string> = {}): Page {
  let body: Buffer | undefined;
  return (_, response) => {
    body ??= make();
    response.writeHead(200, { 'content-type': type, ...headers }).end(body);
  };
}

/** Makes a black image of some kilobytes that unpack to three or four bytes a pixel. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const pixels = deflateSync(Buffer.alloc((width * 3 + 1) * height), { level: 1 });
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}

/** Makes references to references: ten levels of ten are 10^12 rectangles. */
function svg(each: number, levels: number): string {
  const groups = Array.from(
    { length: levels },
    (_, level) => `<g id="g${level + 1}">${`<use href="#g${level}"/>`.repeat(each)}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><defs><g id="g0"><rect width="9" height="9"/></g>${groups.join('')}</defs><use href="#g${levels}"/></svg>`;
}
