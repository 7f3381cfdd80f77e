import { BrowserProblem, CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { pause } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { isDocumentGone, PageScriptError, runInPage } from '../page/isolated-world.ts';
import { waitForMatch } from './act-scripts.ts';

/** How long one look lasts; a page that leads on to another is looked at anew, milliseconds. */
const lookMs = 2_000;

/** A page that is busy answers late. */
const marginMs = 2_000;

/** Before the deadline, so that the answer tells of the selector. */
const lastMs = 50;

/**
 * Waits until a selector matches something on the page, whichever document it shows by then.
 *
 * @param wanted.field the option that names it, for the message.
 * @param wanted.visible only what takes up room counts.
 * @throws {CaptureFailure} `SELECTOR_NOT_FOUND` when nothing matched by the deadline, or it is no selector.
 */
export async function waitForSelector(
  page: CapturePage,
  wanted: { field: string; selector: string; visible: boolean },
  deadline: Deadline,
): Promise<void> {
  const { field, ...match } = wanted;
  while (deadline.remainingMs() > lastMs) {
    const withinMs = Math.min(lookMs, deadline.remainingMs() - lastMs);
    const limits = { what: field, limitMs: withinMs + marginMs, deadline };
    try {
      if (await runInPage(page, waitForMatch, { ...match, withinMs }, limits)) return;
    } catch (error) {
      if (error instanceof PageScriptError) throw selectorNotFound(`The option ${field} is not a CSS selector.`, error);
      if (error instanceof CaptureFailure && error.code === 'CAPTURE_TIMEOUT') break;
      if (!isDocumentGone(error) && !(error instanceof BrowserProblem && error.kind === 'hung')) throw error;
      await pause(lastMs);
    }
  }
  throw selectorNotFound(
    `The selector given as ${field} matched nothing${match.visible ? ' visible' : ''} within timeout_ms.`,
  );
}

export function selectorNotFound(message: string, cause?: unknown): CaptureFailure {
  return new CaptureFailure('SELECTOR_NOT_FOUND', message, { cause });
}
