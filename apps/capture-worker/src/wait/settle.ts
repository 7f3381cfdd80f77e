import type { ScreenshotRequest } from '@capture/contract/options/screenshot-options';
import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { isDocumentGone, runInPage } from '../page/isolated-world.ts';
import type { WaitEnd } from '../page/wait-end.ts';
import { waitUntil } from '../page/wait-until.ts';
import { frameWithinMs, settleDocument } from './settle-document.ts';

/** How many documents an `auto` wait follows when a page navigates (a meta refresh, a script). */
const maxDocuments = 5;

/** For how long `networkidle` needs no request in flight, milliseconds. */
const idleForMs = 500;

/**
 * Waits until the page is ready to be drawn.
 *
 * @param withinMs a shorter limit of an `auto` wait, milliseconds.
 */
export async function settle(
  page: CapturePage,
  event: ScreenshotRequest['wait_until'],
  deadline: Deadline,
  withinMs?: number,
): Promise<WaitEnd> {
  switch (event) {
    case 'domcontentloaded':
      await waitUntil(page, { deadline }, ({ document }) => document?.contentLoaded === true);
      return 'domcontentloaded';
    case 'load':
      await waitUntil(page, { deadline }, ({ document }) => document?.loaded === true);
      return 'load';
    case 'networkidle':
      await waitUntil(page, { deadline }, ({ document }) => document?.loaded === true);
      await untilIdle(page, deadline);
      return 'networkidle';
    case 'auto':
      return settleAuto(page, deadline, withinMs);
  }
}

async function settleAuto(page: CapturePage, deadline: Deadline, withinMs?: number): Promise<WaitEnd> {
  for (let documents = 1; ; documents += 1) {
    const { document } = page.activity;
    const { ended, unfinished } = await settleDocument(page, deadline, withinMs);
    if (page.activity.document !== document && documents < maxDocuments) continue;
    page.waitEnded = ended;
    page.unfinished = unfinished;
    return ended;
  }
}

async function untilIdle(page: CapturePage, deadline: Deadline): Promise<void> {
  do await waitUntil(page, { deadline }, ({ inFlight }) => inFlight === 0);
  while (await waitUntil(page, { deadline, limitMs: idleForMs }, ({ inFlight }) => inFlight > 0));
}

/** Waits for a frame; false if the page draws none in time or navigates. */
export async function waitForFrame(page: CapturePage, deadline: Deadline, limitMs = frameWithinMs): Promise<boolean> {
  try {
    return await runInPage(page, 'nextFrame', null, { what: 'a frame', limitMs, deadline });
  } catch (error) {
    if ((error instanceof BrowserProblem && error.kind === 'hung') || isDocumentGone(error)) return false;
    throw error;
  }
}
