import type { Look } from '@capture/page-scripts/world/wait/look';

/** How often to check the proxy's byte counter, milliseconds; it has no events. */
export const checkEveryMs = 250;

/** How often to look at a page that changes, milliseconds. */
export const lookEveryMs = 60;

/** After this, only what is in view and still arriving is waited for; milliseconds after the page was ready. */
export const readyWithinMs = 5_000;

/** The page at one moment of the wait for it: what a look has found, and what the worker knows. Times are milliseconds. */
export interface View extends Look {
  /** Since when the page has been ready: parsed, and drawn once. */
  readyMs: number;
  /** The same by the page's clock, which may be ahead. */
  pageMs: number;
  /** For how long nothing in view has changed, by the page's clock. */
  unchangedMs: number;
  /** How many looks in a row have advanced animations to their end. */
  advancedLooks: number;
  /** Whether the load event has fired. */
  loaded: boolean;
  /** Requests in flight. */
  inFlight: number;
  /** How many of the requests in flight may be visible, and how many are waited for. */
  relevant: number;
  awaited: number;
  /** For how long nothing has happened in the network. */
  silentMs: number;
}

/** Whether anything is going on that may finish the page. */
export function mayChange({ fonts, timers, loops, inFlight }: View): boolean {
  return fonts || loops || timers.length > 0 || inFlight > 0;
}
