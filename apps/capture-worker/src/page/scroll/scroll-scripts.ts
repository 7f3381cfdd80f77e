/// <reference lib="dom" />
/** Scripts for `runInPage` that scroll: each is sent as text, so it must be self-contained; input and result are JSON. */

import { composeScript } from '../../compose-script.ts';
import type { MatchWorld } from '../match-world.ts';
import { type ChangeRecording, recordChanges } from '../scenes/record-changes.ts';

export interface ScrollLimits {
  /** Stops scrolling after this, milliseconds. */
  budgetMs: number;
  /** How many viewports to scroll in a page that grows while it is scrolled. */
  followedViewports: number;
  maxScrollers: number;
  maxCanvases: number;
}

/**
 * Scrolls the window, then the large scrollers in it, down by one viewport per frame and back to the top, so that lazy content
 * has been in view. Returns the height of the page, and that of the content of the scroller that fills the window in place
 * of the page, if there is one; it is remembered for `scrollInner`.
 */
export const scrollThrough = composeScript<ScrollLimits>().part('changes', recordChanges).main(scrollAll);

async function scrollAll({
  input: limits,
  changes: { startRecording },
}: {
  input: ScrollLimits;
  changes: ChangeRecording;
}): Promise<{ height: number; inner: number | null }> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const end = performance.now() + limits.budgetMs;
  const scrollDown = async (scroller: Element, step: number) => {
    const before = scroller.scrollTop;
    const bottom = Math.max(scroller.scrollHeight, step * limits.followedViewports);
    for (let top = 0; top < Math.min(scroller.scrollHeight, bottom) && performance.now() < end; top += step) {
      // `instant`: with smooth scrolling each step would start before the last one has ended.
      scroller.scrollTo({ top, behavior: 'instant' });
      await frame();
      if (scroller === root) watching.look();
    }
    return before;
  };
  const root = document.scrollingElement ?? document.documentElement;
  const watching = startRecording();
  await scrollDown(root, window.innerHeight);
  // What scripts draw in a frame of their own is there in the next one.
  await frame();
  watching.look();
  root.scrollTo({ top: 0, behavior: 'instant' });
  await frame();
  watching.end();

  // A scroller that fills a good part of the screen is the page's content; a small list in a corner is not.
  const isLarge = (element: Element) =>
    element.scrollHeight > element.clientHeight + 50 &&
    element.clientHeight > window.innerHeight / 4 &&
    element.clientWidth > window.innerWidth / 4 &&
    /auto|scroll/.test(getComputedStyle(element).overflowY);
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => (each.shadowRoot ? [each, ...all(each.shadowRoot)] : [each]));
  const scrollers = all(root).filter(isLarge).slice(0, limits.maxScrollers);
  for (const scroller of scrollers) {
    const top = await scrollDown(scroller, scroller.clientHeight);
    scroller.scrollTo({ top, behavior: 'instant' });
    await frame();
  }
  const fills = ({ clientWidth, clientHeight }: Element) =>
    clientHeight > window.innerHeight / 2 && clientWidth > window.innerWidth / 2;
  const scrolls = root.scrollHeight > window.innerHeight + 50;
  const inner = scrolls ? null : scrollers.filter(fills).toSorted((a, b) => b.scrollHeight - a.scrollHeight)[0];
  (globalThis as { captureInner?: Element | null }).captureInner = inner ?? null;
  return { height: root.scrollHeight, inner: inner?.scrollHeight ?? null };
}

/**
 * Turns the mouse wheel by `deltaY` CSS pixels, down at the end of the page, where some feeds load more, or up at its top.
 * Returns the height of the page.
 */
export async function turnWheel({ deltaY }: { deltaY: number }): Promise<number> {
  const root = document.scrollingElement ?? document.documentElement;
  root.scrollTo({ top: deltaY > 0 ? root.scrollHeight : 0, behavior: 'instant' });
  const [clientX, clientY] = [window.innerWidth / 2, window.innerHeight / 2];
  const { body, documentElement } = document;
  // Scripts that scroll a locked page themselves would leave it anywhere. On the body: a map would zoom.
  const isLocked = [documentElement, body].some((each) => each && getComputedStyle(each).overflowY === 'hidden');
  const turn = new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX, clientY, deltaY });
  if (!isLocked) (body ?? documentElement).dispatchEvent(turn);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return root.scrollHeight;
}

/**
 * Scrolls the scroller that fills the window down to its end, where some feeds load more, or up to its top if `deltaY` is
 * negative. Returns the height of its content.
 */
export async function scrollInner({ deltaY }: { deltaY: number }): Promise<number> {
  const { captureInner: inner } = globalThis as { captureInner?: Element | null };
  if (!inner) return 0;
  // Of what has been added since the last frame, too: an observer that has missed it would see no change.
  await observersNotified(inner);
  inner.scrollTo({ top: deltaY > 0 ? inner.scrollHeight : 0, behavior: 'instant' });
  await observersNotified(inner);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return inner.scrollHeight;

  /** Where scripts are busy, that is several frames later. Observers of the page are notified together with this one. */
  function observersNotified(element: Element): Promise<void> {
    return new Promise((resolve) => {
      const observer = new IntersectionObserver(() => {
        observer.disconnect();
        resolve();
      });
      observer.observe(element);
    });
  }
}

/**
 * Scrolls to an element, through it if it is taller than the window, and then the window back to the top. The element's
 * scrolling ancestors stay where they show it, and are expanded if it is taller than they are.
 */
export async function bringIntoView({ selector, budgetMs }: { selector: string; budgetMs: number }): Promise<void> {
  const { captureMatch: find } = globalThis as MatchWorld;
  const element = find?.(selector)?.anchor;
  if (!element) return;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const end = performance.now() + budgetMs;
  const root = document.scrollingElement ?? document.documentElement;
  for (let parent = element.parentElement; parent && parent !== root; parent = parent.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(parent);
    const { width, height } = element.getBoundingClientRect();
    const isTaller =
      overflowY !== 'visible' && parent.scrollHeight > parent.clientHeight && height > parent.clientHeight;
    // Scripts move what is wider than a box that cannot be scrolled: the slides of a carousel.
    const isWider =
      /auto|scroll/.test(overflowX) && parent.scrollWidth > parent.clientWidth && width > parent.clientWidth;
    if (!isTaller && !isWider) continue;
    const grown = { 'max-height': 'none', overflow: 'visible', contain: 'none', ...(isTaller && { height: 'auto' }) };
    for (const [name, value] of Object.entries(grown)) parent.style.setProperty(name, value, 'important');
  }
  element.scrollIntoView({ block: 'start', inline: 'nearest', behavior: 'instant' });
  await frame();
  const bottom = () => find?.(selector)?.box.bottom ?? 0;
  while (bottom() > window.innerHeight && performance.now() < end) {
    const before = root.scrollTop;
    root.scrollBy({ top: window.innerHeight, behavior: 'instant' });
    await frame();
    if (root.scrollTop === before) break;
  }
  root.scrollTo({ top: 0, left: 0, behavior: 'instant' });
  await frame();
}

/**
 * Scrolls the window to its right end, one viewport per frame, and back, so that what is beside the viewport has been in view.
 * Returns the scroll positions, CSS pixels.
 */
export async function scrollAcross({ budgetMs }: { budgetMs: number }): Promise<number[]> {
  const root = document.scrollingElement ?? document.documentElement;
  const end = performance.now() + budgetMs;
  const stops: number[] = [];
  for (let left = window.innerWidth; left < root.scrollWidth && performance.now() < end; left += window.innerWidth) {
    root.scrollTo({ left, behavior: 'instant' });
    stops.push(left);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  root.scrollTo({ left: 0, behavior: 'instant' });
  return stops;
}

/** Whether scripts of the page run in every frame; see `trackWork`. */
export function runsInFrames({ workEvent }: { workEvent: string }): boolean {
  let loops = false;
  const read = (reply: Event) => {
    loops = JSON.parse(String((reply as CustomEvent).detail)).loops === true;
  };
  document.addEventListener(`${workEvent}-reply`, read, { once: true });
  document.dispatchEvent(new CustomEvent(workEvent));
  document.removeEventListener(`${workEvent}-reply`, read);
  return loops;
}

/** Scrolls the window sideways, and draws a frame there. */
export async function scrollAside({ left }: { left: number }): Promise<void> {
  (document.scrollingElement ?? document.documentElement).scrollTo({ left, behavior: 'instant' });
  await new Promise((resolve) => requestAnimationFrame(resolve));
}

export function scrollToTop(): void {
  window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
}
