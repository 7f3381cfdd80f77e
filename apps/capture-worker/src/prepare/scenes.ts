import { showHiddenEnd } from './end.ts';
import type { TallPage } from './tall-page.ts';

/** How long to watch scenes at most, and how long to wait for the page in the visitor's window, milliseconds. */
const watching = { budgetMs: 6_000, layOutMs: 800 };

/** How long elements that appear in view may take to appear again, milliseconds. */
const appearsWithinMs = 1_500;

/**
 * Records the elements that scripts tie to the scroll position in the complete state that a visitor sees, because a window as
 * tall as the page is never scrolled. Scrolls again only through pages with elements between their start and end states.
 */
export async function watchScenes(tall: TallPage): Promise<void> {
  const { page, grown } = tall;
  const isTime = () => tall.leftMs >= watching.layOutMs * 2;
  if (!isTime()) return;
  const found = await tall.call('findScenes', null);
  if (!found?.found) return;
  if (found.areHidden && (await showHiddenEnd(tall))) {
    if ((await tall.call('findScenes', null))?.found === 0) {
      tall.scenes = 'shown';
      return;
    }
    await tall.call('notifyOfResize', page.workEvent);
  }
  if (!isTime()) return;
  const budgetMs = Math.min(watching.budgetMs, tall.leftMs - watching.layOutMs);
  await tall.showAsVisited(watching.layOutMs);
  await tall.call('watchScenes', { workEvent: page.workEvent, budgetMs, height: grown });
  await tall.growTo(grown);
  await tall.announce(Math.max(tall.end, performance.now() + appearsWithinMs));
  await tall.place();
  tall.scenes = 'watched';
}
