import { selectorNotFound, waitForSelector } from '../act/wait-for-selector.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { finishAnimations } from '../page/page-scripts.ts';
import { bringIntoView, openScroller, placeOf } from '../page/scroll-scripts.ts';
import { waitForRevealed } from '../page/scroll-through.ts';
import { waitForFrame } from '../page/settle.ts';

/** A call that only asks the browser something. */
const callWithinMs = 10_000;

const scrollWithinMs = 5_000;

/** A part of the page, from its upper left corner, CSS pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
  /** How large a CSS pixel of the page is drawn, in those of the screen; 1 unless given. */
  scale?: number;
}

/** Whole pixels, as near as they are: half a pixel of what is beside it is worse than half a pixel less of it. */
export function roundToPixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.max(0, Math.round(x)), Math.max(0, Math.round(y))];
  const [right, bottom] = [Math.round(x + width), Math.round(y + height)];
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

/**
 * Makes the whole page ready to be drawn in one picture, its viewport unchanged. What is fixed or sticky stays where it is
 * at the top; what is measured in `vh` keeps its size; what an application keeps behind scroll bars of its own is opened.
 *
 * @returns the page, in CSS pixels. A phone shows a page that was not made for it smaller than it is: so does the picture.
 */
export async function openFullPage(
  page: CapturePage,
  { width, height }: { width: number; height: number },
  deadline: Deadline,
): Promise<Area> {
  const limits = { what: 'opening the page', limitMs: callWithinMs, deadline };
  await bestEffort(runInPage(page, openScroller, null, limits));
  await settleMotion(page, deadline);
  const asking = page.session.send('Page.getLayoutMetrics');
  const { cssContentSize, cssVisualViewport } = await page.step('measuring the page', callWithinMs, deadline, asking);
  const content = Math.ceil(cssContentSize.height);
  const { scale, clientWidth, clientHeight } = cssVisualViewport;
  if (scale === 1) return { x: 0, y: 0, width, height: Math.max(height, content) };
  return { x: 0, y: 0, width: clientWidth, height: Math.max(clientHeight, content), scale: width / clientWidth };
}

/** Takes what fades or slides in to its end, and has it drawn. */
export async function settleMotion(page: CapturePage, deadline: Deadline): Promise<void> {
  const limits = { what: 'settling what moves', limitMs: callWithinMs, deadline };
  await bestEffort(runInPage(page, finishAnimations, null, limits));
  await waitForFrame(page, deadline);
}

/**
 * Makes an element ready to be drawn whole: it has been in view, the page stands at its top again.
 *
 * @returns where it is.
 * @throws {CaptureFailure} `SELECTOR_NOT_FOUND`
 */
export async function openElement(page: CapturePage, selector: string, deadline: Deadline): Promise<Area> {
  await waitForSelector(page, { field: 'selector', selector, visible: true }, deadline);
  const hanging = page.activity.inFlight;
  const scrolling = { what: 'scrolling', limitMs: scrollWithinMs + 1_000, deadline };
  await bestEffort(runInPage(page, bringIntoView, { selector, budgetMs: scrollWithinMs }, scrolling));
  await waitForRevealed(page, hanging, deadline);
  await settleMotion(page, deadline);
  const asking = runInPage(page, placeOf, selector, { what: 'measuring the element', limitMs: callWithinMs, deadline });
  const place = await asking;
  if (!place) throw selectorNotFound('What matched the option selector went away before it could be drawn.');
  return roundToPixels(place);
}
