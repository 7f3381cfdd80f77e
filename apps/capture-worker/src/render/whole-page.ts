import { BrowserTrouble } from '../capture-failure.ts';
import type { CapturePage } from '../capture-page.ts';
import type { Deadline } from '../deadline.ts';
import { isDocumentGone, PageScriptError, runInPage } from '../isolated-world.ts';
import { within } from '../page-condition.ts';
import { decodeImages, scrollThrough } from '../page-scripts.ts';
import { aFrame } from '../settle.ts';

/** One viewport a frame (17 ms): 29 frames for a page of 20,000 pixels. A page that draws slowly is left off here. */
const scrollWithinMs = 5_000;

/**
 * A page that grows while it is scrolled is followed this many viewports down, so that a feed without an end has one. A
 * page that is longer from the start is scrolled to its end.
 */
const followedViewports = 20;

/** What scrolling has set off (images, the next articles) is waited for so long, milliseconds. */
const imagesWithinMs = 3_000;

/** A call that only asks the browser something. */
const callWithinMs = 10_000;

/**
 * Makes the whole page ready to be drawn in one picture, its viewport unchanged: it is scrolled through, so that what
 * loads or appears when it comes into view is there, and then stands at its top again. What is fixed or sticky stays
 * where it is at the top; what is measured in `vh` keeps its size.
 *
 * @returns the height of the page, CSS pixels.
 */
export async function openWholePage(
  page: CapturePage,
  { height }: { height: number },
  deadline: Deadline,
): Promise<number> {
  // What did not come before will not come now.
  const hanging = page.activity.inFlight;
  const scrolled = { budgetMs: scrollWithinMs, followedViewports };
  await bestEffort(
    runInPage(page, scrollThrough, scrolled, { what: 'scrolling', limitMs: scrollWithinMs + 1_000, deadline }),
  );
  await within(page, deadline, imagesWithinMs, ({ inFlight }) => inFlight <= hanging);
  await bestEffort(runInPage(page, decodeImages, null, { what: 'decoding images', limitMs: imagesWithinMs, deadline }));
  await aFrame(page, deadline);
  const asking = page.session.send('Page.getLayoutMetrics');
  const { cssContentSize } = await page.step('measuring the page', callWithinMs, deadline, asking);
  return Math.max(height, Math.ceil(cssContentSize.height));
}

/** A page that hinders one of these steps is drawn as it is. */
async function bestEffort(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const hindered = error instanceof PageScriptError || (error instanceof BrowserTrouble && error.kind === 'hung');
    if (!hindered && !isDocumentGone(error)) throw error;
  }
}
