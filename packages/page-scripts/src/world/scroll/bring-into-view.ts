import { findMatch } from '../act/find-match.ts';
import { nextFrame } from '../dom/next-frame.ts';
import { setStyles } from '../dom/styles.ts';
import { scrollingElement } from './scroll.ts';

/**
 * Scrolls to an element, through it if it is taller than the window, and then back to the top. The element's scrolling ancestors
 * keep showing it, and are expanded if the element is taller than they are.
 */
export async function bringIntoView({ selector, budgetMs }: { selector: string; budgetMs: number }): Promise<void> {
  const element = findMatch(selector)?.anchor;
  if (!element) return;
  const end = performance.now() + budgetMs;
  const root = scrollingElement();
  for (let parent = element.parentElement; parent && parent !== root; parent = parent.parentElement) {
    makeRoom(parent, element);
  }
  element.scrollIntoView({ block: 'start', inline: 'nearest', behavior: 'instant' });
  await nextFrame();
  const bottom = () => findMatch(selector)?.box.bottom ?? 0;
  while (bottom() > window.innerHeight && performance.now() < end) {
    const before = root.scrollTop;
    root.scrollBy({ top: window.innerHeight, behavior: 'instant' });
    await nextFrame();
    if (root.scrollTop === before) break;
  }
  root.scrollTo({ top: 0, left: 0, behavior: 'instant' });
  await nextFrame();
}

/** Expands an ancestor that shows only a part of the element at a time. */
function makeRoom(parent: Element, element: Element): void {
  const { overflowX, overflowY } = getComputedStyle(parent);
  const { width, height } = element.getBoundingClientRect();
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = parent;
  const isTaller = overflowY !== 'visible' && scrollHeight > clientHeight && height > clientHeight;
  // Scripts move content that is wider than its unscrollable box: the slides of a carousel.
  const isWider = /auto|scroll/.test(overflowX) && scrollWidth > clientWidth && width > clientWidth;
  if (!isTaller && !isWider) return;
  setStyles(parent, {
    'max-height': 'none',
    overflow: 'visible',
    contain: 'none',
    ...(isTaller && { height: 'auto' }),
  });
}
