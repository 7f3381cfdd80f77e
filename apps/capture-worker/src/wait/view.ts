import type { Look } from '@capture/page-scripts/world/wait/look';

/** How often to check the proxy's byte counter, milliseconds; it has no events. */
export const checkEveryMs = 250;

/** How often to look at a page that changes, milliseconds. */
export const lookEveryMs = 60;

/** After this time, the wait includes only resources in view that still arrive; milliseconds after the page was ready. */
export const readyWithinMs = 5_000;

/** The page at one moment of the wait: the facts of a look, and those that the worker knows. Times are milliseconds. */
export interface View extends Look {
  /** How long the page has been ready: parsed, and drawn once. */
  readyMs: number;
  /** How long the page has been ready by its own clock, which may be ahead. */
  pageMs: number;
  /** For how long nothing in view has changed, by the page's clock. */
  unchangedMs: number;
  /** How many looks in a row have advanced animations to their end. */
  advancedLooks: number;
  /** Whether the load event has fired. */
  loaded: boolean;
  inFlight: number;
  /** How many of the requests in flight may be visible, and how many of them the page waits for. */
  relevant: number;
  awaited: number;
  /** For how long the network has been silent. */
  silentMs: number;
}

/** Whether work in progress may finish the page. */
export function mayChange({ fonts, timers, loops, inFlight }: View): boolean {
  return fonts || loops || timers.length > 0 || inFlight > 0;
}
