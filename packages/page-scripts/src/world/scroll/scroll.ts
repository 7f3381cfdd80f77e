import { nextFrame } from '../dom/next-frame.ts';
import { readWork } from '../dom/page-work.ts';

/** Returns the element that scrolls with the window. */
export function scrollingElement(): Element {
  return document.scrollingElement ?? document.documentElement;
}

/** Scrolls the window to its right end, one viewport per frame, and back. Returns the scroll positions, CSS pixels. */
export async function scrollAcross({ budgetMs }: { budgetMs: number }): Promise<number[]> {
  const root = scrollingElement();
  const end = performance.now() + budgetMs;
  const stops: number[] = [];
  for (let left = window.innerWidth; left < root.scrollWidth && performance.now() < end; left += window.innerWidth) {
    root.scrollTo({ left, behavior: 'instant' });
    stops.push(left);
    await nextFrame();
  }
  root.scrollTo({ left: 0, behavior: 'instant' });
  return stops;
}

/** Scrolls the window sideways, and draws a frame there. */
export async function scrollAside({ left }: { left: number }): Promise<void> {
  scrollingElement().scrollTo({ left, behavior: 'instant' });
  await nextFrame();
}

export function scrollToTop(): void {
  window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
}

/** Whether scripts of the page run in every frame. */
export function runsInFrames(workEvent: string): boolean {
  return readWork([document], workEvent).loops === true;
}
