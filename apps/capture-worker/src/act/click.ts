import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, isDocumentGone, PageScriptError, runInPage } from '../page/isolated-world.ts';
import { aim, clickDirectly } from './act-scripts.ts';
import { waitForSelector } from './wait-for-selector.ts';

/** What a page does on a click before it gives an answer. */
const clickWithinMs = 5_000;

/**
 * Clicks the first element that a selector matches: with the mouse, as a person would, or, where something lies over it or
 * it has no place of its own, as a script would.
 *
 * @throws {CaptureFailure} `SELECTOR_NOT_FOUND`
 */
export async function click(
  page: CapturePage,
  { field, selector }: { field: string; selector: string },
  deadline: Deadline,
): Promise<void> {
  await waitForSelector(page, { field, selector, visible: false }, deadline);
  const limits = { what: field, limitMs: clickWithinMs, deadline };
  const place = await runInPage(page, aim, selector, limits).catch((error) => {
    if (!isDocumentGone(error) && !(error instanceof PageScriptError)) throw error;
    return null;
  });
  if (place && (await clickAt(page, place, deadline))) return;
  await bestEffort(runInPage(page, clickDirectly, selector, limits));
}

/** @returns false if the browser took no notice. */
async function clickAt(page: CapturePage, place: { x: number; y: number }, deadline: Deadline): Promise<boolean> {
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased') =>
    page.session.send('Input.dispatchMouseEvent', {
      type,
      ...place,
      ...(type !== 'mouseMoved' && { button: 'left' as const, clickCount: 1 }),
    });
  const clicking = Promise.all([mouse('mouseMoved'), mouse('mousePressed'), mouse('mouseReleased')]);
  try {
    await page.step('a click', clickWithinMs, deadline, clicking);
    return true;
  } catch (error) {
    // The page has gone where the click led.
    if (isDocumentGone(error)) return true;
    if (error instanceof BrowserProblem && error.kind === 'hung') return false;
    throw error;
  }
}
