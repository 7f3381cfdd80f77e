import { Redis } from 'ioredis';

/** A command that has not been answered by then is given up: Redis only ever speeds things up, nobody waits for it. */
const commandTimeoutMs = 2_000;

/** Between tries to connect again: quick at first, then every two seconds, for ever. */
const reconnectDelayMs = (tries: number) => Math.min(tries * 100, 2_000);

export interface RedisOptions {
  url: string;
  /** Told once when the connection is lost and once when it is back. */
  onState?: (state: 'connected' | 'lost', error?: Error) => void;
}

/**
 * A connection for commands that must answer at once or fail at once: while Redis is away they fail instead of waiting
 * in a list that grows.
 */
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

/** A connection that waits: for jobs (blocking commands) or for messages; its commands outlive an outage. */
export function connectBlockingRedis(options: RedisOptions): Redis {
  const redis = new Redis(options.url, { maxRetriesPerRequest: null, retryStrategy: reconnectDelayMs });
  reportState(redis, options);
  return redis;
}

function reportState(redis: Redis, { onState }: RedisOptions): void {
  let lost = false;
  // Without a listener ioredis prints each failed try; the state tells the same once.
  redis.on('error', (error: Error) => {
    if (!lost) onState?.('lost', error);
    lost = true;
  });
  redis.on('ready', () => {
    onState?.('connected');
    lost = false;
  });
}

/** Resolves when the connection can take commands, or after `withinMs`: a process starts without Redis too. */
export async function whenReady(redis: Redis, withinMs: number): Promise<boolean> {
  if (redis.status === 'ready') return true;
  return new Promise((resolve) => {
    const settle = (ready: boolean) => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      resolve(ready);
    };
    const onReady = () => settle(true);
    const timer = setTimeout(() => settle(false), withinMs);
    redis.once('ready', onReady);
  });
}
