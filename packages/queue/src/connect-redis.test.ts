import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { connectRedis, whenReady } from './connect-redis.ts';
import { disconnecting, killRedis, openBlockingRedis, openOwnRedis } from './queue.test-support.ts';

/** Waits until this many attempts to connect have failed. */
async function failedAttempts(redis: Redis, count: number): Promise<void> {
  let attempts = 0;
  redis.on('reconnecting', () => {
    attempts += 1;
  });
  await waitUntil(() => attempts >= count, { what: `${count} attempts to connect` });
}

/** A URL on which no server listens. */
const unreachable = 'redis://127.0.0.1:1';

describe('a connection to Redis', () => {
  it('reports once that it is connected, once that it is lost, once that it is back', async () => {
    const own = await openOwnRedis();
    const states: string[] = [];
    const redis = disconnecting(connectRedis({ url: own.url, onState: (state) => states.push(state) }));
    expect(await whenReady(redis, 30_000)).toBe(true);
    await killRedis(own);
    await failedAttempts(redis, 3);
    expect(states).toEqual(['connected', 'lost']);
    await own.restart();
    expect(await whenReady(redis, 30_000)).toBe(true);
    expect(states).toEqual(['connected', 'lost', 'connected']);
  });

  it('reports a Redis that was never reachable as lost, once, with the error', async () => {
    const states: (string | undefined)[] = [];
    const redis = disconnecting(
      connectRedis({ url: unreachable, onState: (state, error) => states.push(state, error?.message) }),
    );
    expect(await whenReady(redis, 300)).toBe(false);
    await waitUntil(() => states.length > 0, { what: 'the loss to be reported' });
    expect(states).toEqual(['lost', expect.stringContaining('ECONNREFUSED')]);
  });
});

describe('a command while Redis is unavailable', () => {
  it('fails at once on the connection for commands', async () => {
    const redis = disconnecting(connectRedis({ url: unreachable }));
    // The command does not wait for the next attempt to connect, which may hang.
    await expect(redis.get('key')).rejects.toThrow("Stream isn't writeable");
  });

  it('waits on the connection for jobs and messages, and completes after the outage', async () => {
    const own = await openOwnRedis();
    const redis = openBlockingRedis(own.url);
    await redis.set('key', 'value');
    await killRedis(own);
    const reply = redis.get('key');
    await failedAttempts(redis, 3);
    await own.restart();
    expect(await reply).toBe('value');
  });
});
