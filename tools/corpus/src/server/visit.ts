import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request, with the values that its behaviour needs. */
export interface Visit {
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
  /** The origins of the server: `self` is that of the pages, `cross` that of another site. */
  origins: { self: string; cross: string };
}

export type Behaviour = (visit: Visit) => unknown;

/** Nothing is cached, because each capture is a first visit. Any origin may read. */
export const plainHeaders = { 'cache-control': 'no-store', 'access-control-allow-origin': '*' };

/** No capture lasts longer, milliseconds. */
const longestDelayMs = 120_000;

/** Waits for `delay=` milliseconds, 0 by default. */
export function waitForDelay({ url }: Visit): Promise<unknown> {
  const ms = Number(url.searchParams.get('delay') ?? 0);
  return ms > 0 ? sleep(Math.min(ms, longestDelayMs), undefined, { ref: false }) : Promise.resolve();
}
