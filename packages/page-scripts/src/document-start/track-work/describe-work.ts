import { aheadMs, isWorking, now } from './clock.ts';
import { frames, intervals, timers, trackedAtMost } from './schedule.ts';
import { checkMs } from './track-timers.ts';
import { workerForMs } from './workers.ts';

/** The longest interval that counts as drawing frame by frame, milliseconds. */
const fastMs = 100;

/** When to drop an overdue timer whose callback is text, milliseconds: such a callback does not report that it ran. */
const overdueMs = 1_000;

/** Writes the page's scheduled work as JSON by hand, because pages change how `JSON.stringify` handles arrays. */
export function describeWork(): string {
  const { loops, everyMs, countsDown } = intervalsNow();
  const state = `"loops":${loops},"everyMs":${everyMs},"working":${isWorking()},"aheadMs":${aheadMs()}`;
  const more = `"countsDown":${countsDown},"workerForMs":${workerForMs()}`;
  return `{"timers":[${describeTimers()}],${state},${more}}`;
}

function describeTimers(): string {
  const at = now();
  let pending = '';
  let count = 0;
  for (const [id, { due, depth, opens = false }] of timers) {
    if (at - due > overdueMs) timers.delete(id);
    else if (count < trackedAtMost) {
      count += 1;
      pending += `${pending && ','}{"inMs":${due - at},"depth":${depth},"opens":${opens}}`;
    }
  }
  return pending;
}

function intervalsNow(): { loops: boolean; everyMs: number; countsDown: boolean } {
  let everyMs = 0;
  let loops = frames.size > 0;
  let countsDown = false;
  for (const interval of intervals.values()) {
    const { ms } = interval;
    if (ms > checkMs) countsDown ||= interval.countsDown;
    else if (ms <= fastMs) loops = true;
    else if (ms > everyMs) everyMs = ms;
  }
  return { loops, everyMs, countsDown };
}
