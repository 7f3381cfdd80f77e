import type { TallPage } from './tall-page.ts';

/** How long elements may take to appear in a shorter window, milliseconds. */
const appearsWithinMs = 1_500;

/** Closes a scroller that scripts do not fill, and the viewport with it. */
export async function closeEmptyScroller(tall: TallPage): Promise<void> {
  if (!(await tall.call('closeEmptyScroller', null))) return;
  tall.grown = tall.screen.height;
  await tall.growTo(tall.grown);
  await tall.announce(Math.max(tall.end, performance.now() + appearsWithinMs));
}

/** Removes the distances along which scenes scroll: a visitor never sees them empty. */
export async function closeGaps(tall: TallPage): Promise<void> {
  const { page, screen, grown, scenes } = tall;
  const gaps = await tall.call('removeGaps', { windowHeight: screen.height, trims: scenes === 'watched' });
  if (!gaps) return;
  await tall.call('silenceResize', page.workEvent);
  await tall.growTo(Math.max(screen.height, Math.ceil(grown - gaps)));
  await tall.frame();
}
