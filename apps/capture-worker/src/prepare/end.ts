import { maxPixels } from '../limits.ts';
import type { TallPage } from './tall-page.ts';

/** Scripts that show what is in the upper half of the window show all of a page of half its height. */
const endRoom = 2;

/** How long the end may take to appear, milliseconds. */
const appearsWithinMs = 1_500;

/** Whether a window that is twice as tall as the page is within the limits, and the end was not shown yet. */
export function hasRoomForEnd({ screen, grown, hasGrown, scenes }: TallPage): boolean {
  const limit = maxPixels / (screen.width * screen.device_scale_factor ** 2);
  return hasGrown && scenes !== 'shown' && grown * endRoom <= limit;
}

/** Shows what scripts hide near the end of the page: many show only what is in the upper part of the window. */
export async function showEnd(tall: TallPage): Promise<void> {
  if (tall.leftMs >= 0 && (await tall.call('hidesEnd', null))) await showHiddenEnd(tall);
}

/**
 * Makes the window twice as tall for a moment. The page is not notified of its return.
 *
 * @returns whether there was room and time for it.
 */
export async function showHiddenEnd(tall: TallPage): Promise<boolean> {
  const { grown, page } = tall;
  if (!hasRoomForEnd(tall) || tall.leftMs < 0) return false;
  await tall.call('recordShown', null);
  await tall.growTo(grown * endRoom);
  await tall.announce(Math.min(tall.end, performance.now() + appearsWithinMs));
  await tall.call('silenceResize', page.workEvent);
  await tall.growTo(grown);
  await tall.settle(Math.min(tall.leftMs, appearsWithinMs));
  await tall.call('applyShown', null);
  return true;
}
