/// <reference lib="dom" />

import { Deadline, pause } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { waitUntil } from '../page/wait-until.ts';
import { watch } from './make-page.ts';

/** All of it takes 15 to 30 ms; a page that does not let go of what it does is thrown away instead. */
const clearWithinMs = 5_000;

/** Workers of a document that is gone end by themselves within moments. */
const workersLookedAtEveryMs = 20;

/**
 * Makes a page that a capture has used like one that nobody has, but for the HTTP cache of its context: another document,
 * no history, name, cookies, storage, workers, permissions or connections, and sessions of its own for whoever is next.
 * The old ones take with them all that was set up through them (emulation, interception, scripts in new documents).
 *
 * What Chromium knows of a host's connections stays, as with the cache: that it wants https alone (HSTS), its protocols.
 *
 * @throws when any of it fails: then the page cannot be used again.
 */
export async function clearPage(page: CapturePage): Promise<CapturePage> {
  const deadline = new Deadline(clearWithinMs);
  const step = <T>(what: string, work: Promise<T>) => page.step(what, clearWithinMs, deadline, work);
  const { session, proxy } = page;
  // First of all: no answer that is still on its way brings a cookie after they were removed.
  proxy.turn?.end();
  await step('leaving the document', session.send('Page.navigate', { url: 'about:blank' }));
  const left = await waitUntil(page, { deadline, limitMs: clearWithinMs }, ({ document, inFlight }) => {
    return document?.url === 'about:blank' && document.loaded && inFlight === 0;
  });
  if (!left) throw new Error('the page did not leave its document');
  // Every origin: that `*` means so stands nowhere, so that cookies, which are of it, are cleared by their own call as well.
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
    while (page.hasWorkers && !deadline.passed) await pause(workersLookedAtEveryMs);
    if (page.hasWorkers) throw new Error('a worker of the page does not end');
    // They may have stored something at the last.
    await step('clearing the page again', Promise.all([clear(), page.clearContext()]));
  }
  await step('ending its sessions', page.detach());
  return page.next(await step('watching it anew', watch(page.page)));
}

function forgetName(): void {
  window.name = '';
}
