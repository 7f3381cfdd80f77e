import type { Deadline } from '../deadline.ts';
import type { CapturePage } from './capture-page.ts';
import { bestEffort, runInPage } from './isolated-world.ts';
import { decodeImages } from './page-scripts.ts';
import { scrollThrough } from './scroll-scripts.ts';
import { waitForFrame } from './settle.ts';
import { waitUntil } from './wait-until.ts';

const scrolling = {
  /** One viewport a frame (17 ms): 29 frames for a page of 20,000 pixels. A page that draws slowly is left off here. */
  budgetMs: 5_000,
  /**
   * A page that grows while it is scrolled is followed this many viewports down, so that a feed without an end has one. A
   * page that is longer from the start is scrolled to its end.
   */
  followedViewports: 20,
  scrollersAtMost: 10,
};

/** What scrolling has set off (images, the next articles) is waited for so long, milliseconds. */
const imagesWithinMs = 3_000;

/**
 * Scrolls through the page and back, so that what loads or appears when it comes into view is there, and then waits for
 * what that has set off.
 */
export async function scrollThroughPage(page: CapturePage, deadline: Deadline): Promise<void> {
  // What did not come before will not come now.
  const hanging = page.activity.inFlight;
  const limits = { what: 'scrolling', limitMs: scrolling.budgetMs + 1_000, deadline };
  await bestEffort(runInPage(page, scrollThrough, scrolling, limits));
  await waitForRevealed(page, hanging, deadline);
}

/**
 * Waits for what a move of the page has set off, and until it can be drawn.
 *
 * @param hanging how many requests were in flight before.
 */
export async function waitForRevealed(page: CapturePage, hanging: number, deadline: Deadline): Promise<void> {
  await waitUntil(page, { deadline, limitMs: imagesWithinMs }, ({ inFlight }) => inFlight <= hanging);
  await bestEffort(runInPage(page, decodeImages, null, { what: 'decoding images', limitMs: imagesWithinMs, deadline }));
  await waitForFrame(page, deadline);
}
