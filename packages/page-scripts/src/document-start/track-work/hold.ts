import { invoke } from '../page-world/wrap.ts';
import { hurry } from './clock.ts';
import { forgetAll } from './schedule.ts';

// While the page is held, work that was scheduled before waits. A listener of the held page, such as for a resized window, may
// schedule work, but that work may schedule no further work, which could continue without end.

const later = globalThis.setTimeout;

let isHeld = false;
let isReacting = false;
const held: (() => void)[] = [];

export function hold(): void {
  hurry(0);
  isHeld = true;
  forgetAll();
}

export function release(): void {
  isHeld = false;
  for (const run of held.splice(0)) later(run, 0);
}

/** Wraps a callback so that it waits while the page is held, unless the held page schedules it now. */
export function holdable(callback: unknown): unknown {
  if (typeof callback !== 'function') return callback;
  const reacts = isHeld && !isReacting;
  return function run(this: unknown, ...args: unknown[]) {
    if (!isHeld) return invoke(callback, this, args);
    if (!reacts) {
      held.push(() => invoke(callback, this, args));
      return undefined;
    }
    isReacting = true;
    try {
      return invoke(callback, this, args);
    } finally {
      isReacting = false;
    }
  };
}

/** Wraps the callback of an interval: runs that fall due while the page is held are left out. */
export function skippable(callback: unknown): unknown {
  return typeof callback !== 'function'
    ? callback
    : function run(this: unknown, ...args: unknown[]) {
        return isHeld ? undefined : invoke(callback, this, args);
      };
}
