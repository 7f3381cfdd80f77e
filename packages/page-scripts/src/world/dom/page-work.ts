import type { ScheduledWork } from '../../document-start/track-work/scheduled-work.ts';
import { isDocument, type Root } from './page-roots.ts';

const timersAtMost = 20;

/**
 * The longest interval that `trackWork` reports, milliseconds. The limit applies here too, because a page may forge the reply.
 */
const longestCheckMs = 300;

/** Reads the work that the scripts of the page, and of its readable frames, have scheduled. */
export function readWork(roots: readonly Root[], workEvent: string): ScheduledWork {
  const work: ScheduledWork = {
    timers: [],
    loops: false,
    everyMs: 0,
    working: false,
    aheadMs: 0,
    countsDown: false,
    workerForMs: 0,
  };
  const read = (reply: Event) => {
    try {
      add(work, JSON.parse(String((reply as CustomEvent).detail)) as ScheduledWork, reply.target === document);
    } catch {
      // The page has replaced functions that this script uses.
    }
  };
  for (const root of roots.filter(isDocument)) {
    root.addEventListener(`${workEvent}-reply`, read, { once: true });
    root.dispatchEvent(new CustomEvent(workEvent));
    root.removeEventListener(`${workEvent}-reply`, read);
  }
  work.timers.sort((one, other) => one.inMs - other.inMs);
  return work;
}

/** Adds the reply of one document, which may have values of any type. */
function add(work: ScheduledWork, reply: ScheduledWork, isOfPage: boolean): void {
  if (isOfPage) work.aheadMs = Number(reply.aheadMs) || 0;
  const timers = reply.timers.map(({ inMs, depth, opens }) => ({
    inMs: Number(inMs),
    depth: Number(depth),
    opens: opens === true,
  }));
  work.timers.push(...timers.sort((one, other) => one.inMs - other.inMs).slice(0, timersAtMost));
  work.loops ||= reply.loops === true;
  work.working ||= reply.working === true;
  work.countsDown ||= reply.countsDown === true;
  work.everyMs = Math.min(longestCheckMs, Math.max(work.everyMs, Number(reply.everyMs) || 0));
  work.workerForMs = Math.max(work.workerForMs, Number(reply.workerForMs) || 0);
}

/** Hurries the page's clock for so long, milliseconds; 0 ends that. */
export function hurry(workEvent: string, forMs: number): void {
  document.dispatchEvent(new CustomEvent(workEvent, { detail: String(forMs) }));
}
