import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { prepareWorld } from '../page/isolated-world.ts';
import { waitUntil } from '../page/wait-until.ts';

/** Two megabytes are parsed in half a second; scripts between them take what they take. */
const writeWithinMs = 30_000;
const callWithinMs = 10_000;

/**
 * Shows a document that comes from no address: it is written into `about:blank`, so its origin is that of nobody, it has
 * no storage and no secure context, and what it refers to goes through the page's proxy like anything else. Resolves when
 * it is written, not when it is loaded.
 *
 * @throws {CaptureFailure} `CAPTURE_TIMEOUT`
 */
export async function setDocument(page: CapturePage, html: string, deadline: Deadline): Promise<void> {
  const { session, activity } = page;
  const before = activity.document;
  await page.step('opening a document', callWithinMs, deadline, session.send('Page.navigate', { url: 'about:blank' }));
  const isBlank = await waitUntil(
    page,
    { deadline, limitMs: callWithinMs },
    ({ document }) => document !== before && !!document?.loaded,
  );
  if (!isBlank) throw new CaptureFailure('CAPTURE_TIMEOUT', 'The document was not opened in time.');
  activity.rewritten();
  await page.step('writing a document', writeWithinMs, deadline, write(page, html));
}

async function write(page: CapturePage, html: string): Promise<void> {
  const { session, errorScripts } = page;
  const contextId = await prepareWorld(page);
  const written = `document.write(${JSON.stringify(html)}); document.close()`;
  // One after the other: a document that is opened has forgotten who listened to it.
  await Promise.all([
    session.send('Runtime.evaluate', { expression: `document.open(); ${errorScripts.mainWorld}` }),
    session.send('Runtime.evaluate', { contextId, expression: `${errorScripts.ownWorld}; ${written}` }),
  ]);
}
