import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@capture/testing/wait-until';
import { type Client, type Submissions, submitCapture } from './client.ts';
import type { Platform } from './platform.ts';
import type { Gateway } from './services.ts';
import { countOpenCaptures } from './settle.ts';

/** A rate of work, with several units at a time. */
export interface Pace {
  count: number;
  /** The maximum rate, per second. */
  ratePerS: number;
  concurrency: number;
  stopped?: (() => boolean) | undefined;
}

/** Calls `work` with 0 to `count - 1`, until `stopped` returns true. */
export async function atRate(
  { count, ratePerS, concurrency, stopped = () => false }: Pace,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  const startedAt = Date.now();
  let next = 0;
  const run = async () => {
    while (next < count && !stopped()) {
      const index = next;
      next += 1;
      const aheadMs = startedAt + (index / ratePerS) * 1_000 - Date.now();
      if (aheadMs > 0) await sleep(aheadMs);
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, run));
}

/** Requests in progress at once. */
const concurrency = 4;

/** The interval of a client, milliseconds, well below the rate limit of form B's largest plans, 20 per second. */
const intervalOfClientMs = 100;

/** Creates enough clients to submit `ratePerS` captures without being rate limited. */
export function clientsFor(platform: Platform, ratePerS: number): Promise<Client[]> {
  const count = Math.max(1, Math.ceil((ratePerS * intervalOfClientMs) / 1_000));
  return Promise.all(Array.from({ length: count }, () => platform.newClient('enterprise')));
}

export interface Load extends Omit<Pace, 'concurrency'> {
  /** The maximum number of captures in progress before another request. A slow machine renders fewer captures than arrive. */
  openAtMost?: number;
  /** Chooses a gateway for each request, because gateways come and go. */
  gatewayOf(index: number): Gateway;
  clients: readonly Client[];
  optionsOf(index: number): Record<string, unknown>;
}

/** Submits `count` captures, asynchronously, at `ratePerS` at most. */
export function submitLoad(
  platform: Platform,
  submissions: Submissions,
  { gatewayOf, clients, optionsOf, openAtMost = Number.POSITIVE_INFINITY, ...pace }: Load,
): Promise<void> {
  const { stopped = () => false } = pace;
  // A request that has no response yet may have become a capture, or not.
  let sending = 0;
  const hasRoom = async () => {
    if (stopped()) return true;
    const open = openAtMost === Number.POSITIVE_INFINITY ? 0 : await countOpenCaptures(platform);
    return open + sending < openAtMost;
  };
  return atRate({ ...pace, concurrency }, async (index) => {
    await waitUntil(hasRoom, { what: 'captures in progress to end' });
    if (stopped()) return;
    sending += 1;
    await submitCapture(gatewayOf(index), clients[index % clients.length]!, submissions, optionsOf(index));
    sending -= 1;
  });
}
