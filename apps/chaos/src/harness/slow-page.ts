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
