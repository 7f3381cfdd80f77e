import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { isDocumentGone } from '../page/isolated-world.ts';

/** Limit for a client's script and the promise that it returns. The worker then terminates the script. */
const scriptWithinMs = 10_000;

const terminateWithinMs = 2_000;

/** Maximum length of an error message, in characters. */
const errorMaxLength = 300;

/**
 * Runs a client's script in the page's main world, where the script has access to all that the page's scripts have. The script
 * may use top-level `await`. A script that does not end is terminated, and the page is captured as it is.
 *
 * @returns the error; null if the script ended normally or led to another page.
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
    return (fault.exception?.description ?? String(fault.exception?.value ?? fault.text)).slice(0, errorMaxLength);
  } catch (error) {
    if (isDocumentGone(error)) return null;
    if (!(error instanceof BrowserProblem) || error.kind !== 'hung') throw error;
    await terminate(page, deadline);
    return `The script did not end within ${limitMs / 1_000} s and was cut off.`;
  }
}

async function terminate(page: CapturePage, deadline: Deadline): Promise<void> {
  const terminating = page.session.send('Runtime.terminateExecution');
  await page.step('terminating a script', terminateWithinMs, deadline, terminating).catch((error) => {
    if (!(error instanceof BrowserProblem) || error.kind !== 'hung') throw error;
  });
}
