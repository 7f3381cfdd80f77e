import { selectorNotFound, waitForSelector } from '../act/wait-for-selector.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { finishAnimations } from '../page/page-scripts.ts';
import { bringIntoView, openScroller, placeOf } from '../page/scroll-scripts.ts';
import { waitForRevealed } from '../page/scroll-through.ts';
import { waitForFrame } from '../page/settle.ts';

/** A call that only queries the browser. */
const callWithinMs = 10_000;

const scrollWithinMs = 5_000;

/** A part of the page, in CSS pixels from its upper left corner. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Scale at which the page is drawn; defaults to 1. */
  scale?: number;
}

/** Rounds to the nearest integer pixels: losing half a pixel is better than showing half a pixel of a neighbour. */
export function roundToPixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.max(0, Math.round(x)), Math.max(0, Math.round(y))];
  const [right, bottom] = [Math.round(x + width), Math.round(y + height)];
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

/**
 * Prepares the full page for one screenshot without changing the viewport. Fixed and sticky elements stay where they are
 * at the top, lengths in `vh` keep their size, and an application's own scroll container is expanded.
 *
 * @returns the page's area in CSS pixels. A phone scales down pages without a mobile layout, and so does the screenshot.
 */
export async function openFullPage(
  page: CapturePage,
  { width, height }: { width: number; height: number },
  deadline: Deadline,
): Promise<Area> {
  const limits = { what: 'expanding the page', limitMs: callWithinMs, deadline };
  await bestEffort(runInPage(page, openScroller, null, limits));
  await settleMotion(page, deadline);
  const metrics = page.session.send('Page.getLayoutMetrics');
  const { cssContentSize, cssVisualViewport } = await page.step('measuring the page', callWithinMs, deadline, metrics);
  const content = Math.ceil(cssContentSize.height);
  const { scale, clientWidth, clientHeight } = cssVisualViewport;
  if (scale === 1) return { x: 0, y: 0, width, height: Math.max(height, content) };
  return { x: 0, y: 0, width: clientWidth, height: Math.max(clientHeight, content), scale: width / clientWidth };
}

/** Finishes animations that have an end, and waits until the result is drawn. */
export async function settleMotion(page: CapturePage, deadline: Deadline): Promise<void> {
  const limits = { what: 'finishing animations', limitMs: callWithinMs, deadline };
  await bestEffort(runInPage(page, finishAnimations, null, limits));
  await waitForFrame(page, deadline);
}

/**
 * Prepares an element for a screenshot: scrolls it into view, waits for what that loads, and scrolls back to the top.
 *
 * @returns the element's area.
 * @throws {CaptureFailure} `SELECTOR_NOT_FOUND`
 */
export async function openElement(page: CapturePage, selector: string, deadline: Deadline): Promise<Area> {
  await waitForSelector(page, { field: 'selector', selector, visible: true }, deadline);
  const inFlight = page.activity.inFlight;
  const scrolling = { what: 'scrolling', limitMs: scrollWithinMs + 1_000, deadline };
  await bestEffort(runInPage(page, bringIntoView, { selector, budgetMs: scrollWithinMs }, scrolling));
  await waitForRevealed(page, inFlight, deadline);
  await settleMotion(page, deadline);
  const measuring = { what: 'measuring the element', limitMs: callWithinMs, deadline };
  const box = await runInPage(page, placeOf, selector, measuring);
  if (!box)
    throw selectorNotFound('The element that the option selector matched was removed before it could be drawn.');
  return roundToPixels(box);
}
