import { elementsWithShadows } from '../dom/examined.ts';
import { nextFrame } from '../dom/next-frame.ts';
import { state } from '../state/page-state.ts';
import { startRecording } from './record-changes.ts';
import { scrollingElement } from './scroll.ts';

interface ScrollLimits {
  /** The time after which scrolling stops, milliseconds. */
  budgetMs: number;
  /** How many viewports to scroll in a page that grows while it is scrolled. */
  followedViewports: number;
  maxScrollers: number;
}

/**
 * Scrolls the window, then the large scrollers in it, down by one viewport per frame and back to the top, so that lazy content
 * comes into view. Returns the height of the page, and the height of the content of the scroller that fills the window in place
 * of the page, if there is one; `scrollInner` scrolls that scroller.
 */
export async function scrollThrough(limits: ScrollLimits): Promise<{ height: number; inner: number | null }> {
  const end = performance.now() + limits.budgetMs;
  const most = (step: number) => step * limits.followedViewports;
  const root = scrollingElement();
  const recording = startRecording();
  await scrollDown(root, { step: window.innerHeight, most: most(window.innerHeight), end }, recording.look);
  // Some scripts draw in the frame after a scroll event.
  await nextFrame();
  recording.look();
  root.scrollTo({ top: 0, behavior: 'instant' });
  await nextFrame();
  recording.end();
  const scrollers = elementsWithShadows(root).filter(isLarge).slice(0, limits.maxScrollers);
  for (const scroller of scrollers) {
    const { scrollTop: top, clientHeight: step } = scroller;
    await scrollDown(scroller, { step, most: most(step), end });
    scroller.scrollTo({ top, behavior: 'instant' });
    await nextFrame();
  }
  const inner = root.scrollHeight > window.innerHeight + 50 ? null : tallestThatFills(scrollers);
  state.innerScroller = inner;
  return { height: root.scrollHeight, inner: inner?.scrollHeight ?? null };
}

async function scrollDown(
  scroller: Element,
  { step, most, end }: { step: number; most: number; end: number },
  onFrame?: () => void,
): Promise<void> {
  const bottom = Math.max(scroller.scrollHeight, most);
  for (let top = 0; top < Math.min(scroller.scrollHeight, bottom) && performance.now() < end; top += step) {
    // With smooth scrolling, each step would start before the previous step has ended.
    scroller.scrollTo({ top, behavior: 'instant' });
    await nextFrame();
    onFrame?.();
  }
}

/** Whether a scroller fills a good part of the screen and so holds the page's content; a small list in a corner does not. */
function isLarge(element: Element): boolean {
  return (
    element.scrollHeight > element.clientHeight + 50 &&
    element.clientHeight > window.innerHeight / 4 &&
    element.clientWidth > window.innerWidth / 4 &&
    /auto|scroll/.test(getComputedStyle(element).overflowY)
  );
}

function tallestThatFills(scrollers: Element[]): Element | null {
  const filling = scrollers.filter(
    ({ clientWidth, clientHeight }) => clientHeight > window.innerHeight / 2 && clientWidth > window.innerWidth / 2,
  );
  return filling.toSorted((one, other) => other.scrollHeight - one.scrollHeight)[0] ?? null;
}
