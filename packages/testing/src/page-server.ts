import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteOpen } from './open-resources.ts';

/** What a path gives: HTML, an answer in detail, nothing ever (`hang`), or whatever a handler writes. */
export type Page =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer; delayMs?: number }
  | 'hang'
  | ((request: IncomingMessage, response: ServerResponse) => unknown);

export interface PageServer {
  port: number;
  /** The address of a path; `host` in place of 127.0.0.1, if it leads here. */
  url(path?: string, host?: string): string;
  /** How often a path was asked for, or all paths together; the query is not part of the path. */
  hits(path?: string): number;
  /** Adds pages, or replaces those of the same path. */
  serve(pages: Record<string, Page>): void;
  close(): Promise<void>;
}

/** An HTTP server on 127.0.0.1 (or `host`), on a free port unless one is given, with these pages; every other path is a 404. */
export async function openPageServer(pages: Record<string, Page>, host = '127.0.0.1', wanted = 0): Promise<PageServer> {
  const served = new Map(Object.entries(pages));
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    asked.push(path);
    await give(served.get(path), request, response);
  });
  server.listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const close = async () => {
    closed();
    const ended = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await ended;
  };
  const closed = noteOpen(`page server on port ${port}`, close);
  return {
    port,
    url: (path = '/', name = host) => `http://${name}:${port}${path}`,
    hits: (path) => (path === undefined ? asked.length : asked.filter((each) => each === path).length),
    serve: (more) => {
      for (const [path, page] of Object.entries(more)) served.set(path, page);
    },
    close,
  };
}

async function give(page: Page | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (page === 'hang') return;
  if (typeof page === 'function') {
    await page(request, response);
    return;
  }
  if (page === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { status = 200, headers = {}, body = '', delayMs = 0 } = typeof page === 'string' ? { body: page } : page;
  if (delayMs) await sleep(delayMs);
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
}
