import { invoke, wrap } from '../page-world/wrap.ts';
import { aheadMs, forget, isHurried, nativeId, now } from './clock.ts';
import { holdable, skippable } from './hold.ts';
import { opensPage } from './opens-page.ts';
import { frames, intervals, type TrackedInterval, type TrackedTimer, timers, trackedAtMost } from './schedule.ts';

/** The longest delay of a timer that is tracked, milliseconds. */
const longestMs = 5_000;

/** The longest interval that counts as checking, and the longest whose first run delays the capture, milliseconds. */
export const checkMs = 300;
const tickMs = 1_500;

const { Number: number } = globalThis;

/** The number of timers in a row that led to the code that runs now. */
let depth = 0;
/** The time of the last animation frame, by the page's clock. */
let frameAt = 0;

export function trackTimers(): void {
  wrap(globalThis, 'setTimeout', setTimer);
  wrap(globalThis, 'requestIdleCallback', setIdleCallback);
  const { Scheduler } = globalThis as { Scheduler?: { prototype: object } };
  if (Scheduler) wrap(Scheduler.prototype, 'postTask', postTask);
  wrap(globalThis, 'setInterval', startInterval);
  for (const name of ['clearTimeout', 'clearInterval']) wrap(globalThis, name, clearTimer);
  wrap(globalThis, 'cancelIdleCallback', (target, self, args) => {
    timers.delete(`idle ${args[0]}`);
    return invoke(target, self, args);
  });
  wrap(globalThis, 'requestAnimationFrame', requestFrame);
  wrap(globalThis, 'cancelAnimationFrame', (target, self, args) => {
    frames.delete(args[0]);
    return invoke(target, self, args);
  });
}

/** Wraps the callback of a timer so that it drops the timer when it runs, and counts the timers that it sets. */
function tracked(callback: unknown, entry: { id?: unknown; depth: number }): unknown {
  return typeof callback !== 'function'
    ? callback
    : function run(this: unknown, ...args: unknown[]) {
        timers.delete(entry.id);
        forget(entry.id);
        const before = depth;
        depth = entry.depth;
        try {
          return invoke(callback, this, args);
        } finally {
          depth = before;
        }
      };
}

function setTimer(target: unknown, self: unknown, [given, delay, ...more]: unknown[]): unknown {
  const callback = holdable(given);
  const ms = number(delay) || 0;
  if (ms > longestMs || timers.size >= trackedAtMost) return invoke(target, self, [callback, delay, ...more]);
  const entry: { id?: unknown; depth: number } = { depth: depth + 1 };
  const run = tracked(callback, entry);
  entry.id = invoke(target, self, [run, delay, ...more]);
  const timer: TrackedTimer = {
    // Browsers do this too, so that timers without a delay let time pass.
    due: now() + (ms < 4 && depth > 4 ? 4 : ms),
    depth: entry.depth,
    // The wait covers shorter timers anyway.
    opens: ms >= tickMs && opensPage(given),
  };
  if (typeof run === 'function') timer.run = () => invoke(run, globalThis, more);
  timers.set(entry.id, timer);
  return entry.id;
}

function setIdleCallback(target: unknown, self: unknown, [given, ...more]: unknown[]): unknown {
  const entry: { id?: unknown; depth: number } = { depth: depth + 1 };
  const id = invoke(target, self, [tracked(holdable(given), entry), ...more]);
  entry.id = `idle ${id}`;
  if (timers.size < trackedAtMost) timers.set(entry.id, { due: now(), depth: entry.depth });
  return id;
}

function postTask(target: unknown, self: unknown, [given, options, ...more]: unknown[]): unknown {
  const callback = holdable(given);
  const ms = number((options as { delay?: number } | undefined)?.delay) || 0;
  if (ms > longestMs || timers.size >= trackedAtMost) return invoke(target, self, [callback, options, ...more]);
  const entry = { id: {}, depth: depth + 1 };
  timers.set(entry.id, { due: now() + ms, depth: entry.depth });
  return invoke(target, self, [tracked(callback, entry), options, ...more]);
}

function startInterval(target: unknown, self: unknown, [callback, delay, ...more]: unknown[]): unknown {
  const ms = number(delay) || 0;
  const run = skippable(callback);
  if (intervals.size >= trackedAtMost || ms > tickMs) return invoke(target, self, [run, delay, ...more]);
  const interval: TrackedInterval = { due: now() + ms, ms, countsDown: ms > checkMs && opensPage(callback) };
  const runs = typeof run === 'function';
  if (runs) {
    interval.run = () => {
      timers.delete(id);
      invoke(run, globalThis, more);
    };
  }
  // While the clock is hurried, the clock runs the interval.
  const unlessHurried = () => {
    if (isHurried()) return;
    interval.due = now() + ms;
    interval.run?.();
  };
  const id = invoke(target, self, [runs ? unlessHurried : run, delay]);
  intervals.set(id, interval);
  // The first run may fill the page, as a timer does: with a clock, a countdown, or polled data.
  if (runs && ms > checkMs && timers.size < trackedAtMost) timers.set(id, { due: interval.due, depth: depth + 1 });
  return id;
}

function clearTimer(target: unknown, self: unknown, [id, ...more]: unknown[]): unknown {
  timers.delete(id);
  intervals.delete(id);
  const native = nativeId(id);
  forget(id);
  return invoke(target, self, [native, ...more]);
}

function requestFrame(target: unknown, self: unknown, [given, ...more]: unknown[]): unknown {
  const callback = holdable(given);
  if (typeof callback !== 'function') return invoke(target, self, [callback, ...more]);
  const run = (at: number) => {
    frames.delete(id);
    // A frame that Chromium started before the clock was hurried has an earlier time than the hurried frames.
    if (at > frameAt) frameAt = at;
    invoke(callback, globalThis, [frameAt]);
  };
  const id: unknown = invoke(target, self, [(at: number) => run(at + aheadMs()), ...more]);
  if (frames.size < trackedAtMost) frames.set(id, run);
  return id;
}
