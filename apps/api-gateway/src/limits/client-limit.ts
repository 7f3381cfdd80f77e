import type { Redis } from 'ioredis';
import ipaddr from 'ipaddr.js';

/** A limit per client address. */
export interface ClientLimit {
  /** @returns 0 if the request is allowed (and counts from now on), else the milliseconds to wait. */
  take(clientAddress: string): Promise<number>;
}

export interface Rate {
  atMost: number;
  withinMs: number;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;

export const perHour = (atMost: number): Rate => ({ atMost, withinMs: hourMs });

/**
 * The limits per client address of requests that belong to no account yet.
 *
 * @param registrationsPerHour the setting `REGISTRATIONS_PER_HOUR`.
 */
export function createClientLimits(redis: Redis, registrationsPerHour: number) {
  return {
    registrations: createClientLimit(redis, 'registrations', perHour(registrationsPerHour)),
    // A household requests fewer sign-in links, and a stranger should not cause more mails.
    signInLinks: createClientLimit(redis, 'sign-in-links', perHour(10)),
    // A person mistypes far less often, and guessing a key takes far more tries. Registrations have the same number.
    failedSignIns: createClientLimit(redis, 'failed-sign-ins', perHour(20)),
    // A program with a revoked key may retry once a second and still receive the reason for the refusal.
    failedKeys: createClientLimit(redis, 'failed-keys', { atMost: 60, withinMs: minuteMs }),
  };
}

export type ClientLimits = ReturnType<typeof createClientLimits>;

/** A sliding-window log in one step, by Redis' clock: the limit is exact for every window, wherever it starts. */
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

/** Most addresses in a process's memory; the oldest entry is dropped first. */
const maxLocalAddresses = 10_000;

/** @param name the limit's name, such as `registrations`: each limit counts separately. */
export function createClientLimit(redis: Redis, name: string, often: Rate, now: () => number = Date.now): ClientLimit {
  const local = createLocalLog(often, now);
  /** When each refused client may try again: a flood of refused requests need not reach Redis. */
  const refused = new Map<string, number>();
  return {
    async take(clientAddress) {
      const client = subscriberOf(clientAddress);
      const remainingMs = (refused.get(client) ?? 0) - now();
      if (remainingMs > 0) return remainingMs;
      const waitMs = await redis
        .eval(takeScript, 1, `${name}:${client}`, often.atMost, often.withinMs)
        .then(Number, () => local.take(client));
      refused.delete(client);
      if (waitMs > 0) keep(refused, client, now() + waitMs);
      return waitMs;
    },
  };
}

function createLocalLog({ atMost, withinMs }: Rate, now: () => number) {
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
  if (map.size > maxLocalAddresses) map.delete(map.keys().next().value as string);
}

/** Identifies a client: by an IPv4 address, or the /64 of an IPv6 subscriber. */
export function subscriberOf(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return 'unknown';
  const address = ipaddr.process(clientAddress);
  return address.kind() === 'ipv4' ? address.toString() : address.toNormalizedString().split(':').slice(0, 4).join(':');
}
