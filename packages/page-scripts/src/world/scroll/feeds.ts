import { nextFrame } from '../dom/next-frame.ts';
import { state } from '../state/page-state.ts';
import { scrollingElement } from './scroll.ts';

/** Turns the mouse wheel by `deltaY` CSS pixels at the end or top of the page. Returns the height of the page. */
export async function turnWheel(deltaY: number): Promise<number> {
  const root = scrollingElement();
  root.scrollTo({ top: deltaY > 0 ? root.scrollHeight : 0, behavior: 'instant' });
  const [clientX, clientY] = [window.innerWidth / 2, window.innerHeight / 2];
  const { body, documentElement } = document;
  // The wheel could leave a page that scripts scroll at any position. The event goes to the body: a map would zoom.
  const isLocked = [documentElement, body].some((each) => each && getComputedStyle(each).overflowY === 'hidden');
  const turn = new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX, clientY, deltaY });
  if (!isLocked) (body ?? documentElement).dispatchEvent(turn);
  await nextFrame();
  return root.scrollHeight;
}

/** Scrolls the scroller that fills the window to its end, or to its top if `deltaY` is negative. Returns its height. */
export async function scrollInner(deltaY: number): Promise<number> {
  const { innerScroller: inner } = state;
  if (!inner) return 0;
  // Observers must see what was added since the last frame: an observer that missed it would see no change.
  await observersNotified(inner);
  inner.scrollTo({ top: deltaY > 0 ? inner.scrollHeight : 0, behavior: 'instant' });
  await observersNotified(inner);
  await nextFrame();
  return inner.scrollHeight;
}

/** Resolves when this observer and the page's have been notified: several frames later where scripts are busy. */
function observersNotified(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(element);
  });
}
