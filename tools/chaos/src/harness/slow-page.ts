import { once } from 'node:events';
import type { Platform } from './platform.ts';

/** Serves `/slow`, which responds after `delayMs` milliseconds, so that its captures stay in progress. Returns its URL. */
export function serveSlowPage({ pages }: Platform, delayMs: number): string {
  pages.serve({ '/slow': { body: '<!doctype html><p>at last', delayMs } });
  return pages.url('/slow');
}

/** A page that holds its responses until it is released, and then responds at once. */
export interface HeldPage {
  url: string;
  /** Returns the number of waiting requests. */
  open(): number;
  release(): void;
}

/** Serves `/held`, whose captures stay in progress for as long as a case needs, however slow the machine is. */
export function serveHeldPage({ pages }: Platform): HeldPage {
  let open = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  pages.serve({
    '/held': async (_request, response) => {
      open += 1;
      await Promise.race([released, once(response, 'close')]);
      open -= 1;
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><p>at last');
    },
  });
  return { url: pages.url('/held'), open: () => open, release };
}
