import { once } from 'node:events';
import type { Platform } from './platform.ts';

/**
 * Serves `/slow`, a page that is answered after `answerAfterMs` milliseconds, so that its captures are under way meanwhile.
 *
 * @returns its address, and how often it was asked for so far.
 */
export function serveSlowPage({ pages }: Platform, answerAfterMs: number): { url: string; opened(): number } {
  pages.serve({ '/slow': { body: '<!doctype html><p>at last', delayMs: answerAfterMs } });
  return { url: pages.url('/slow'), opened: () => pages.hits('/slow') };
}

/** A page that is not answered before it is released; from then on at once. */
export interface HeldPage {
  url: string;
  /** How many wait for its answer. */
  open(): number;
  release(): void;
}

/** Serves `/held`, whose captures are under way for as long as a case wants them to be, however slow the machine is. */
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
