import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './arrange.ts';

/** What a gateway holds once it has come to rest. */
export interface Footprint {
  rssBytes: number;
  /** Connections of all sorts, those to Postgres and Redis too. */
  sockets: number;
}

/**
 * The least of so many looks counts: what a collection of garbage would free is no leak, and a connection that is idle is
 * kept for 75 s.
 */
const looks = 85;
const lookEveryMs = 1_000;

/** The memory that a process holds at this moment, bytes. */
export function readRss(pid: number): number {
  const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kibibytes.trim()) * 1_024;
}

/** Looks at a gateway after its last request, for a minute and a half. */
export async function settledFootprint(pid: number, target: Target): Promise<Footprint> {
  let [rssBytes, sockets] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let look = 0; look < looks; look++) {
    await sleep(lookEveryMs);
    rssBytes = Math.min(rssBytes, readRss(pid));
    sockets = Math.min(sockets, await readSockets(target));
  }
  return { rssBytes, sockets };
}

async function readSockets({ port, operatorKey }: Target): Promise<number> {
  const headers = { authorization: `Bearer ${operatorKey}` };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  const found = /^nodejs_active_resources\{type="TCPSocketWrap"[^}]*\} (\d+)/m.exec(text)?.[1];
  if (found === undefined) throw new Error('the gateway does not tell how many sockets it has');
  return Number(found);
}
