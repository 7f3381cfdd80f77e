import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { worldOf } from '../page/isolated-world.ts';
import { waitUntil } from '../page/wait-until.ts';
import { preserveInDocument } from '../page/watch-page.ts';

/** The time limit for writing a document, milliseconds: 2 MB are parsed in half a second, but its scripts take time too. */
const writeWithinMs = 30_000;
const callWithinMs = 10_000;

/**
 * Shows a document without a URL: writes it into `about:blank`, so that it has an opaque origin, no storage and no secure
 * context, and loads its resources through the page's proxy. Resolves when the document is written, not when it is loaded.
 *
 * @param options.prints whether the document is printed, with the drawings of its scripts.
 * @param options.hasTouch whether the device has touch: Chromium decides which events a window knows when it opens the document.
 * @throws {CaptureFailure} `CAPTURE_TIMEOUT`
 */
export async function setDocument(
  page: CapturePage,
  html: string,
  deadline: Deadline,
  { prints = false, hasTouch = false } = {},
): Promise<void> {
  const { activity } = page;
  if (hasTouch || !page.startWithEmpty()) await openEmpty(page, deadline);
  else if (prints) await page.step('keeping drawings', callWithinMs, deadline, preserveInDocument(page.session));
  activity.rewritten();
  await page.step('writing a document', writeWithinMs, deadline, write(page, html));
}

async function openEmpty(page: CapturePage, deadline: Deadline): Promise<void> {
  const { session, activity } = page;
  const before = activity.document;
  await page.step('opening a document', callWithinMs, deadline, session.send('Page.navigate', { url: 'about:blank' }));
  const isBlank = await waitUntil(
    page,
    { deadline, limitMs: callWithinMs },
    ({ document }) => document !== before && !!document?.loaded,
  );
  if (!isBlank) throw new CaptureFailure('CAPTURE_TIMEOUT', 'The document was not opened in time.');
}

async function write(page: CapturePage, html: string): Promise<void> {
  const { session, errorScripts } = page;
  const contextId = await worldOf(page).contextId;
  const written = `document.write(${JSON.stringify(html)}); document.close()`;
  // The order matters: `document.open()` removes the document's listeners.
  await Promise.all([
    session.send('Runtime.evaluate', { expression: `document.open(); ${errorScripts.mainWorld}` }),
    session.send('Runtime.evaluate', { contextId, expression: `${errorScripts.ownWorld}; ${written}` }),
  ]);
}
