import type { Redis } from 'ioredis';
import ipaddr from 'ipaddr.js';

/** How often a client address may do something. */
export interface ClientLimit {
  /** @returns 0 if this one is allowed (it counts from now on), else the milliseconds to wait. */
  take(clientAddress: string): Promise<number>;
}

export interface Often {
  atMost: number;
  withinMs: number;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;

export const perHour = (atMost: number): Often => ({ atMost, withinMs: hourMs });

/** Far more than somebody mistypes, far too few to guess a key: as many as registrations. */
export const failedSignIns = perHour(20);

/** A program whose key was revoked may ask once a second and still be told why it is refused. */
export const failedKeys: Often = { atMost: 60, withinMs: minuteMs };

/** The log of an address' last hour (or other span) in one step, by Redis' clock: exact for every span, not only for each full one. */
const takeScript = `
local atMost, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - span)
local count = redis.call('ZCARD', KEYS[1])
if count >= atMost then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.max(1, oldest[2] + span - now)
end
redis.call('ZADD', KEYS[1], now, time[1] .. '.' .. time[2] .. '.' .. count)
redis.call('PEXPIRE', KEYS[1], span)
return 0
`;

/** Addresses kept in a process at most; the one that was added longest ago goes first. */
const localAddressesAtMost = 10_000;

/** @param name of what is counted, such as `registrations`: each has its own count. */
export function createClientLimit(redis: Redis, name: string, often: Often, now: () => number = Date.now): ClientLimit {
  const local = createLocalLog(often, now);
  /** Until when whom: a flood of what is refused anyway need not reach Redis. */
  const refused = new Map<string, number>();
  return {
    async take(clientAddress) {
      const client = subscriberOf(clientAddress);
      const stillMs = (refused.get(client) ?? 0) - now();
      if (stillMs > 0) return stillMs;
      const waitMs = await redis
        .eval(takeScript, 1, `${name}:${client}`, often.atMost, often.withinMs)
        .then(Number, () => local.take(client));
      refused.delete(client);
      if (waitMs > 0) keep(refused, client, now() + waitMs);
      return waitMs;
    },
  };
}

function createLocalLog({ atMost, withinMs }: Often, now: () => number) {
  const log = new Map<string, number[]>();
  return {
    take(client: string): number {
      const at = now();
      const recent = (log.get(client) ?? []).filter((time) => time > at - withinMs);
      const [oldest] = recent;
      if (recent.length >= atMost && oldest !== undefined) return Math.max(1, oldest + withinMs - at);
      log.delete(client);
      keep(log, client, [...recent, at]);
      return 0;
    },
  };
}

function keep<Value>(map: Map<string, Value>, client: string, value: Value): void {
  map.set(client, value);
  if (map.size > localAddressesAtMost) map.delete(map.keys().next().value as string);
}

/** Who counts as one client: an IPv4 address, or the /64 that one subscriber of IPv6 has to himself. */
function subscriberOf(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return 'unknown';
  const address = ipaddr.process(clientAddress);
  return address.kind() === 'ipv4' ? address.toString() : address.toNormalizedString().split(':').slice(0, 4).join(':');
}
