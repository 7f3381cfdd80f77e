/** Work that the page's scripts have scheduled. */
export interface ScheduledWork {
  /** Pending timers, earliest first: milliseconds to wait, timers in a row before it, and whether it opens another page. */
  timers: { inMs: number; depth: number; opens: boolean }[];
  /** Whether an interval opens another page when it has counted down. */
  countsDown: boolean;
  /** For how many milliseconds a worker may still send its first message, or a reply; 0 if no worker computes. */
  workerForMs: number;
  /** Whether scripts draw frame by frame: with animation frames, or with a fast interval. */
  loops: boolean;
  /** The longest interval at which scripts check for something, milliseconds; 0 if there is none. */
  everyMs: number;
  /** Whether work is in progress that takes real time, such as an encryption. */
  working: boolean;
  /** How far the page's clock has been hurried ahead, milliseconds. */
  aheadMs: number;
}
