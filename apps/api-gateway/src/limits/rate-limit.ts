import type { Plan } from '@capture/contract/forms/forms';
import type { Redis } from 'ioredis';

/** A bucket's decision on a request. */
export interface RateDecision {
  allowed: boolean;
  /** Milliseconds until the next request is allowed; 0 means now. */
  waitMs: number;
}

/** A token bucket per account: it holds `perSecond + burst` tokens and refills at `perSecond`. */
export interface RateLimiter {
  /** @param cost tokens to take: 1 for a metered request, 0 to check without taking. */
  take(accountId: string, plan: Plan, cost: 0 | 1): Promise<RateDecision>;
}

const unlimited: RateDecision = { allowed: true, waitMs: 0 };

/**
 * Runs the bucket as one step in Redis, by Redis' clock: neither two gateways nor a gateway with a wrong clock can take more
 * tokens than exist. The script returns numbers as text because Redis truncates a Lua number to an integer.
 */
const takeScript = `
local capacity, perSecond, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = capacity
if state[1] then
  local passed = math.max(0, now - tonumber(state[2]))
  tokens = math.min(capacity, tonumber(state[1]) + passed * perSecond / 1000)
end
local allowed = tokens >= cost
if allowed and cost > 0 then
  tokens = tokens - cost
  redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.3f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - tokens) / perSecond * 1000) + 1000)
end
local wait = 0
if tokens < 1 then wait = (1 - tokens) * 1000 / perSecond end
return { allowed and 1 or 0, string.format('%.3f', wait) }
`;

export function createRedisRateLimiter(redis: Redis): RateLimiter {
  return {
    async take(accountId, plan, cost) {
      if (plan.perSecond === null) return unlimited;
      const capacity = plan.perSecond + plan.burst;
      const [allowed, waitMs] = (await redis.eval(
        takeScript,
        1,
        `rate:${accountId}`,
        capacity,
        plan.perSecond,
        cost,
      )) as [number, string];
      return { allowed: allowed === 1, waitMs: Number(waitMs) };
    },
  };
}

/** Most buckets in a process's memory; the least recently used bucket is dropped first, and starts full again. */
const maxLocalBuckets = 10_000;

/** Keeps the same bucket in the memory of one process. */
export function createLocalRateLimiter(now: () => number = Date.now): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    async take(accountId, plan, cost) {
      if (plan.perSecond === null) return unlimited;
      const capacity = plan.perSecond + plan.burst;
      const at = now();
      const bucket = buckets.get(accountId) ?? { tokens: capacity, at };
      const refilled = Math.min(capacity, bucket.tokens + (Math.max(0, at - bucket.at) * plan.perSecond) / 1_000);
      const allowed = refilled >= cost;
      const tokens = allowed ? refilled - cost : refilled;
      buckets.delete(accountId);
      buckets.set(accountId, { tokens, at });
      if (buckets.size > maxLocalBuckets) buckets.delete(buckets.keys().next().value as string);
      return { allowed, waitMs: tokens < 1 ? ((1 - tokens) * 1_000) / plan.perSecond : 0 };
    },
  };
}

/** How long the limiter does not ask `first` after a failure, milliseconds. */
const restMs = 1_000;

/**
 * Uses `first`, and `second` while `first` fails: an outage of Redis must neither refuse every client nor lift the limit. While
 * Redis is silent, one request at a time waits for a response: each may hold a connection to the database.
 */
export function withFallback(first: RateLimiter, second: RateLimiter, now: () => number = Date.now): RateLimiter {
  /** When the next request may ask `first`; 0 while it responds. */
  let askAgainAt = 0;
  return {
    async take(accountId, plan, cost) {
      // A plan without a limit asks neither limiter, so it shows nothing about `first`.
      if (plan.perSecond === null || now() < askAgainAt) return second.take(accountId, plan, cost);
      if (askAgainAt > 0) askAgainAt = Infinity;
      try {
        const decision = await first.take(accountId, plan, cost);
        askAgainAt = 0;
        return decision;
      } catch {
        askAgainAt = now() + restMs;
        return second.take(accountId, plan, cost);
      }
    },
  };
}
