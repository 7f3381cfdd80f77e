import type { Deadline } from '../deadline.ts';
import type { CapturePage } from './capture-page.ts';
import { bestEffort, runInPage } from './isolated-world.ts';
import { decodeImages } from './page-scripts.ts';
import { scrollThrough } from './scroll-scripts.ts';
import { waitForFrame } from './settle.ts';
import { waitUntil } from './wait-until.ts';

const scrolling = {
  /** One viewport per frame (17 ms): 29 frames for a page of 20,000 pixels. Pages that draw slowly are cut short. */
  budgetMs: 5_000,
  /**
   * A page that grows while it is scrolled is followed for this many viewports, which limits endless feeds. A page that is
   * longer from the start is scrolled to its end.
   */
  followedViewports: 20,
  maxScrollers: 10,
};

/** How long to wait for what scrolling has triggered (images, more articles), milliseconds. */
const imagesWithinMs = 3_000;

/** Scrolls through the page and back, so that lazy content loads, and waits for that content. */
export async function scrollThroughPage(page: CapturePage, deadline: Deadline): Promise<void> {
  // Requests that were pending before are not waited for.
  const pending = page.activity.inFlight;
  const limits = { what: 'scrolling', limitMs: scrolling.budgetMs + 1_000, deadline };
  await bestEffort(runInPage(page, scrollThrough, scrolling, limits));
  await waitForRevealed(page, pending, deadline);
}

/**
 * Waits for the requests that scrolling has triggered, and until their images are decoded.
 *
 * @param pending how many requests were in flight before.
 */
export async function waitForRevealed(page: CapturePage, pending: number, deadline: Deadline): Promise<void> {
  await waitUntil(page, { deadline, limitMs: imagesWithinMs }, ({ inFlight }) => inFlight <= pending);
  await bestEffort(runInPage(page, decodeImages, null, { what: 'decoding images', limitMs: imagesWithinMs, deadline }));
  await waitForFrame(page, deadline);
}
