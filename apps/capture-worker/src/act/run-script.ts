import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { isDocumentGone } from '../page/isolated-world.ts';

/** What a script of a client's may take, its promise included; then it is cut off. */
export const scriptWithinMs = 10_000;

/** Ending a script takes a moment, and nobody waits longer for it. */
const endWithinMs = 2_000;

/** How much of an error is kept, characters. */
const longestError = 300;

/**
 * Runs a client's script in the page's own world, where it sees what the page's scripts see; `await` may stand anywhere in
 * it. One that does not end is cut off, and the page is drawn as it is.
 *
 * @returns why it failed; null if it ran to its end, or led to another page.
 */
export async function runScript(
  page: CapturePage,
  script: string,
  deadline: Deadline,
  limitMs = scriptWithinMs,
): Promise<string | null> {
  const running = page.session.send('Runtime.evaluate', {
    expression: script,
    replMode: true,
    awaitPromise: true,
    userGesture: true,
    silent: true,
  });
  try {
    const { exceptionDetails: fault } = await page.step('js', limitMs, deadline, running);
    if (!fault) return null;
    return (fault.exception?.description ?? String(fault.exception?.value ?? fault.text)).slice(0, longestError);
  } catch (error) {
    if (isDocumentGone(error)) return null;
    if (!(error instanceof BrowserProblem) || error.kind !== 'hung') throw error;
    await cutOff(page, deadline);
    return `It did not end within ${limitMs / 1_000} s and was cut off.`;
  }
}

async function cutOff(page: CapturePage, deadline: Deadline): Promise<void> {
  const ending = page.session.send('Runtime.terminateExecution');
  await page.step('ending a script', endWithinMs, deadline, ending).catch((error) => {
    if (!(error instanceof BrowserProblem) || error.kind !== 'hung') throw error;
  });
}
