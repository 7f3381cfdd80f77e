import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from './listen.ts';

/** The response of a path: HTML, a detailed response, no response (`hang`), or the writing of a handler. */
export type Page =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer; delayMs?: number }
  | 'hang'
  | ((request: IncomingMessage, response: ServerResponse) => unknown);

export interface PageServer {
  port: number;
  /** Returns the URL of a path. `host` replaces 127.0.0.1, and must resolve to this address. */
  url(path?: string, host?: string): string;
  /** Returns the number of requests for a path, or for all paths. The query is not part of the path. */
  hits(path?: string): number;
  /** Adds pages, or replaces those of the same path. */
  serve(pages: Record<string, Page>): void;
  close(): Promise<void>;
}

/** Opens an HTTP server with these pages, on 127.0.0.1 and a free port by default. Every other path is a 404. */
export async function openPageServer(pages: Record<string, Page>, host = '127.0.0.1', wanted = 0): Promise<PageServer> {
  const served = new Map(Object.entries(pages));
  const requested: string[] = [];
  const server = createServer(async (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    requested.push(path);
    await respond(served.get(path), request, response);
  });
  const { port, close } = await listen(server, 'page server', { host, port: wanted });
  return {
    port,
    url: (path = '/', name = host) => `http://${name}:${port}${path}`,
    hits: (path) => (path === undefined ? requested.length : requested.filter((each) => each === path).length),
    serve: (more) => {
      for (const [path, page] of Object.entries(more)) served.set(path, page);
    },
    close,
  };
}

async function respond(page: Page | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
