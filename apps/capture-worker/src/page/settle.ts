import type { ScreenshotRequest } from '@capture/contract/options/screenshot-options';
import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from './capture-page.ts';
import { isDocumentGone, runInPage } from './isolated-world.ts';
import { nextFrame } from './page-scripts.ts';
import { waitUntil } from './wait-until.ts';

/** `auto`: how long requests are waited for after the load event, milliseconds. */
const inFlightWithinMs = 1_000;

/**
 * `auto`: if the network has been silent for this long, requests in flight are considered hung. Otherwise a single hanging
 * image would hold up the load event.
 */
const stalledAfterMs = 1_000;

/** The same for a request that blocks rendering (a script in the head, a style sheet): there is no screenshot without it. */
const blockedAfterMs = 5_000;

/** How often to check the proxy's byte counter, milliseconds; it has no events. */
const checkEveryMs = 250;

/** `auto`: the share of the remaining time for the load event; the rest is for the screenshot. */
const loadingShare = 2 / 3;

/** `auto`: how many documents are followed when a page navigates (a meta refresh, a script). */
const maxDocuments = 5;

/** A frame takes 17 ms; busy pages need longer. A page may also draw no frame at all. */
const frameWithinMs = 1_000;

/** `networkidle`: no request in flight for this long, milliseconds. */
const idleForMs = 500;

/** What ended the wait; published as `wait` in receipts. */
export type WaitEnd =
  | 'domcontentloaded'
  | 'load'
  | 'networkidle'
  /** `auto`: no request in flight, and a frame drawn. */
  | 'quiet'
  /** `auto`: requests are still in flight after the time limit. */
  | 'in flight'
  /** `auto`: a request that the load event waits for hangs. */
  | 'stalled'
  /** `auto`: a request that blocked rendering was cut off. */
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
      return settleAuto(page, deadline);
  }
}

async function settleAuto(page: CapturePage, deadline: Deadline): Promise<WaitEnd> {
  for (let documents = 1; ; documents += 1) {
    const { document } = page.activity;
    const ended = await settleDocument(page, deadline);
    if (page.activity.document === document || documents === maxDocuments) return ended;
  }
}

/**
 * Waits for the load event, then for no request in flight, then for a frame, each with a time limit. The screenshot draws
 * another frame.
 */
async function settleDocument(page: CapturePage, deadline: Deadline): Promise<WaitEnd> {
  const loading = await untilLoaded(page, deadline);
  if (loading === 'stalled') return 'stalled';
  const end = performance.now() + inFlightWithinMs;
  for (;;) {
    const idle = await waitUntil(
      page,
      { deadline, limitMs: end - performance.now() },
      ({ inFlight }) => inFlight === 0,
    );
    const drawn = await waitForFrame(page, deadline);
    // A response often leads to the next request, and a frame to both. A page that is quiet after a frame is ready.
    if (idle && drawn && page.activity.inFlight === 0) return loading === 'load' ? 'quiet' : loading;
    if (performance.now() >= end) return drawn ? 'in flight' : 'no frames';
  }
}

/**
 * Waits for the load event as long as there is network traffic. Requests that block the parser or the first frame are waited
 * for longer and then cut off: the page continues as if the connection were lost.
 */
async function untilLoaded(page: CapturePage, deadline: Deadline): Promise<'load' | 'stalled' | 'cut off'> {
  const { activity, proxy } = page;
  const end = performance.now() + deadline.remainingMs() * loadingShare;
  let { bytesIn } = (await proxy.record()).counts;
  let bytesAt = performance.now();
  let silentMs = 0;
  for (;;) {
    const checkAfterMs = silentMs < stalledAfterMs ? Math.min(checkEveryMs, stalledAfterMs - silentMs) : checkEveryMs;
    if (await waitUntil(page, { deadline, limitMs: checkAfterMs }, ({ document }) => document?.loaded === true))
      return 'load';
    const now = performance.now();
    const { counts } = await proxy.record();
    if (counts.bytesIn !== bytesIn) {
      ({ bytesIn } = counts);
      bytesAt = now;
    }
    silentMs = now - Math.max(bytesAt, activity.movedAt);
    if (silentMs < stalledAfterMs && now < end) continue;
    const frameMs = Math.min(frameWithinMs, Math.max(blockedAfterMs - silentMs, checkEveryMs));
    if (activity.document?.contentLoaded && (await waitForFrame(page, deadline, frameMs))) return 'stalled';
    // With no request in flight, the page's own scripts hold it up.
    if ((silentMs < blockedAfterMs || activity.inFlight === 0) && now < end) continue;
    await proxy.close();
    await waitUntil(page, { deadline, limitMs: frameWithinMs }, ({ document }) => document?.loaded === true);
    return 'cut off';
  }
}

async function untilIdle(page: CapturePage, deadline: Deadline): Promise<void> {
  do await waitUntil(page, { deadline }, ({ inFlight }) => inFlight === 0);
  while (await waitUntil(page, { deadline, limitMs: idleForMs }, ({ inFlight }) => inFlight > 0));
}

/** Waits for a frame; false if the page draws none in time or navigates. */
export async function waitForFrame(page: CapturePage, deadline: Deadline, limitMs = frameWithinMs): Promise<boolean> {
  try {
    return await runInPage(page, nextFrame, null, { what: 'a frame', limitMs, deadline });
  } catch (error) {
    if ((error instanceof BrowserProblem && error.kind === 'hung') || isDocumentGone(error)) return false;
    throw error;
  }
}
