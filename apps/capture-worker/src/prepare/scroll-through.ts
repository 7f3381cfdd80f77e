import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { waitUntil } from '../page/wait-until.ts';
import { settle } from '../wait/settle.ts';

const scrolling = {
  /** The time limit, milliseconds. A page of 20,000 pixels takes 29 frames of 17 ms; pages that draw slowly are cut short. */
  budgetMs: 5_000,
  /** How many viewports to follow a page that grows while it is scrolled, which limits endless feeds. */
  followedViewports: 20,
  maxScrollers: 10,
};

/** How long to follow a growing feed, milliseconds, and for which share of the remaining time. */
const feedWithinMs = 8_000;
const feedShare = 1 / 3;

/** How long to wait for content beside the window, milliseconds. */
const acrossWithinMs = 10_000;

/** How soon after scrolling a feed asks for more, milliseconds: many feeds wait until the visitor stops. */
const asksWithinMs = 250;

/** The time limit for a turn of the wheel, milliseconds; it takes a frame. */
const turnWithinMs = 1_000;

/**
 * Scrolls through the page and back, so that lazy content loads and feeds grow. The resulting requests may still be in flight.
 */
export async function scrollThroughPage(page: CapturePage, height: number, deadline: Deadline): Promise<void> {
  const limits = { what: 'scrolling', limitMs: scrolling.budgetMs + 1_000, deadline };
  page.scrolledDocument = page.activity.document;
  const { requests } = page.activity;
  const reached = await bestEffort(runInPage(page, 'scrollThrough', scrolling, limits));
  if (reached === null) return;
  // Where the window does not scroll, the wheel turns to the next section or slide.
  if (reached.height > height) {
    await followFeed(page, { reached: reached.height, step: height, turn: 'turnWheel' }, deadline);
  } else if (reached.inner !== null && (await asksForMore(page, requests, deadline))) {
    // Its requests are in flight.
    await settle(page, 'auto', deadline, feedWithinMs);
    await followFeed(page, { reached: reached.inner, step: height, turn: 'scrollInner' }, deadline);
  }
}

/**
 * Scrolls down a page whose scripts may follow the scroll position, and back, unless it was scrolled before. This finds the
 * elements that the scripts change. Feeds are not followed.
 */
export async function scrollOnce(page: CapturePage, deadline: Deadline): Promise<void> {
  const { document } = page.activity;
  if (page.scrolledDocument === document || !(await followsScroll(page, deadline))) return;
  page.scrolledDocument = document;
  const limits = { what: 'scrolling', limitMs: scrolling.budgetMs + 1_000, deadline };
  const once = { ...scrolling, followedViewports: 0, maxScrollers: 0 };
  await bestEffort(runInPage(page, 'scrollThrough', once, limits));
}

/** Whether scripts of the page are notified of scrolling, or check the position in every frame. */
async function followsScroll(page: CapturePage, deadline: Deadline): Promise<boolean> {
  const { session } = page;
  const listens = async (expression: string) => {
    const { result } = await session.send('Runtime.evaluate', { expression });
    if (result.objectId === undefined) return false;
    const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId });
    return listeners.some(({ type }) => type === 'scroll');
  };
  const asking = Promise.all(['window', 'document'].map(listens)).then((found) => found.includes(true));
  if (await bestEffort(page.step('looking for listeners', turnWithinMs, deadline, asking))) return true;
  const reading = { what: 'looking for loops', limitMs: turnWithinMs, deadline };
  return (await bestEffort(runInPage(page, 'runsInFrames', page.workEvent, reading))) ?? false;
}

/** Scrolls across a page that is wider than its viewport, then waits for the content that loads in view. */
export async function scrollAcrossPage(
  page: CapturePage,
  deadline: Deadline,
  withinMs = acrossWithinMs,
): Promise<void> {
  const limits = { what: 'scrolling', limitMs: scrolling.budgetMs + 1_000, deadline };
  const end = performance.now() + withinMs;
  const stops = (await bestEffort(runInPage(page, 'scrollAcross', { budgetMs: scrolling.budgetMs }, limits))) ?? [];
  for (const left of stops) {
    if (performance.now() > end) break;
    await bestEffort(runInPage(page, 'scrollAside', { left }, limits));
    await settle(page, 'auto', deadline, end - performance.now());
  }
  await bestEffort(runInPage(page, 'scrollAside', { left: 0 }, limits));
  await settle(page, 'auto', deadline, Math.max(0, end - performance.now()));
}

/** Whether the page sends a request after the first `before` requests. */
function asksForMore(page: CapturePage, before: number, deadline: Deadline): Promise<boolean> {
  return waitUntil(page, { deadline, limitMs: asksWithinMs }, ({ requests }) => requests > before);
}

/** Turns the wheel at the end of the page, or scrolls to the end of its scroller, as long as the page grows. */
async function followFeed(
  page: CapturePage,
  { reached, step, turn: script }: { reached: number; step: number; turn: 'turnWheel' | 'scrollInner' },
  deadline: Deadline,
): Promise<void> {
  const { activity } = page;
  const turn = (deltaY: number) =>
    bestEffort(runInPage(page, script, deltaY, { what: 'scrolling', limitMs: turnWithinMs, deadline }));
  const end = performance.now() + Math.min(feedWithinMs, deadline.remainingMs() * feedShare);
  let known = reached;
  let turned = 0;
  for (let turns = 0; turns < scrolling.followedViewports && performance.now() < end; turns += 1) {
    const { requests } = activity;
    const height = await turn(step);
    turned += step;
    if (height === null || height > step * scrolling.followedViewports) break;
    const hasGrown = height > known;
    const isAsking = hasGrown ? await asksForMore(page, requests, deadline) : activity.requests > requests;
    if (!hasGrown && (turns > 0 || !isAsking)) break;
    if (isAsking) await settle(page, 'auto', deadline, end - performance.now());
    known = height;
  }
  // The wheel turns back up, for pages that scripts move.
  await turn(-turned);
}
