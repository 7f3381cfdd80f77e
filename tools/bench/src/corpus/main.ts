// The corpus' web server, a process of its own, so that nobody who is measured waits for the one who measures.
//   node main.js <folder with the woff2 files>, with an IPC channel: it tells its port, and ends when the channel closes.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { noisyJpeg, noisyPng, plainPng } from './images.ts';
import { colourOf, lazyImages } from './long-page.ts';
import { applicationData, fontWeights, jpegs, pages, pngs, slowAnswerMs } from './pages.ts';
import { siteHeaders, siteImages, sitePage, siteScript, siteStyle } from './site.ts';

interface Resource {
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
  delayMs?: number;
}

// A page that was made once and is used again would find everything else in its cache: not what is measured.
const unkept = { 'cache-control': 'no-store' };

async function makeResources(fonts: string): Promise<Map<string, Resource>> {
  const made = new Map<string, Resource>();
  const html = 'text/html; charset=utf-8';
  for (const [name, body] of Object.entries(pages)) made.set(`/${name}`, { type: html, body });
  made.set('/spa.json', { type: 'application/json', body: applicationData });
  made.set('/spaslow.json', { type: 'application/json', body: '{}', delayMs: slowAnswerMs });
  for (let index = 0; index < pngs; index += 1) {
    made.set(`/images/${index}.png`, { type: 'image/png', body: await noisyPng(index + 1) });
  }
  for (let index = 0; index < jpegs; index += 1) {
    made.set(`/images/${index}.jpg`, { type: 'image/jpeg', body: await noisyJpeg(index + 1) });
  }
  for (let index = 0; index < lazyImages; index += 1) {
    made.set(`/long/${index}.png`, { type: 'image/png', body: await plainPng(colourOf(index)) });
  }
  for (const weight of fontWeights) {
    const body = readFileSync(path.join(fonts, `roboto-latin-${weight}-normal.woff2`));
    made.set(`/fonts/${weight}.woff2`, { type: 'font/woff2', body });
  }
  const shared = { headers: siteHeaders };
  made.set('/site/style.css', { type: 'text/css', body: siteStyle, ...shared });
  made.set('/site/script.js', { type: 'text/javascript', body: siteScript, ...shared });
  for (let index = 0; index < siteImages; index += 1) {
    made.set(`/site/${index}.jpg`, { type: 'image/jpeg', body: await noisyJpeg(100 + index), ...shared });
  }
  return made;
}

async function give(url: string, response: ServerResponse): Promise<void> {
  const [name = '/'] = url.split('?');
  if (name === '/never.png') return;
  const [, pageOfSite] = /^\/site\/page-(\d+)$/.exec(name) ?? [];
  const resource: Resource | undefined =
    pageOfSite === undefined
      ? resources.get(name)
      : { type: 'text/html; charset=utf-8', body: sitePage(Number(pageOfSite)) };
  if (!resource) {
    response.writeHead(404).end();
    return;
  }
  const { type, body, headers = unkept, delayMs = 0 } = resource;
  if (delayMs > 0) await sleep(delayMs);
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers }).end(body);
}

process.on('disconnect', () => process.exit(0));
// A Ctrl-C goes to the whole group of a terminal; who started this process ends it when it is time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const resources = await makeResources(process.argv[2] ?? '');
const server = createServer((request, response) => void give(request.url ?? '/', response));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
