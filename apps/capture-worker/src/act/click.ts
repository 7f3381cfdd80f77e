import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, isDocumentGone, PageScriptError, runInPage } from '../page/isolated-world.ts';
import { waitForSelector } from './wait-for-selector.ts';

/** Time for the page's click handlers. */
const clickWithinMs = 5_000;

/**
 * Clicks the first visible match of the selector, or the first match if none is visible: with the mouse, or by script if the
 * element is covered or has no size.
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
  const point = await runInPage(page, 'findClickPoint', selector, limits).catch((error) => {
    if (!isDocumentGone(error) && !(error instanceof PageScriptError)) throw error;
    return null;
  });
  if (point && (await clickAt(page, point, deadline))) return;
  await bestEffort(runInPage(page, 'clickDirectly', selector, limits));
}

/** @returns false if the browser did not respond. */
async function clickAt(page: CapturePage, point: { x: number; y: number }, deadline: Deadline): Promise<boolean> {
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased') =>
    page.session.send('Input.dispatchMouseEvent', {
      type,
      ...point,
      ...(type !== 'mouseMoved' && { button: 'left' as const, clickCount: 1 }),
    });
  const clicking = Promise.all([mouse('mouseMoved'), mouse('mousePressed'), mouse('mouseReleased')]);
  try {
    await page.step('a click', clickWithinMs, deadline, clicking);
    return true;
  } catch (error) {
    // The click led to another page.
    if (isDocumentGone(error)) return true;
    if (error instanceof BrowserProblem && error.kind === 'hung') return false;
    throw error;
  }
}
