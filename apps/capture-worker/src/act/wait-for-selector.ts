import { BrowserProblem, CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { pause } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { isDocumentGone, PageScriptError, runInPage } from '../page/isolated-world.ts';

/** Length of one attempt in milliseconds; after a navigation, the next attempt checks the new document. */
const attemptMs = 2_000;

/** A busy page responds late. */
const marginMs = 2_000;

/** The wait stops this long before the deadline, so that the error names the selector. */
const reserveMs = 50;

/** The maximum length of a selector in an error, in characters. */
const longestQuoted = 200;

/**
 * Waits until a selector matches an element, on whichever document the page shows by then.
 *
 * @param target.field the option with the selector, for the message.
 * @param target.visible whether the element must be drawn, with a size.
 * @throws {CaptureFailure} `SELECTOR_NOT_FOUND` when nothing matched by the deadline, or the selector is invalid.
 */
export async function waitForSelector(
  page: CapturePage,
  target: { field: string; selector: string; visible: boolean },
  deadline: Deadline,
): Promise<void> {
  const { field, ...match } = target;
  const startedAt = performance.now();
  while (deadline.remainingMs() > reserveMs) {
    const withinMs = Math.min(attemptMs, deadline.remainingMs() - reserveMs);
    const limits = { what: field, limitMs: withinMs + marginMs, deadline };
    try {
      if (await runInPage(page, 'waitForMatch', { ...match, withinMs }, limits)) return;
    } catch (error) {
      if (error instanceof PageScriptError) throw notSelector(field, match.selector, error);
      if (error instanceof CaptureFailure && error.code === 'CAPTURE_TIMEOUT') break;
      if (!isDocumentGone(error) && !(error instanceof BrowserProblem && error.kind === 'hung')) throw error;
      await pause(reserveMs);
    }
  }
  const waitedS = ((performance.now() - startedAt) / 1_000).toFixed(1);
  throw selectorNotFound(
    `The option ${field} matched no ${match.visible ? 'visible ' : ''}element within ${waitedS} s: ${quoted(match.selector)}.`,
  );
}

/** Returns the failure for an option whose text is no selector. */
export function notSelector(field: string, selector: string, cause: unknown): CaptureFailure {
  return selectorNotFound(`The option ${field} is not a CSS selector: ${quoted(selector)}.`, cause);
}

const quoted = (selector: string) => JSON.stringify(selector.slice(0, longestQuoted));

export function selectorNotFound(message: string, cause?: unknown): CaptureFailure {
  return new CaptureFailure('SELECTOR_NOT_FOUND', message, { cause });
}
