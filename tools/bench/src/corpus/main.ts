// Runs the web server of the corpus in a separate process: node main.js <folder with the woff2 files>, with an IPC channel.
// Every command returns the server's port.
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '@capture/testing/network/listen';
import { serveCommands } from '@capture/testing/processes/serve-commands';
import { noisyJpeg, noisyPng, plainPng } from './images.ts';
import { colourOf, lazyImages } from './long-page.ts';
import { applicationData, fontWeights, jpegs, pages, pngs, slowResponseMs } from './pages.ts';
import { siteHeaders, siteImages, sitePage, siteScript, siteStyle } from './site.ts';

interface Resource {
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
  delayMs?: number;
}

// A reused page would find its resources in the cache, which would distort the measurement.
const uncached = { 'cache-control': 'no-store' };

async function makeResources(fonts: string): Promise<Map<string, Resource>> {
  const resources = new Map<string, Resource>();
  const html = 'text/html; charset=utf-8';
  for (const [name, body] of Object.entries(pages)) resources.set(`/${name}`, { type: html, body });
  resources.set('/spa.json', { type: 'application/json', body: applicationData });
  resources.set('/spaslow.json', { type: 'application/json', body: '{}', delayMs: slowResponseMs });
  for (let index = 0; index < pngs; index += 1) {
    resources.set(`/images/${index}.png`, { type: 'image/png', body: await noisyPng(index + 1) });
  }
  for (let index = 0; index < jpegs; index += 1) {
    resources.set(`/images/${index}.jpg`, { type: 'image/jpeg', body: await noisyJpeg(index + 1) });
  }
  for (let index = 0; index < lazyImages; index += 1) {
    resources.set(`/long/${index}.png`, { type: 'image/png', body: await plainPng(colourOf(index)) });
  }
  for (const weight of fontWeights) {
    const body = readFileSync(path.join(fonts, `roboto-latin-${weight}-normal.woff2`));
    resources.set(`/fonts/${weight}.woff2`, { type: 'font/woff2', body });
  }
  const shared = { headers: siteHeaders };
  resources.set('/site/style.css', { type: 'text/css', body: siteStyle, ...shared });
  resources.set('/site/script.js', { type: 'text/javascript', body: siteScript, ...shared });
  for (let index = 0; index < siteImages; index += 1) {
    resources.set(`/site/${index}.jpg`, { type: 'image/jpeg', body: await noisyJpeg(100 + index), ...shared });
  }
  return resources;
}

async function respond(url: string, response: ServerResponse): Promise<void> {
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
  const { type, body, headers = uncached, delayMs = 0 } = resource;
  if (delayMs > 0) await sleep(delayMs);
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers }).end(body);
}

const resources = await makeResources(process.argv[2] ?? '');
const server = createServer((request, response) => void respond(request.url ?? '/', response));
server.keepAliveTimeout = 60_000;
const { port } = await listen(server, 'corpus');
serveCommands(() => port);
