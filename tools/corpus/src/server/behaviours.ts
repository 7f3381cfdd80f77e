import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import sharp from 'sharp';
import { draw } from './drawings.ts';
import { streamEvents, streamJpegs, streamText } from './streams.ts';
import { truncate } from './truncated.ts';
import { type Behaviour, plainHeaders, type Visit, waitForDelay } from './visit.ts';

function send({ response }: Visit, type: string, body: string | Buffer, status = 200): void {
  const headers = { ...plainHeaders, 'content-type': type, 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

export const colourIn = ({ url }: Visit, fallback = '#2962ff'): string => {
  const colour = url.searchParams.get('color') ?? fallback;
  return colour.startsWith('#') ? colour : `#${colour}`;
};

const number = ({ url }: Visit, name: string, fallback: number) => Number(url.searchParams.get(name) ?? fallback);

async function image(visit: Visit, format: 'png' | 'jpeg' | 'webp'): Promise<void> {
  const create = {
    width: Math.min(4_000, number(visit, 'w', 320)),
    height: Math.min(4_000, number(visit, 'h', 180)),
    channels: 3 as const,
    background: colourIn(visit),
  };
  const [body] = await Promise.all([
    sharp({ create }).toFormat(format, { quality: 95 }).toBuffer(),
    waitForDelay(visit),
  ]);
  send(visit, `image/${format}`, body);
}

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const font = readFileSync(
  path.join(
    path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
    'standard_fonts',
    'LiberationSans-Bold.ttf',
  ),
);

/** Ids whose first request has failed. */
const failedOnce = new Set<string>();

/** The behaviour of paths, by their first segment. `delay=`, in milliseconds, holds back the whole response. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  'image.png': (visit) => image(visit, 'png'),
  'image.jpg': (visit) => image(visit, 'jpeg'),
  'image.webp': (visit) => image(visit, 'webp'),
  async 'image.svg'(visit) {
    await waitForDelay(visit);
    const [width, height] = [number(visit, 'w', 320), number(visit, 'h', 180)];
    send(
      visit,
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${xml(colourIn(visit))}"/></svg>`,
    );
  },
  /** An illustration: `of=hills`, `sea`, `town` or `vase`; `n=` varies it. */
  async 'drawing.svg'(visit) {
    await waitForDelay(visit);
    const of = visit.url.searchParams.get('of') ?? 'hills';
    const [n, width, height] = [number(visit, 'n', 0), number(visit, 'w', 960), number(visit, 'h', 640)];
    send(visit, 'image/svg+xml', draw({ of, n, width, height }));
  },
  /** Icons that pages reference: `/sprite.svg#truck`. */
  async 'sprite.svg'(visit) {
    await waitForDelay(visit);
    const icon = (id: string) =>
      `<symbol id="${id}" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="${xml(colourIn(visit, '#00c853'))}"/></symbol>`;
    send(
      visit,
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg">${['truck', 'leaf', 'clock'].map(icon).join('')}</svg>`,
    );
  },
  /** JSON whose text is in `body=`, with the status in `status=`. */
  async json(visit) {
    await waitForDelay(visit);
    const body = visit.url.searchParams.get('body') ?? '{}';
    send(visit, 'application/json', body, number(visit, 'status', 200));
  },
  async text(visit) {
    await waitForDelay(visit);
    const body = visit.url.searchParams.get('body') ?? '';
    send(visit, 'text/plain; charset=utf-8', body, number(visit, 'status', 200));
  },
  /** A script whose text is in `body=`. */
  async 'script.js'(visit) {
    await waitForDelay(visit);
    send(visit, 'text/javascript', visit.url.searchParams.get('body') ?? '', number(visit, 'status', 200));
  },
  async 'style.css'(visit) {
    await waitForDelay(visit);
    send(visit, 'text/css', visit.url.searchParams.get('body') ?? '', number(visit, 'status', 200));
  },
  /** Liberation Sans Bold, whatever name the path gives. */
  async 'font.woff2'(visit) {
    await waitForDelay(visit);
    send(visit, 'font/ttf', font);
  },
  /** A redirect to `to=` with the status in `status=`, 302 by default. */
  async redirect({ url, response }) {
    const location = url.searchParams.get('to') ?? '/';
    response.writeHead(Number(url.searchParams.get('status') ?? 302), { ...plainHeaders, location }).end();
  },
  /** A framed document of one colour, with a caption in `text=`. */
  async frame(visit) {
    await waitForDelay(visit);
    const text = xml(visit.url.searchParams.get('text') ?? '');
    const style = `html,body{margin:0;height:100%}body{background:${xml(colourIn(visit))};font:16px sans-serif}`;
    send(visit, 'text/html; charset=utf-8', `<!doctype html><title>Frame</title><style>${style}</style>${text}`);
  },
  /** A page with this status: `/status/404`. */
  status(visit) {
    const status = Number(visit.url.pathname.split('/')[2]);
    const says = `<!doctype html><title>${status}</title><h1>${status}</h1><p>The page cannot be shown.</p>`;
    send(visit, 'text/html; charset=utf-8', says, status);
  },
  /** Responds to the first request of an id with 503, and redirects later requests to `to=`: `/once-503/a?to=/image.png`. */
  'once-503'(visit) {
    const id = visit.url.pathname;
    if (failedOnce.delete(id)) {
      visit.response.writeHead(307, { ...plainHeaders, location: visit.url.searchParams.get('to') ?? '/json' }).end();
      return;
    }
    failedOnce.add(id);
    send(visit, 'text/plain', 'Service Unavailable', 503);
  },
  /** The server sends no response. */
  hang() {},
  /** A beacon's empty response. */
  async beacon(visit) {
    await waitForDelay(visit);
    visit.response.writeHead(204, plainHeaders).end();
  },
  /** A page that shows another colour, pink, to a browser without a window. */
  agent(visit) {
    const { 'user-agent': agent = '', 'sec-ch-ua': brands = '' } = visit.request.headers;
    const colour = /headless/i.test(`${agent}${brands}`) ? '#ff0080' : '#00c853';
    const script = `const seen = navigator.userAgent + JSON.stringify(navigator.userAgentData?.brands ?? []);
if (/headless/i.test(seen)) document.body.style.background = '#ff0080';`;
    const page = `<!doctype html><html lang="en"><title>Shop</title><style>body{background:${colour};color:#fff;font:20px sans-serif;padding:40px}</style><h1>Welcome</h1><p>Everything for the garden.</p><script>${script}</script></html>`;
    send(visit, 'text/html; charset=utf-8', page);
  },
  truncated: truncate,
  mjpeg: streamJpegs,
  stream: streamText,
  events: streamEvents,
};
