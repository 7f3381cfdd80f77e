/// <reference lib="dom" />
/** Scripts that find out how far a frame scrolls: each is sent as text, so it must be self-contained. */

import type { ExpandedWorld } from './open-scroller.ts';

/** Whether a frame fills the window whose document a script in the page cannot read. */
export function hasForeignFrame(): boolean {
  const isForeign = (frame: HTMLIFrameElement) =>
    frame.clientHeight >= window.innerHeight * 0.9 &&
    frame.clientWidth >= window.innerWidth * 0.9 &&
    frame.contentDocument === null;
  return [...document.querySelectorAll('iframe')].some(isForeign);
}

/** The height of a document that scrolls, CSS pixels; else 0. */
export function scrollRange(): number {
  const { clientHeight = 0, scrollHeight = 0 } = document.scrollingElement ?? {};
  return scrollHeight > clientHeight + 50 ? scrollHeight : 0;
}

/** Notes the height of the document in a frame, for `openScroller`. */
export function noteFrameHeight(frame: Element, height: number): void {
  const world = globalThis as ExpandedWorld;
  world.captureFrames ??= new WeakMap();
  world.captureFrames.set(frame, height);
}
