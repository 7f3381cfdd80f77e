import { documentStart } from '@capture/page-scripts/scripts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort } from '../page/isolated-world.ts';
import { scrollAcrossPage, scrollOnce } from './scroll-through.ts';
import { runSteps } from './step.ts';
import { steps } from './steps.ts';
import { type PageScreen, type PageSize, TallPage, tallestOf } from './tall-page.ts';

const callWithinMs = 10_000;

/** How many rounds and viewports to follow a page that grows with its window (an endless feed). */
const followed = { rounds: 12, viewports: 20 };

/** How long to wait for a page while its viewport grows, milliseconds, and for which share of the remaining time. */
const growWithinMs = 12_000;
const growShare = 1 / 2;

/** A page follows its viewport if it grows by this share of the viewport's growth: scripts made a section of that height. */
const followsShare = 0.3;

/**
 * Makes the viewport as tall as the page, so that everything is in view at once: Chromium draws frames of other sites, fixed
 * backgrounds reach the end, observers see all sections, lazy images load. The steps keep the values of lengths and media queries
 * that depend on the window's height, and the bars where a visitor finds them.
 */
export async function growViewport(page: CapturePage, screen: PageScreen, deadline: Deadline): Promise<PageSize> {
  const end = performance.now() + Math.min(growWithinMs, deadline.remainingMs() * growShare);
  const place = (each: TallPage) => runSteps(steps, 'apply', each);
  const tall = new TallPage(page, screen, { deadline, end, place });
  tall.size = await tall.measure();
  if (tall.size.isWide) await scrollAcrossPage(page, deadline, tall.leftMs);
  if (tall.size.height * tall.size.scale <= screen.height) return tall.size;
  // The client may have asked for no scrolling.
  const mayScroll = !screen.full_page || screen.scroll !== false;
  if (!tall.isTooTall && mayScroll) await scrollOnce(page, deadline);
  await runSteps(steps, 'record', tall);
  if (tall.isTooTall) await tall.announce(end);
  else await growWithPage(tall);
  await runSteps(steps, 'finish', tall);
  return tall.measure();
}

/** Gives the viewport the height of the page, and repeats that while the page grows with its viewport. */
async function growWithPage(tall: TallPage): Promise<void> {
  const { screen, size } = tall;
  const most = Math.min(tallestOf(screen), Math.max(size.height, screen.height * followed.viewports));
  let before = screen.height;
  let growths = 0;
  let isChecked = false;
  for (let round = 0; round < followed.rounds && tall.leftMs > 0; round += 1) {
    const { height, windowHeight, endsEarly, squeezes } = await tall.measure();
    // A phone enlarges the window for a page that is too wide, by the same factor.
    const share = tall.grown / windowHeight;
    // The height is rounded down: a viewport that is a fraction taller than the page would make the page taller.
    const inViewport = (pixels: number) => Math.floor(Math.min(pixels, most) * share);
    const wanted = inViewport(height);
    const isFeed = growths > 1;
    const follows = growths > 0 && wanted - tall.grown > (tall.grown - before) * followsShare;
    if (!isChecked && growths > 0 && (follows || endsEarly || squeezes)) {
      // A feed grows too, but is no shorter in the first viewport.
      isChecked = true;
      await tall.showAsVisited(tall.leftMs);
      tall.grown = inViewport((await tall.measure()).height);
      if (squeezes || (follows && tall.grown < wanted)) await keepHeights(tall);
      await tall.growTo(tall.grown);
    } else if (wanted > tall.grown) {
      growths += 1;
      [before, tall.grown] = [tall.grown, wanted];
      await tall.growTo(wanted);
    } else if (isFeed && wanted < most * share) {
      // A feed that was busy when it was notified is notified again.
      growths = 0;
    } else {
      break;
    }
    await tall.announce(tall.end);
    await tall.place();
  }
}

/** Keeps the heights that the page's scripts read from the window. */
async function keepHeights({ page, deadline }: TallPage): Promise<void> {
  const expression = documentStart('keep-window-heights', null);
  const keeping = page.session.send('Runtime.evaluate', { expression });
  await bestEffort(page.step('keeping heights', callWithinMs, deadline, keeping));
}
