import { Deadline, pause } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { runInPage } from '../page/isolated-world.ts';
import { waitUntil } from '../page/wait-until.ts';
import { openSession } from './make-page.ts';

/** Clearing takes 15 to 30 ms. A page that takes longer than this is closed instead. */
const clearWithinMs = 5_000;

/** How often to check for workers. The workers of a closed document end by themselves within moments. */
const workerCheckEveryMs = 20;

/**
 * Clears a used page for the next capture: new sessions, a new document, no history, name, cookies, storage, caches, workers,
 * permissions or connections. Ending the old sessions undoes every setting made through them (emulation, interception, scripts
 * in new documents).
 *
 * Chromium keeps facts about hosts that no page can read: HSTS, TLS sessions and protocols. `CapturePage` notes other such
 * state, and the page is closed then.
 *
 * @returns the page with an empty document, into which a client's document can be written.
 * @throws when any step fails; the page cannot be used again then.
 */
export async function clearPage(used: CapturePage): Promise<CapturePage> {
  const deadline = new Deadline(clearWithinMs);
  const watched = await openNextSession(used, deadline);
  const page = used.next(watched);
  await leaveDocument(page, deadline);
  await clearState(page, deadline);
  // Forget the previous document.
  const { document, mainFrameId } = page.activity;
  return page.next(watched, { document, mainFrameId });
}

/**
 * Clears a page that has shown a still document (`isStill`) of a client and had no connection, so nothing is stored. The content
 * is taken out of the document, which costs a third of a navigation. No script has run in the page or stays.
 *
 * @returns as `clearPage` does.
 * @throws when any step fails; the page cannot be used again then.
 */
export async function emptyPage(used: CapturePage): Promise<CapturePage> {
  const deadline = new Deadline(clearWithinMs);
  const { document, mainFrameId } = used.activity;
  if (!document?.written || mainFrameId === null) throw new Error('the page does not show a document of a client');
  // First, because the end of the session resets the size of the window, and would lay out the content again.
  const limits = { what: 'emptying the document', limitMs: clearWithinMs, deadline };
  const emptying = used.session.send('Page.setDocumentContent', { frameId: mainFrameId, html: '' });
  await Promise.all([
    runInPage(used, 'stopWatching', null, limits),
    used.step(limits.what, clearWithinMs, deadline, emptying),
  ]);
  const watched = await openNextSession(used, deadline);
  return used.next(watched, { document: { ...document, written: false }, mainFrameId });
}

/** Ends the page's connections and sessions, and opens a session for the next capture. */
async function openNextSession(used: CapturePage, deadline: Deadline): ReturnType<typeof openSession> {
  // First, so that no response in transit sets a cookie after cookies are cleared.
  await used.step('ending its connections', clearWithinMs, deadline, used.proxy.turn?.end() ?? Promise.resolve());
  const contextId = used.page.browserContext().id;
  used.chromium.leaveWorkers(contextId);
  used.chromium.meter.reset(contextId ?? '');
  await used.step('ending its sessions', clearWithinMs, deadline, used.detach());
  const opening = openSession(used.page, used.chromium.userAgent);
  return used.step('opening a new session', clearWithinMs, deadline, opening);
}

async function leaveDocument(page: CapturePage, deadline: Deadline): Promise<void> {
  const navigating = page.session.send('Page.navigate', { url: 'about:blank' });
  await page.step('leaving the document', clearWithinMs, deadline, navigating);
  const isBlank = await waitUntil(page, { deadline, limitMs: clearWithinMs }, ({ document, inFlight }) => {
    return document?.url === 'about:blank' && document.loaded && inFlight === 0;
  });
  if (!isBlank) throw new Error('the page did not leave its document');
}

async function clearState(page: CapturePage, deadline: Deadline): Promise<void> {
  const { session } = page;
  // `*` means every origin, which is undocumented, so cookies are also cleared by their own call.
  const clear = () => session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
  const clearing = Promise.all([
    clear(),
    page.clearContext(),
    session.send('Network.clearBrowserCache'),
    session.send('Page.resetNavigationHistory'),
    session.send('Runtime.evaluate', { expression: "window.name = ''" }),
  ]);
  await page.step('clearing the page', clearWithinMs, deadline, clearing);
  if (!page.hasWorkers) return;
  while (page.hasWorkers && !deadline.passed) await pause(workerCheckEveryMs);
  if (page.hasWorkers) throw new Error('a worker of the page does not end');
  // The workers may have stored something before they ended.
  await page.step('clearing the page again', clearWithinMs, deadline, Promise.all([clear(), page.clearContext()]));
}
