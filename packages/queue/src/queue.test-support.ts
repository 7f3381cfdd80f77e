import { createTestRedis, type OwnRedis, startOwnRedis } from '@capture/testing/redis';
import { afterEach } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { JobName } from './catalog.ts';
import { connectBlockingRedis, connectRedis, whenReady } from './connect-redis.ts';
import { type JobQueue, openJobQueue } from './job-queue.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (let close = closings.pop(); close; close = closings.pop()) await close();
});

/** Registers a function that runs after the test. The last registered function runs first. */
export const closing = (close: () => unknown) => closings.push(close);

/** Disconnects a connection after the test, whether or not it is ready. */
export function disconnecting(redis: Redis): Redis {
  closing(() => redis.disconnect());
  return redis;
}

/** Opens a connection for commands and waits until it is ready. */
export async function openRedis(url: string): Promise<Redis> {
  const redis = disconnecting(connectRedis({ url }));
  await whenReady(redis, 30_000);
  return redis;
}

export const openBlockingRedis = (url: string): Redis => disconnecting(connectBlockingRedis({ url }));

/** Returns the URL of a new database on the server that all tests share. */
export async function testRedisUrl(): Promise<string> {
  const server = await createTestRedis();
  closing(() => server.close());
  return server.url;
}

export const openTestRedis = async (): Promise<Redis> => openRedis(await testRedisUrl());

/** Starts a Redis that only one test uses. */
export async function openOwnRedis(): Promise<OwnRedis> {
  const own = await startOwnRedis();
  closing(() => own.stop());
  return own;
}

export async function killRedis(own: OwnRedis): Promise<void> {
  own.kill();
  await own.exited;
}

export function openQueue<Name extends JobName>(redis: Redis, name: Name): JobQueue<Name> {
  const queue = openJobQueue(redis, name);
  closing(() => queue.close());
  return queue;
}
