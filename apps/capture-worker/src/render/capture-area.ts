import { selectorNotFound, waitForSelector } from '../act/wait-for-selector.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { expandPage } from '../prepare/expand.ts';
import { growViewport } from '../prepare/grow-viewport.ts';
import { scrollAcrossPage } from '../prepare/scroll-through.ts';
import type { PageScreen } from '../prepare/tall-page.ts';
import { settle } from '../wait/settle.ts';

/** Decoding takes some 10 ms an image. */
const decodeWithinMs = 3_000;

/** Limit for a call that only queries the browser. */
const callWithinMs = 10_000;

const scrollWithinMs = 5_000;

/** A part of the page, in CSS pixels from its upper left corner. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
  /** The scale at which the page is drawn; defaults to 1. */
  scale?: number;
}

/** Rounds to the nearest integer pixels. Losing half a pixel is better than showing half a pixel of a neighbour. */
export function roundToPixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.max(0, Math.round(x)), Math.max(0, Math.round(y))];
  const [right, bottom] = [Math.round(x + width), Math.round(y + height)];
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

/**
 * Prepares the full page for a screenshot: expands an application's own scroll container, and grows the viewport to the height
 * of the page.
 *
 * @returns the page's area in CSS pixels. A phone scales down pages without a mobile layout, and so does the screenshot.
 */
export async function openFullPage(page: CapturePage, screen: PageScreen, deadline: Deadline): Promise<Area> {
  await expandPage(page, deadline);
  const { width, height, left, isWide, scale } = await growViewport(page, screen, deadline);
  await finishDrawing(page, deadline);
  const area = { x: isWide ? 0 : left, y: 0, width, height: Math.max(screen.height / scale, height) };
  return scale === 1 ? area : { ...area, scale };
}

/** Waits until images are decoded, because a screenshot lacks an undecoded image. */
async function finishDrawing(page: CapturePage, deadline: Deadline): Promise<void> {
  await bestEffort(
    runInPage(page, 'decodeImages', null, { what: 'decoding images', limitMs: decodeWithinMs, deadline }),
  );
}

/**
 * Prepares an element for a screenshot: scrolls its scroll containers to it, and grows the viewport, so that no bar covers the
 * element and all of its content is drawn.
 *
 * @returns the element's area.
 * @throws {CaptureFailure} `SELECTOR_NOT_FOUND`
 */
export async function openElement(
  page: CapturePage,
  selector: string,
  screen: PageScreen,
  deadline: Deadline,
): Promise<Area> {
  await waitForSelector(page, { field: 'selector', selector, visible: true }, deadline);
  const scrolling = { what: 'scrolling', limitMs: scrollWithinMs + 1_000, deadline };
  await bestEffort(runInPage(page, 'bringIntoView', { selector, budgetMs: scrollWithinMs }, scrolling));
  await settle(page, 'auto', deadline);
  const { left } = await growViewport(page, screen, deadline);
  await finishDrawing(page, deadline);
  const measuring = { what: 'measuring the element', limitMs: callWithinMs, deadline };
  const box = await runInPage(page, 'placeOfMatch', selector, measuring);
  if (!box)
    throw selectorNotFound('The element that the option selector matched was removed before it could be drawn.');
  return roundToPixels({ ...box, x: box.x + left });
}

/** Prepares a rectangle of the page. The viewport grows if the rectangle extends below it. */
export async function openClip(page: CapturePage, clip: Area, screen: PageScreen, deadline: Deadline): Promise<Area> {
  await runInPage(page, 'scrollToTop', null, { what: 'scrolling to the top', limitMs: callWithinMs, deadline });
  if (clip.x + clip.width > screen.width) await scrollAcrossPage(page, deadline);
  if (clip.y + clip.height > screen.height) await growViewport(page, screen, deadline);
  const measuring = { what: 'measuring the page', limitMs: callWithinMs, deadline };
  const { left } = await runInPage(page, 'measurePage', null, measuring);
  return roundToPixels({ ...clip, x: clip.x + left });
}
