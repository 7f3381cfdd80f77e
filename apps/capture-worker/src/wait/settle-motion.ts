import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { framesToShow } from './settle-document.ts';

/** How long a look may take, milliseconds: a frame takes 17, longer on busy pages. */
const lookWithinMs = 1_000;

/** How often to advance animations: the end of one may start the next. */
const maxRounds = 5;

/** Advances finite animations to their end, and animations that then start, and draws the result. */
export async function settleMotion(page: CapturePage, deadline: Deadline): Promise<void> {
  const input = {
    workEvent: page.workEvent,
    urls: [],
    refreshHeader: null,
    assess: false,
    idleWithinMs: 100,
    afterFrames: framesToShow,
    hurriedFrames: 0,
    endlessWaits: page.endlessWaits,
  };
  const limits = { what: 'finishing animations', limitMs: lookWithinMs, deadline };
  for (let round = 0; round < maxRounds; round += 1) {
    const view = await bestEffort(runInPage(page, 'look', input, limits));
    if (!view?.advanced) return;
  }
}

/** Whether the page may have moved since it settled: `auto` also settles motion, other waits and `delay_ms` do not. */
export function hasActed({
  wait_until: waitUntil,
  delay_ms: delayMs,
  wait_for_selector: selector,
}: PageRequest): boolean {
  return waitUntil !== 'auto' || delayMs > 0 || selector !== undefined;
}
