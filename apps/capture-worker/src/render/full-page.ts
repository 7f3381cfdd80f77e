import type { Deadline } from '../deadline.ts';
import { bestEffort } from '../page/best-effort.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { runInPage } from '../page/isolated-world.ts';
import { finishAnimations } from '../page/page-scripts.ts';
import { openScroller } from '../page/scroll-scripts.ts';
import { aFrame } from '../page/settle.ts';
import type { Area } from './area.ts';

/** A call that only asks the browser something. */
const callWithinMs = 10_000;

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
  await aFrame(page, deadline);
}
