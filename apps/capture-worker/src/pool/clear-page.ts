/// <reference lib="dom" />

import { Deadline, pause } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { waitUntil } from '../page/wait-until.ts';
import { openSession } from './make-page.ts';

/** Clearing takes 15 to 30 ms. A page that takes longer than this is closed instead. */
const clearWithinMs = 5_000;

/** How often to check for workers. Those of a closed document end by themselves within moments. */
const workerCheckEveryMs = 20;

/**
 * Clears a used page for the next capture: a new document, no history, name, cookies, storage, workers, permissions or
 * connections, and new sessions. Ending the old sessions undoes all that was set up through them (emulation, interception,
 * scripts in new documents).
 *
 * The HTTP cache of its context stays, and so does what Chromium knows about hosts: HSTS and supported protocols.
 *
 * @throws when any step fails; the page cannot be used again then.
 */
export async function clearPage(page: CapturePage): Promise<CapturePage> {
  const deadline = new Deadline(clearWithinMs);
  const step = <T>(what: string, work: Promise<T>) => page.step(what, clearWithinMs, deadline, work);
  const { session, proxy } = page;
  // First, so that no response in transit sets a cookie after cookies are cleared.
  proxy.turn?.end();
  const contextId = page.page.browserContext().id;
  page.chromium.leaveWorkers(contextId);
  page.chromium.meter.reset(contextId ?? '');
  await step('leaving the document', session.send('Page.navigate', { url: 'about:blank' }));
  const isBlank = await waitUntil(page, { deadline, limitMs: clearWithinMs }, ({ document, inFlight }) => {
    return document?.url === 'about:blank' && document.loaded && inFlight === 0;
  });
  if (!isBlank) throw new Error('the page did not leave its document');
  // `*` means every origin, which is undocumented, so cookies are also cleared by their own call.
  const clear = () => session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
  await step(
    'clearing the page',
    Promise.all([
      clear(),
      page.clearContext(),
      session.send('Page.resetNavigationHistory'),
      session.send('Runtime.evaluate', { expression: `(${forgetName})()` }),
    ]),
  );
  if (page.hasWorkers) {
    while (page.hasWorkers && !deadline.passed) await pause(workerCheckEveryMs);
    if (page.hasWorkers) throw new Error('a worker of the page does not end');
    // They may have stored something before they ended.
    await step('clearing the page again', Promise.all([clear(), page.clearContext()]));
  }
  await step('ending its sessions', page.detach());
  return page.next(await step('opening a new session', openSession(page.page, page.chromium.userAgent)));
}

function forgetName(): void {
  window.name = '';
}
