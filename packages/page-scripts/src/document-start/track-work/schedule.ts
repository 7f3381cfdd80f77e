const Dictionary = Map;

/** How many timers, intervals, frames, workers and shadow roots are tracked, each. */
export const trackedAtMost = 200;

export interface TrackedTimer {
  /** When the timer is due, by the page's clock. */
  due: number;
  /** How many timers in a row led to this timer. */
  depth: number;
  run?: () => void;
  /** Whether its callback opens another page. */
  opens?: boolean;
}

export interface TrackedInterval {
  /** When the interval runs next, by the page's clock. */
  due: number;
  ms: number;
  run?: () => void;
  /** Whether the interval counts down, and then opens another page. */
  countsDown: boolean;
}

// Timers, intervals and frames that the page's scripts have scheduled, by the ids that the scripts know.

export const timers = new Dictionary<unknown, TrackedTimer>();
export const intervals = new Dictionary<unknown, TrackedInterval>();
/** Animation frames that were requested and not drawn yet; each is called with the time of its frame. */
export const frames = new Dictionary<unknown, (at: number) => void>();

export function forgetAll(): void {
  timers.clear();
  intervals.clear();
  frames.clear();
}
