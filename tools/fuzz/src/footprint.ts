import { setTimeout as sleep } from 'node:timers/promises';
import { residentBytes } from '@capture/testing/processes/process-usage';
import { readMetric } from '@capture/testing/read-metric';
import type { Target } from './create-data.ts';

/** The memory and sockets of a gateway at rest. */
export interface Footprint {
  rssBytes: number;
  /** Connections of all kinds, also to Postgres and Redis. */
  sockets: number;
}

/** The lowest sample counts: collectable memory is no leak, and idle connections stay open for 75 s. */
const samples = 85;
const sampleIntervalMs = 1_000;

/** Samples a gateway after its last request, for a minute and a half. */
export async function settledFootprint(pid: number, target: Target): Promise<Footprint> {
  let [rssBytes, sockets] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let sample = 0; sample < samples; sample++) {
    await sleep(sampleIntervalMs);
    rssBytes = Math.min(rssBytes, residentBytes(pid));
    sockets = Math.min(sockets, await readSockets(target));
  }
  return { rssBytes, sockets };
}

async function readSockets({ port, operatorKey }: Target): Promise<number> {
  const headers = { authorization: `Bearer ${operatorKey}` };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  const sockets = readMetric(text, 'nodejs_active_resources', { type: 'TCPSocketWrap' });
  if (sockets === undefined) throw new Error('the gateway does not report its number of sockets');
  return sockets;
}
