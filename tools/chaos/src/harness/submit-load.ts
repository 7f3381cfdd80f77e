import { setTimeout as sleep } from 'node:timers/promises';
import { type Asked, askCapture, type Client } from './client.ts';
import type { Gateway } from './gateway.ts';
import type { Platform } from './platform.ts';

/** Asks under way at once. */
const askers = 4;

/** The rate of a client on form B's largest plans is 20 a second; well below it, milliseconds. */
const askEveryMs = 100;

/** As many clients as can ask for `ratePerS` captures without being held back. */
export function clientsFor(platform: Platform, ratePerS: number): Promise<Client[]> {
  const count = Math.max(1, Math.ceil((ratePerS * askEveryMs) / 1_000));
  return Promise.all(Array.from({ length: count }, () => platform.newClient('enterprise')));
}

export interface Load {
  /** Whose turn it is is chosen anew each time: gateways come and go. */
  gatewayOf(index: number): Gateway;
  clients: readonly Client[];
  optionsOf(index: number): Record<string, unknown>;
  count: number;
  ratePerS: number;
  stopped?(): boolean;
}

/** Asks for `count` captures, asynchronously, at `ratePerS` at most. */
export async function askMany(asked: Asked, load: Load): Promise<void> {
  const { gatewayOf, clients, optionsOf, count, ratePerS, stopped = () => false } = load;
  const startedAt = Date.now();
  let next = 0;
  const work = async () => {
    while (next < count && !stopped()) {
      const index = next;
      next += 1;
      const aheadMs = startedAt + (index / ratePerS) * 1_000 - Date.now();
      if (aheadMs > 0) await sleep(aheadMs);
      await askCapture(gatewayOf(index), clients[index % clients.length]!, asked, optionsOf(index));
    }
  };
  await Promise.all(Array.from({ length: askers }, work));
}
