import { randomBytes } from 'node:crypto';
import { documentStart } from '@capture/page-scripts/scripts';
import type { CDPSession, Page } from 'puppeteer';
import { consoleLimits } from '../limits.ts';
import { worldName } from './isolated-world.ts';

/**
 * Tracks the work that the page's scripts schedule, in all documents.
 *
 * @returns the name of the event that asks for the work; see `packages/page-scripts/src/document-start/track-work.ts`.
 */
export async function trackWork(page: Page): Promise<string> {
  const event = secretEvent();
  // Puppeteer's call also reaches frames of other sites, which have other sessions.
  await page.evaluateOnNewDocument(documentStart('track-work', { event }));
  return event;
}

/**
 * Records the first console errors and uncaught exceptions of each document. Chromium's events would report every message, and a
 * page that logs without end would keep the browser too busy to respond. So scripts in the page collect the errors, and the
 * worker reads them once, at the end.
 *
 * @returns scripts, one for each world, for a document after `document.open()`, which removes its listeners.
 */
export async function watchErrors(session: CDPSession): Promise<{ mainWorld: string; ownWorld: string }> {
  const input = { event: secretEvent(), ...consoleLimits };
  const mainWorld = (wrapsConsole: boolean) => documentStart('send-errors', { ...input, wrapsConsole });
  const ownWorld = documentStart('record-errors', input);
  await Promise.all([
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: ownWorld, worldName }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorld(true) }),
  ]);
  return { mainWorld: mainWorld(false), ownWorld };
}

/**
 * Lets WebGL canvases keep their drawings, so that Chromium can print them. Without a GPU, Chromium hands each drawing over to
 * the screen and keeps no copy that printing could read, so the canvas would be blank on paper. Canvases that are 2D, or that are
 * drawn off the screen, keep a copy.
 *
 * @param session of the page, or of a cross-site frame. Applies to documents that are shown later.
 */
export async function preserveDrawings(session: CDPSession): Promise<void> {
  // A frame's session has no `Page` events yet, and without them Chromium runs no script of this session in new documents.
  const source = documentStart('preserve-drawings', null);
  await Promise.all([session.send('Page.enable'), session.send('Page.addScriptToEvaluateOnNewDocument', { source })]);
}

/** Does the same in the empty document that the page already shows. */
export async function preserveInDocument(session: CDPSession): Promise<void> {
  await session.send('Runtime.evaluate', { expression: documentStart('preserve-drawings', null) });
}

/** Returns the name of an event that pages cannot guess. */
function secretEvent(): string {
  return `capture-${randomBytes(8).toString('hex')}`;
}
