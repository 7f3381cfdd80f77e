import { Redis } from 'ioredis';

/** A command fails after this time. Redis only makes work faster; no request depends on it. */
const commandTimeoutMs = 2_000;

/** The delay between attempts to reconnect: short at first, then two seconds without end. */
const reconnectDelayMs = (attempts: number) => Math.min(attempts * 100, 2_000);

export interface RedisOptions {
  url: string;
  /** Called once when the connection is lost and once when it is restored. */
  onState?: (state: 'connected' | 'lost', error?: Error) => void;
}

/** Opens a connection whose commands return or fail at once. While Redis is unavailable they fail instead of waiting. */
export function connectRedis(options: RedisOptions): Redis {
  const redis = new Redis(options.url, {
    commandTimeout: commandTimeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    retryStrategy: reconnectDelayMs,
  });
  reportState(redis, options);
  return redis;
}

/** Opens a connection that waits for jobs (blocking commands) or messages. Its commands survive an outage. */
export function connectBlockingRedis(options: RedisOptions): Redis {
  const redis = new Redis(options.url, { maxRetriesPerRequest: null, retryStrategy: reconnectDelayMs });
  reportState(redis, options);
  return redis;
}

function reportState(redis: Redis, { onState }: RedisOptions): void {
  let lost = false;
  // Without a listener ioredis prints each failed attempt. `onState` reports the outage once.
  redis.on('error', (error: Error) => {
    if (!lost) onState?.('lost', error);
    lost = true;
  });
  redis.on('ready', () => {
    onState?.('connected');
    lost = false;
  });
}

/** Resolves with true when the connection is ready, or with false after `timeoutMs`, because a process also starts without Redis. */
export async function whenReady(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === 'ready') return true;
  return new Promise((resolve) => {
    const settle = (ready: boolean) => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      resolve(ready);
    };
    const onReady = () => settle(true);
    const timer = setTimeout(() => settle(false), timeoutMs);
    redis.once('ready', onReady);
  });
}
