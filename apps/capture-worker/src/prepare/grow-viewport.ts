import { documentStart } from '@capture/page-scripts/scripts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort } from '../page/isolated-world.ts';
import { scrollAcrossPage, scrollOnce } from './scroll-through.ts';
import { runSteps } from './step.ts';
import { steps } from './steps.ts';
import { type PageScreen, type PageSize, TallPage, tallestOf } from './tall-page.ts';

const callWithinMs = 10_000;

/** A page that grows with its window (an endless feed) is followed for this many rounds and viewports. */
const followed = { rounds: 12, viewports: 20 };

/** How long a page is waited for as its viewport grows, milliseconds, and how much of the remaining time that may be. */
const growWithinMs = 12_000;
const growShare = 1 / 2;

/** A page follows its viewport if it grows by this share of what the viewport grew: scripts made a section of that height. */
const followsShare = 0.3;

/**
 * Makes the viewport as tall as the page, so that everything is in view at once: frames of other sites are drawn, fixed
 * backgrounds reach the end, observers see all sections, lazy images load. The steps see to it that lengths and media queries
 * that depend on the window's height keep their values, and that bars stay where a visitor finds them.
 */
export async function growViewport(page: CapturePage, screen: PageScreen, deadline: Deadline): Promise<PageSize> {
  const end = performance.now() + Math.min(growWithinMs, deadline.remainingMs() * growShare);
  const place = (each: TallPage) => runSteps(steps, 'apply', each);
  const tall = new TallPage(page, screen, { deadline, end, place });
  tall.size = await tall.measure();
  if (tall.size.isWide) await scrollAcrossPage(page, deadline, tall.leftMs);
  if (tall.size.height * tall.size.scale <= screen.height) return tall.size;
  // Not where the client has asked for no scrolling.
  const mayScroll = !screen.full_page || screen.scroll !== false;
  if (!tall.isTooTall && mayScroll) await scrollOnce(page, deadline);
  await runSteps(steps, 'record', tall);
  if (tall.isTooTall) await tall.announce(end);
  else await growWithPage(tall);
  await runSteps(steps, 'finish', tall);
  return tall.measure();
}

/** Gives the viewport the height of the page, again as long as the page grows with its viewport. */
async function growWithPage(tall: TallPage): Promise<void> {
  const { screen, size } = tall;
  const most = Math.min(tallestOf(screen), Math.max(size.height, screen.height * followed.viewports));
  let before = screen.height;
  let growths = 0;
  let isChecked = false;
  for (let round = 0; round < followed.rounds && tall.leftMs > 0; round += 1) {
    const { height, windowHeight, endsEarly, squeezes } = await tall.measure();
    // A phone shows a page that is too wide for it in a window that is taller by as much.
    const share = tall.grown / windowHeight;
    // Rounded down: a viewport that is a fraction taller than the page would make the page taller.
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
      // A feed that was at work when it was notified is notified again.
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
