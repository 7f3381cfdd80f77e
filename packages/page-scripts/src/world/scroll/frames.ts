import { state } from '../state/page-state.ts';

/** Whether a frame fills the window and our world cannot read its document. */
export function hasForeignFrame(): boolean {
  return [...document.querySelectorAll('iframe')].some((frame) => fillsWindow(frame) && frame.contentDocument === null);
}

/** Returns the height of a scrollable document, CSS pixels; else 0. Runs in the frame. */
export function scrollRange(): number {
  return rangeOf(document.scrollingElement);
}

/** Records the height of a frame's document, for `frameHeight`. */
export function noteFrameHeight(frame: Element, height: number): void {
  state.frameHeights ??= new WeakMap();
  state.frameHeights.set(frame, height);
}

/** Returns the height of a scrollable document in a frame that fills the window; else 0. */
export function frameHeight(element: Element): number {
  if (!(element instanceof HTMLIFrameElement) || !fillsWindow(element)) return 0;
  return state.frameHeights?.get(element) ?? rangeOf(element.contentDocument?.scrollingElement);
}

export function fillsWindow({ clientWidth, clientHeight }: Element): boolean {
  return clientHeight >= window.innerHeight * 0.9 && clientWidth >= window.innerWidth * 0.9;
}

function rangeOf(root: Element | null | undefined): number {
  const { clientHeight = 0, scrollHeight = 0 } = root ?? {};
  return scrollHeight > clientHeight + 50 ? scrollHeight : 0;
}
