/// <reference lib="dom" />
import type { ScheduledWork } from '../track-work.ts';
import type { LookInput } from './look.ts';
import type { PageRoots } from './page-roots.ts';

/** See `scheduledWork`. */
export type WorkReader = ReturnType<typeof scheduledWork>;

/** Reads what `trackWork` knows. Part of `look`. */
export function scheduledWork({
  input: { workEvent },
  page: { roots, isDocument },
}: {
  input: LookInput;
  page: PageRoots;
}) {
  return { readWork };

  /** Of the page and of its frames that can be read. */
  function readWork(): ScheduledWork {
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
        const found = JSON.parse(String((reply as CustomEvent).detail)) as ScheduledWork;
        if (reply.target === document) work.aheadMs = Number(found.aheadMs) || 0;
        const timers = found.timers.map(({ inMs, depth, opens }) => ({
          ...{ inMs: Number(inMs), depth: Number(depth) },
          opens: opens === true,
        }));
        work.timers.push(...timers.sort((one, other) => one.inMs - other.inMs).slice(0, 20));
        work.loops ||= found.loops === true;
        work.working ||= found.working === true;
        work.countsDown ||= found.countsDown === true;
        // Longer intervals are not tracked.
        work.everyMs = Math.min(300, Math.max(work.everyMs, Number(found.everyMs) || 0));
        work.workerForMs = Math.max(work.workerForMs, Number(found.workerForMs) || 0);
      } catch {
        // The page has replaced what our script uses.
      }
    };
    for (const root of roots().filter(isDocument)) {
      root.addEventListener(`${workEvent}-reply`, read, { once: true });
      root.dispatchEvent(new CustomEvent(workEvent));
      root.removeEventListener(`${workEvent}-reply`, read);
    }
    work.timers.sort((one, other) => one.inMs - other.inMs);
    return work;
  }
}
