import type { Deadline } from '../deadline.ts';
import { maxPixelHeight, maxPixels } from '../limits.ts';
import { settle, waitForFrame } from '../wait/settle.ts';
import type { CapturePage } from './capture-page.ts';
import { freezeForeignSheets } from './freeze-sheets.ts';
import { hidesEnd, keepShown, rememberShown } from './grow/end-scripts.ts';
import { freezePage } from './grow/freeze-script.ts';
import { removeGaps } from './grow/gap-scripts.ts';
import { rememberDrawings, restoreDrawings } from './grow/keep-drawings.ts';
import { keepWindowHeights } from './grow/keep-heights.ts';
import { measurePage } from './grow/measure-script.ts';
import { announceScroll, notifyOfResize, silenceResize } from './grow/notify-scripts.ts';
import { placeElements } from './grow/place-script.ts';
import { placeTimelines } from './grow/place-timelines.ts';
import { repeatCanvases } from './grow/repeat-canvases.ts';
import { repeatPhotos } from './grow/repeat-photos.ts';
import { drawAllSections, returnStrays } from './grow/tall-page-scripts.ts';
import { bestEffort, runInPage } from './isolated-world.ts';
import { findFollowers, findScenes, following } from './scenes/find-scenes.ts';
import { placeScenes } from './scenes/place-scenes.ts';
import { watchScenes } from './scenes/watch-scenes.ts';
import { closeEmptyScroller } from './scroll/open-scroller.ts';
import { scrollAcrossPage, scrollOnce } from './scroll-through.ts';

const callWithinMs = 10_000;

/** How many elements are examined; more are far from anything that depends on the window's height. */
const elementsAtMost = 20_000;

/** How long the sizes of background images are waited for, milliseconds: they have arrived, and are read from memory. */
const imagesWithinMs = 500;

/** How many pixels a canvas that is repeated down the page may have, and copies of videos; each takes four bytes. */
const canvasPixels = 40_000_000;

/** How many elements the copies of fixed images have together. */
const copiedElements = 2_000;

/** How many canvases are copied, and how many pixels of them; each takes four bytes. */
const drawings = { canvases: 20, pixels: 10_000_000 };

/** A page that grows with its window (an endless feed) is followed for this many rounds and viewports. */
const followed = { rounds: 12, viewports: 20 };

/** How long a page is waited for as its viewport grows, milliseconds, and how much of the remaining time that may be. */
const growWithinMs = 12_000;
const growShare = 1 / 2;

/** A page follows its viewport if it grows by this share of what the viewport grew: scripts made a section of that height. */
const followsShare = 0.3;

/** Scripts that show what is in the upper half of the window show all of a page of half its height. */
const endRoom = 2;

/** How long what they show may take to appear, milliseconds. */
const endWithinMs = 1_500;

/** What is tied to the scroll position: how many elements are placed, and how they are watched in the visitor's window. */
const scenes = { atMost: 200, stops: 60, stopMs: 1_200, budgetMs: 6_000, layOutMs: 800 };

/** Pages wider than this, CSS pixels, and than four viewports, are wide by mistake: text moved out of sight by 9,999 pixels. */
const widest = { pixels: 9_000, viewports: 4 };

export interface PageScreen {
  width: number;
  height: number;
  device_scale_factor: number;
  is_mobile: boolean;
  /** How large Chromium draws the page meanwhile, default 1. Scripts and styles do not see it. */
  drawn_scale?: number;
  full_page?: boolean;
  scroll?: boolean;
}

/** The page with all that it shows, CSS pixels. */
export interface PageSize {
  width: number;
  height: number;
  /** How far it reaches to the left of where it starts: pages that are written from right to left. */
  left: number;
  /** Whether more than the window's width is worth showing. */
  isWide: boolean;
  /** How a phone scales a page without a mobile layout; else 1. */
  scale: number;
}

/**
 * Makes the viewport as tall as the page, so that everything is in view at once: frames of other sites are drawn, fixed
 * backgrounds reach the end, observers see all sections, lazy images load. Lengths and media queries that depend on the
 * window's height keep their values, and bars stay where a visitor finds them.
 */
export async function growViewport(page: CapturePage, screen: PageScreen, deadline: Deadline): Promise<PageSize> {
  const end = performance.now() + Math.min(growWithinMs, deadline.remainingMs() * growShare);
  const size = await measure(page, screen, deadline);
  if (size.isWide) await scrollAcrossPage(page, deadline, end - performance.now());
  const limitHeight = tallestOf(screen);
  if (size.height * size.scale <= screen.height) return size;
  if (size.height > limitHeight) {
    await bestEffort(
      runInPage(page, drawAllSections, { elements: elementsAtMost }, limits('drawing sections', deadline)),
    );
    await announce(page, deadline, end);
    await placeAnimations(page, screen, deadline);
    return measure(page, screen, deadline);
  }
  // Not where the client has asked for no scrolling.
  if (!screen.full_page || screen.scroll !== false) await scrollOnce(page, deadline);
  const followers = { ...following, workEvent: page.workEvent };
  await bestEffort(runInPage(page, findFollowers, followers, limits('finding scenes', deadline)));
  const keeping = limits('keeping drawings', deadline);
  await bestEffort(runInPage(page, rememberDrawings, drawings, keeping));
  await bestEffort(freeze(page, deadline));
  const most = Math.min(limitHeight, Math.max(size.height, screen.height * followed.viewports));
  let [before, grown] = [screen.height, screen.height];
  let growths = 0;
  let isChecked = false;
  for (let round = 0; round < followed.rounds && performance.now() < end; round += 1) {
    const { height, windowHeight, endsEarly, squeezes } = await measure(page, screen, deadline);
    // A phone shows a page that is too wide for it in a window that is taller by as much.
    const share = grown / windowHeight;
    // Rounded down: a viewport that is a fraction taller than the page would make the page taller.
    const inViewport = (pixels: number) => Math.floor(Math.min(pixels, most) * share);
    const wanted = inViewport(height);
    const isFeed = growths > 1;
    const follows = growths > 0 && wanted - grown > (grown - before) * followsShare;
    if (!isChecked && growths > 0 && (follows || endsEarly || squeezes)) {
      // A feed grows too, but is no shorter in the first viewport.
      isChecked = true;
      await layOut(page, screen, deadline);
      await waitForFrame(page, deadline);
      await settle(page, 'auto', deadline, end - performance.now());
      grown = inViewport((await measure(page, screen, deadline)).height);
      if (squeezes || (follows && grown < wanted)) await bestEffort(keepHeights(page, deadline));
      await growTo(page, screen, grown, deadline);
    } else if (wanted > grown) {
      growths += 1;
      [before, grown] = [grown, wanted];
      await growTo(page, screen, grown, deadline);
    } else if (isFeed && wanted < most * share) {
      // A feed that was at work when it was notified is notified again.
      growths = 0;
    } else {
      break;
    }
    await announce(page, deadline, end);
    await bestEffort(runInPage(page, placeElements, null, limits('placing elements', deadline)));
  }
  const closing = limits('closing a scroller', deadline);
  if (grown > screen.height && (await bestEffort(runInPage(page, closeEmptyScroller, null, closing)))) {
    grown = screen.height;
    await growTo(page, screen, grown, deadline);
    await announce(page, deadline, Math.max(end, performance.now() + endWithinMs));
  }
  if (grown > screen.height) {
    const areWatched = await watchScrolled(page, screen, grown, { deadline, end });
    if (areWatched !== 'shown') await showEnd(page, screen, grown, { deadline, end });
    if (areWatched === true) await bestEffort(runInPage(page, placeScenes, null, limits('placing scenes', deadline)));
    if (size.scale === 1) await closeGaps(page, screen, { grown, trims: areWatched === true }, deadline);
    await bestEffort(runInPage(page, restoreDrawings, null, keeping));
    const repeating = limits('repeating canvases', deadline);
    await bestEffort(runInPage(page, repeatCanvases, { pixels: canvasPixels }, repeating));
    const copying = { elements: copiedElements, pixels: canvasPixels, imagesWithinMs };
    await bestEffort(runInPage(page, repeatPhotos, copying, limits('repeating photos', deadline)));
  }
  await placeAnimations(page, screen, deadline);
  return measure(page, screen, deadline);
}

/** What is taller fits no image: paper shows it without its viewport having grown. CSS pixels. */
export function tallestOf({ width, device_scale_factor: scale }: Omit<PageScreen, 'height'>): number {
  return Math.min(maxPixelHeight / scale, maxPixels / (width * scale ** 2));
}

/**
 * Shows what scripts hide near the end of the page: many show only what is in the upper part of the window. The window is
 * twice as tall for a moment, and the page is not notified of its return.
 */
async function showEnd(
  page: CapturePage,
  screen: PageScreen,
  grown: number,
  { deadline, end, isHidden = false }: { deadline: Deadline; end: number; isHidden?: boolean },
): Promise<boolean> {
  const limit = maxPixels / (screen.width * screen.device_scale_factor ** 2);
  if (grown * endRoom > limit || performance.now() > end) return false;
  const looking = limits('looking at the end', deadline);
  const hides = isHidden || (await bestEffort(runInPage(page, hidesEnd, { elements: elementsAtMost }, looking)));
  if (!hides) return false;
  await bestEffort(runInPage(page, rememberShown, { elements: elementsAtMost }, looking));
  await growTo(page, screen, grown * endRoom, deadline);
  await announce(page, deadline, Math.min(end, performance.now() + endWithinMs));
  const { workEvent } = page;
  await bestEffort(runInPage(page, silenceResize, { workEvent }, limits('silencing the page', deadline)));
  await growTo(page, screen, grown, deadline);
  await settle(page, 'auto', deadline, Math.min(end - performance.now(), endWithinMs));
  await bestEffort(runInPage(page, keepShown, null, limits('keeping what was shown', deadline)));
  return true;
}

/**
 * Remembers what scripts tie to the scroll position as a visitor sees it when it is complete: a window as tall as the page is
 * never scrolled. Only pages on which something stands between its start and its end are scrolled through again.
 *
 * @returns whether they were, or `shown` if it was enough to show the end of the page.
 */
async function watchScrolled(
  page: CapturePage,
  screen: PageScreen,
  grown: number,
  { deadline, end }: { deadline: Deadline; end: number },
): Promise<boolean | 'shown'> {
  const { atMost, layOutMs, ...watching } = scenes;
  if (end - performance.now() < layOutMs * 2) return false;
  const find = () => bestEffort(runInPage(page, findScenes, { atMost }, limits('finding scenes', deadline)));
  const found = await find();
  if (!found?.found) return false;
  if (found.areHidden && (await showEnd(page, screen, grown, { deadline, end, isHidden: true }))) {
    if ((await find())?.found === 0) return 'shown';
    const { workEvent } = page;
    await bestEffort(runInPage(page, notifyOfResize, { workEvent }, limits('notifying the page', deadline)));
  }
  const leftMs = end - performance.now();
  if (leftMs < layOutMs * 2) return false;
  await layOut(page, screen, deadline);
  await waitForFrame(page, deadline);
  await settle(page, 'auto', deadline, layOutMs);
  const budgetMs = Math.min(watching.budgetMs, leftMs - layOutMs);
  const input = { ...watching, budgetMs, height: grown, workEvent: page.workEvent };
  await bestEffort(runInPage(page, watchScenes, input, limits('watching scenes', deadline)));
  await growTo(page, screen, grown, deadline);
  // What appears when it comes into view has gone, and comes again.
  await announce(page, deadline, Math.max(end, performance.now() + endWithinMs));
  await bestEffort(runInPage(page, placeElements, null, limits('placing elements', deadline)));
  return true;
}

/** Removes the distances that scenes are scrolled for: a visitor never sees them empty. */
async function closeGaps(
  page: CapturePage,
  screen: PageScreen,
  { grown, trims }: { grown: number; trims: boolean },
  deadline: Deadline,
): Promise<void> {
  const input = { elements: elementsAtMost, windowHeight: screen.height, trims };
  const gaps = await bestEffort(runInPage(page, removeGaps, input, limits('closing gaps', deadline)));
  if (!gaps) return;
  const { workEvent } = page;
  await bestEffort(runInPage(page, silenceResize, { workEvent }, limits('silencing the page', deadline)));
  await growTo(page, screen, Math.max(screen.height, Math.ceil(grown - gaps)), deadline);
  await waitForFrame(page, deadline);
}

/** Fixes what depends on the height of the viewport. */
export async function freeze(page: CapturePage, deadline: Deadline): Promise<void> {
  const input = { elements: elementsAtMost, imagesWithinMs };
  const urls = await runInPage(page, freezePage, input, limits('freezing lengths', deadline));
  if (urls.length > 0) await freezeForeignSheets(page, urls, deadline);
}

function limits(what: string, deadline: Deadline): { what: string; limitMs: number; deadline: Deadline } {
  return { what, limitMs: callWithinMs, deadline };
}

/** Lets scripts react to the new size, and waits for what they show. */
async function announce(page: CapturePage, deadline: Deadline, end: number): Promise<void> {
  await waitForFrame(page, deadline);
  await bestEffort(runInPage(page, announceScroll, null, limits('announcing the size', deadline)));
  await settle(page, 'auto', deadline, end - performance.now());
}

async function growTo(page: CapturePage, screen: PageScreen, height: number, deadline: Deadline): Promise<void> {
  await layOut(page, { ...screen, height }, deadline);
  await bestEffort(runInPage(page, placeElements, null, limits('placing elements', deadline)));
}

/** Puts animations that follow the scroll position where a visitor reads. */
export async function placeAnimations(
  page: CapturePage,
  { height }: Pick<PageScreen, 'height'>,
  deadline: Deadline,
): Promise<void> {
  const placing = limits('placing animations', deadline);
  const input = { windowHeight: height, elements: elementsAtMost };
  await bestEffort(runInPage(page, placeTimelines, input, placing));
}

async function keepHeights(page: CapturePage, deadline: Deadline): Promise<void> {
  const keeping = page.session.send('Runtime.evaluate', { expression: `(${keepWindowHeights})()` });
  await page.step('keeping heights', callWithinMs, deadline, keeping);
}

async function layOut(page: CapturePage, screen: PageScreen, deadline: Deadline): Promise<void> {
  const { width, height, device_scale_factor: deviceScaleFactor, is_mobile: mobile, drawn_scale: scale = 1 } = screen;
  const metrics = { width, height, deviceScaleFactor, mobile, scale };
  const laying = page.session.send('Emulation.setDeviceMetricsOverride', metrics);
  await page.step('growing the viewport', callWithinMs, deadline, laying);
}

async function measure(
  page: CapturePage,
  screen: PageScreen,
  deadline: Deadline,
): Promise<PageSize & { windowHeight: number; endsEarly: boolean; squeezes: boolean }> {
  const measuring = limits('measuring the page', deadline);
  const read = () => runInPage(page, measurePage, null, measuring);
  let measured = await read();
  if (measured.height > tallestOf(screen)) {
    await bestEffort(runInPage(page, returnStrays, { elements: elementsAtMost }, measuring));
    measured = await read();
  }
  const { viewport, width, ...size } = measured;
  const isWide = width > viewport && width <= Math.max(viewport * widest.viewports, widest.pixels);
  return { ...size, height: Math.ceil(size.height), isWide, width: isWide ? width : screen.width / size.scale };
}
