import { maxPixels } from '../limits.ts';
import type { TallPage } from './tall-page.ts';

/**
 * The window's height as a multiple of the page's: scripts that show only the upper half of the window then show all of the page.
 */
const endRoom = 2;

/** How long the end may take to appear, milliseconds. */
const appearsWithinMs = 1_500;

/** Whether a window twice as tall as the page is within the limits, and no earlier step has shown the end. */
export function hasRoomForEnd({ screen, grown, hasGrown, scenes }: TallPage): boolean {
  const limit = maxPixels / (screen.width * screen.device_scale_factor ** 2);
  return hasGrown && scenes !== 'shown' && grown * endRoom <= limit;
}

/** Shows content that scripts hide near the end of the page: many show only the upper part of the window. */
export async function showEnd(tall: TallPage): Promise<void> {
  if (tall.leftMs >= 0 && (await tall.call('hidesEnd', null))) await showHiddenEnd(tall);
}

/**
 * Makes the window twice as tall for a moment. The page is not notified when the window shrinks again.
 *
 * @returns whether there was room and time.
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
