import type { Redis } from 'ioredis';
import ipaddr from 'ipaddr.js';

/** How often a client address may try something in an hour. */
export interface ClientLimit {
  /** @returns 0 if this one is allowed (it counts from now on), else the milliseconds to wait. */
  take(clientAddress: string): Promise<number>;
  /** Lets one that was allowed not count after all. */
  giveBack(clientAddress: string): Promise<void>;
}

const hourMs = 3_600_000;

/** Far more than somebody mistypes, far too few to guess a key: as many as registrations. */
export const failedSignInsPerHour = 20;

/** The log of an address' last hour in one step, by Redis' clock: exact for every hour, not only for each full one. */
const takeScript = `
local atMost, hour = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - hour)
local count = redis.call('ZCARD', KEYS[1])
if count >= atMost then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.max(1, oldest[2] + hour - now)
end
redis.call('ZADD', KEYS[1], now, time[1] .. '.' .. time[2] .. '.' .. count)
redis.call('PEXPIRE', KEYS[1], hour)
return 0
`;

/** @param name of what is counted, such as `registrations`: each has its own count. */
export function createClientLimit(
  redis: Redis,
  name: string,
  perHour: number,
  now: () => number = Date.now,
): ClientLimit {
  const local = createLocalLog(perHour, now);
  return {
    async take(clientAddress) {
      const key = subscriberOf(clientAddress);
      try {
        return (await redis.eval(takeScript, 1, `${name}:${key}`, perHour, hourMs)) as number;
      } catch {
        return local.take(key);
      }
    },
    async giveBack(clientAddress) {
      const key = subscriberOf(clientAddress);
      await redis.zpopmax(`${name}:${key}`).catch(() => local.giveBack(key));
    },
  };
}

/** Addresses kept in a process at most while Redis is away. */
const localAddressesAtMost = 10_000;

function createLocalLog(perHour: number, now: () => number) {
  const log = new Map<string, number[]>();
  return {
    take(key: string): number {
      const at = now();
      const recent = (log.get(key) ?? []).filter((time) => time > at - hourMs);
      const [oldest] = recent;
      if (recent.length >= perHour && oldest !== undefined) return Math.max(1, oldest + hourMs - at);
      log.delete(key);
      log.set(key, [...recent, at]);
      if (log.size > localAddressesAtMost) log.delete(log.keys().next().value as string);
      return 0;
    },
    giveBack: (key: string) => void log.get(key)?.pop(),
  };
}

/** Who counts as one client: an IPv4 address, or the /64 that one subscriber of IPv6 has to himself. */
function subscriberOf(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return 'unknown';
  const address = ipaddr.process(clientAddress);
  return address.kind() === 'ipv4' ? address.toString() : address.toNormalizedString().split(':').slice(0, 4).join(':');
}
