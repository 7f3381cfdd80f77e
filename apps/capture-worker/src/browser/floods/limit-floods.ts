/// <reference lib="dom" />
import { type CDPSession, CDPSessionEvent, type Frame, type Page } from 'puppeteer';
import { composeScript } from '../../compose-script.ts';
import { type FloodLimits, floodLimits } from '../../limits.ts';
import { limitBlobs } from './limit-blobs.ts';
import { limitItems } from './limit-items.ts';
import { limitMessages } from './limit-messages.ts';
import { limitRequests } from './limit-requests.ts';
import { limitStores } from './limit-stores.ts';
import { type WrapCalls, wrapCalls } from './wrap-calls.ts';

/**
 * Limits what a document or worker may do that is work for the browser's main process, which serves all pages. That process has
 * no limit of its own: what a page sends faster than it can handle waits in its memory, before anything that other pages need.
 *
 * @param session Puppeteer's own session with the page.
 */
export async function limitFloods(page: Page, session: CDPSession | undefined): Promise<void> {
  if (session) limitWorkersOf(session);
  page.on('framenavigated', (frame) => limitStorage(page, frame, session));
  // By Puppeteer: it reaches frames that have sessions of their own, too.
  await page.evaluateOnNewDocument(`(${limit})(${JSON.stringify(floodLimits)})`);
}

/** What pages store is in the memory of the main process: with Chromium's own quotas, three pages fill 2 GB in 8 s. */
function limitStorage(page: Page, frame: Frame, session: CDPSession | undefined): void {
  const [origin, pageOrigin] = [frame, page.mainFrame()].map((each) => /^https?:\/\/[^/]+/.exec(each.url())?.[0]);
  if (!origin) return;
  const quotaSize = origin === pageOrigin ? floodLimits.storedBytes : floodLimits.storedBytesOfFrame;
  // The page may be gone.
  session?.send('Storage.overrideQuotaForOrigin', { origin, quotaSize }).catch(() => undefined);
}

/** Limits a worker that has not started its script. No effect in a page. */
export async function limitWorker(session: CDPSession): Promise<void> {
  const expression = `typeof WorkerGlobalScope === 'function' && (${limit})(${JSON.stringify(floodLimits)})`;
  await session.send('Runtime.evaluate', { expression });
}

/** Frames of other sites and workers each have a session, below that of the document which started them. */
function limitWorkersOf(session: CDPSession): void {
  session.on(CDPSessionEvent.SessionAttached, (child) => {
    limitWorkersOf(child);
    // Sent before Puppeteer resumes a worker. It may be gone.
    limitWorker(child).catch(() => undefined);
  });
}

/** Runs before the scripts of a document or worker, in their world. */
const limit = composeScript<FloodLimits>()
  .part('calls', wrapCalls)
  .part('stores', limitStores)
  .part('items', limitItems)
  .part('requests', limitRequests)
  .part('messages', limitMessages)
  .part('blobs', limitBlobs)
  .main(limitOthers);

/** Limits workers, titles, windows, documents that are opened again, questions for devices, cookies and changes of the history. */
function limitOthers({ input: limits, calls }: { input: FloodLimits; calls: WrapCalls }): void {
  const { workers, titles, windows, opens, opensOfFrame, devices, cookies, states, addresses } = limits;
  const { wrap, atMost, tooMany, prototypeOf, isFrame } = calls;
  const { Promise: Pending, TypeError: Refusal } = globalThis;
  const refuseWorker = () => {
    throw tooMany('workers');
  };
  const mayStart = atMost(workers);
  for (const name of ['Worker', 'SharedWorker']) wrap(globalThis, name, mayStart, refuseWorker);
  wrap(prototypeOf('Document'), 'title', atMost(titles));
  // It opens and moves no window in any case.
  wrap(globalThis, 'open', atMost(windows), () => null);
  // Chromium lets a script close a window with one history entry. A visitor's would stay open. In a worker, `close` ends the worker.
  if ('document' in globalThis) wrap(globalThis, 'close', () => false);
  // A document that is not closed stays open, so that what is written to it opens it no more.
  for (const name of ['open', 'close']) {
    wrap(prototypeOf('Document'), name, atMost(isFrame ? opensOfFrame : opens), (_, self) =>
      name === 'open' ? self : undefined,
    );
  }
  // Without a gesture of a user each is refused, with a message that goes through the main process.
  const mayAsk = atMost(windows);
  for (const name of ['requestFullscreen', 'requestPointerLock']) {
    wrap(prototypeOf('Element'), name, mayAsk, () => Pending.reject(new Refusal('Permissions check failed')));
  }
  for (const name of ['webkitRequestFullscreen', 'webkitRequestFullScreen']) wrap(prototypeOf('Element'), name, mayAsk);
  const mayMove = atMost(windows);
  for (const name of ['moveTo', 'moveBy', 'resizeTo', 'resizeBy']) wrap(globalThis, name, mayMove);
  // There are none, which the browser finds out again each time.
  const mayAskDevices = atMost(devices);
  for (const name of ['enumerateDevices', 'getUserMedia', 'getDisplayMedia', 'selectAudioOutput']) {
    const refuse = () => Pending.reject(tooMany('calls for devices'));
    wrap(prototypeOf('MediaDevices'), name, mayAskDevices, refuse);
  }
  wrap(prototypeOf('Navigator'), 'webkitGetUserMedia', mayAskDevices);
  wrap(globalThis, 'PressureObserver', atMost(devices), () => {
    throw tooMany('observers');
  });
  wrap(prototypeOf('Navigator'), 'requestMIDIAccess', mayAskDevices, () =>
    Pending.reject(tooMany('calls for devices')),
  );
  // No app is installed.
  wrap(prototypeOf('Navigator'), 'getInstalledRelatedApps', atMost(devices), async () => []);
  const maySetCookie = atMost(cookies);
  wrap(prototypeOf('Document'), 'cookie', maySetCookie);
  for (const name of ['set', 'delete', 'get', 'getAll']) {
    wrap(prototypeOf('CookieStore'), name, maySetCookie, () => Pending.reject(tooMany('cookies')));
  }

  // The browser keeps each address, which may have 2 MB. Its own is the one thing that a page cannot forge.
  const mayChangeState = atMost(states);
  let characters = 0;
  for (const name of ['pushState', 'replaceState']) {
    wrap(prototypeOf('History'), name, ([, , address]) => {
      characters += location.href.length + (typeof address === 'string' ? address.length : 0);
      return mayChangeState([]) && characters <= addresses;
    });
  }
}
