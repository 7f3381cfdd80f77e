/// <reference lib="dom" />
/** Scripts for `runInPage` about what the page is notified of: each is sent as text, so it must be self-contained. */

import type { ExpandedWorld } from '../scroll/open-scroller.ts';

/** From now on, scripts are notified of a resized window again. */
export function notifyOfResize({ workEvent }: { workEvent: string }): void {
  document.dispatchEvent(new CustomEvent(`${workEvent}-notify`));
}

/** From now on, no script is notified that the window has another size. */
export function silenceResize({ workEvent }: { workEvent: string }): void {
  document.dispatchEvent(new CustomEvent(`${workEvent}-silence`));
}

/** Notifies scripts that the page, or its expanded scroll container, was scrolled, as a window of this height would. */
export function announceScroll(): void {
  const { captureExpanded = [] } = globalThis as ExpandedWorld;
  for (const target of [...captureExpanded, document, window]) {
    target.dispatchEvent(new Event('scroll', { bubbles: target === document }));
  }
}
