import { notFound, waitForSelector } from '../act/wait-for-selector.ts';
import type { Deadline } from '../deadline.ts';
import { bestEffort } from '../page/best-effort.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { runInPage } from '../page/isolated-world.ts';
import { bringIntoView, placeOf } from '../page/scroll-scripts.ts';
import { whatCameIntoView } from '../page/scroll-through.ts';
import { type Area, onPixels } from './area.ts';
import { settleMotion } from './full-page.ts';

const callWithinMs = 10_000;
const scrollWithinMs = 5_000;

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
  await whatCameIntoView(page, hanging, deadline);
  await settleMotion(page, deadline);
  const asking = runInPage(page, placeOf, selector, { what: 'measuring the element', limitMs: callWithinMs, deadline });
  const place = await asking;
  if (!place) throw notFound('What matched the option selector went away before it could be drawn.');
  return onPixels(place);
}
