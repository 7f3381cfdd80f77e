import type { ScreenshotRequest } from '@capture/contract/options/screenshot-options';
import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from './capture-page.ts';
import { isDocumentGone, runInPage } from './isolated-world.ts';
import { nextFrame } from './page-scripts.ts';
import { waitUntil } from './wait-until.ts';

/** `auto`: after the load event requests are waited for no longer than this, milliseconds. */
const inFlightAtMostMs = 1_000;

/**
 * `auto`: when for so long nothing has come from the network, what is still in flight is taken for what will never come:
 * one hanging image, and no document misses its load event for its sake.
 */
const stalledAfterMs = 1_000;

/** The same for what holds up the whole page (a script in its head, a style sheet): without it there is no picture. */
const blockedAfterMs = 5_000;

/** How often it is looked whether bytes have come, milliseconds; they are counted, not told. */
const lookEveryMs = 250;

/** `auto`: of the time that is left, the load event gets so much; the rest is for the picture. */
const shareOfLoading = 2 / 3;

/** `auto`: a page that leads on to another (a meta refresh, a script) is followed so often. */
const maxDocuments = 5;

/** A frame takes 17 ms; a busy page is given longer, one that draws nothing has nothing to wait for. */
const frameWithinMs = 1_000;

/** `networkidle`: nothing in flight for so long. */
const idleForMs = 500;

/** What ended the waiting, for the log. */
export type WaitEnd =
  | 'domcontentloaded'
  | 'load'
  | 'networkidle'
  /** `auto`: nothing in flight, and drawn. */
  | 'quiet'
  /** `auto`: something is still in flight, longer than it is waited for. */
  | 'in flight'
  /** `auto`: something that the load event waits for does not come. */
  | 'stalled'
  /** `auto`: what held up the page was cut off. */
  | 'cut off'
  /** `auto`: the page draws no frames. */
  | 'no frames';

/** Waits until the page is ready to be drawn. */
export async function settle(
  page: CapturePage,
  event: ScreenshotRequest['wait_until'],
  deadline: Deadline,
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
      return settleByItself(page, deadline);
  }
}

async function settleByItself(page: CapturePage, deadline: Deadline): Promise<WaitEnd> {
  for (let documents = 1; ; documents += 1) {
    const { document } = page.activity;
    const ended = await settleDocument(page, deadline);
    if (page.activity.document === document || documents === maxDocuments) return ended;
  }
}

/**
 * Load, then nothing in flight, then two frames, each capped. The second frame is the picture's: Chromium draws a new one
 * for it.
 */
async function settleDocument(page: CapturePage, deadline: Deadline): Promise<WaitEnd> {
  const loading = await untilLoaded(page, deadline);
  if (loading === 'stalled') return 'stalled';
  const end = performance.now() + inFlightAtMostMs;
  for (;;) {
    const idle = await waitUntil(
      page,
      { deadline, limitMs: end - performance.now() },
      ({ inFlight }) => inFlight === 0,
    );
    const drawn = await waitForFrame(page, deadline);
    // An answer often leads to the next request, and a frame to both: what is quiet after one is ready.
    if (idle && drawn && page.activity.inFlight === 0) return loading === 'load' ? 'quiet' : loading;
    if (performance.now() >= end) return drawn ? 'in flight' : 'no frames';
  }
}

/**
 * Waits for the load event for as long as the network moves. What holds up the parser or the first frame is waited for
 * longer, and then cut off: the page goes on with what it has, as before a reader whose connection is gone.
 */
async function untilLoaded(page: CapturePage, deadline: Deadline): Promise<'load' | 'stalled' | 'cut off'> {
  const { activity, proxy } = page;
  const end = performance.now() + deadline.remainingMs() * shareOfLoading;
  let { bytesIn } = (await proxy.record()).counts;
  let bytesAt = performance.now();
  let stillFor = 0;
  for (;;) {
    const lookAgainMs = stillFor < stalledAfterMs ? Math.min(lookEveryMs, stalledAfterMs - stillFor) : lookEveryMs;
    if (await waitUntil(page, { deadline, limitMs: lookAgainMs }, ({ document }) => document?.loaded === true))
      return 'load';
    const now = performance.now();
    const { counts } = await proxy.record();
    if (counts.bytesIn !== bytesIn) {
      ({ bytesIn } = counts);
      bytesAt = now;
    }
    stillFor = now - Math.max(bytesAt, activity.movedAt);
    if (stillFor < stalledAfterMs && now < end) continue;
    const left = Math.min(frameWithinMs, Math.max(blockedAfterMs - stillFor, lookEveryMs));
    if (activity.document?.contentLoaded && (await waitForFrame(page, deadline, left))) return 'stalled';
    // With nothing in flight it is the page's own work that holds it up.
    if ((stillFor < blockedAfterMs || activity.inFlight === 0) && now < end) continue;
    await proxy.close();
    await waitUntil(page, { deadline, limitMs: frameWithinMs }, ({ document }) => document?.loaded === true);
    return 'cut off';
  }
}

async function untilIdle(page: CapturePage, deadline: Deadline): Promise<void> {
  do await waitUntil(page, { deadline }, ({ inFlight }) => inFlight === 0);
  while (await waitUntil(page, { deadline, limitMs: idleForMs }, ({ inFlight }) => inFlight > 0));
}

/** Waits for a frame that the page draws; false if it draws none in time, or leads away. */
export async function waitForFrame(page: CapturePage, deadline: Deadline, limitMs = frameWithinMs): Promise<boolean> {
  try {
    return await runInPage(page, nextFrame, null, { what: 'a frame', limitMs, deadline });
  } catch (error) {
    if ((error instanceof BrowserProblem && error.kind === 'hung') || isDocumentGone(error)) return false;
    throw error;
  }
}
