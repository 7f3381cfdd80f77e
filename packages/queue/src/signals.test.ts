import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { connectRedis, whenReady } from './connect-redis.ts';
import { disconnecting, killRedis, openBlockingRedis, openOwnRedis, testRedisUrl } from './queue.test-support.ts';
import { onSignal, sendSignal } from './signals.ts';

function open(url: string) {
  return { sender: disconnecting(connectRedis({ url })), receiver: openBlockingRedis(url) };
}

/** Sends the message until it is received, because a subscription does not report when it is active. */
const sendUntilReceived = (sender: Redis, received: string[], message: string) =>
  waitUntil(
    async () => {
      await sendSignal(sender, 'captureEnded', message);
      return received.includes(message);
    },
    { what: `the signal ${message}` },
  );

it('a signal reaches all its listeners with its message, and no other listeners', async () => {
  const { sender, receiver } = open(await testRedisUrl());
  const [one, other, due]: string[][] = [[], [], []];
  // All tests share the channels of one server, so a unique id identifies this test's signal.
  const id = `req_${Math.random()}`;
  onSignal(receiver, 'captureEnded', (message) => one?.push(message));
  onSignal(receiver, 'captureEnded', (message) => other?.push(message));
  onSignal(receiver, 'deliveriesDue', (message) => due?.push(message));
  await whenReady(sender, 30_000);
  await sendUntilReceived(sender, one ?? [], id);
  expect(other).toContain(id);
  expect(due).not.toContain(id);
});

it('signals arrive again after an outage of Redis, and those sent meanwhile are dropped', async () => {
  const own = await openOwnRedis();
  const { sender, receiver } = open(own.url);
  const received: string[] = [];
  onSignal(receiver, 'captureEnded', (message) => received.push(message));
  await whenReady(sender, 30_000);
  await sendUntilReceived(sender, received, 'req_1');
  await killRedis(own);
  await sendSignal(sender, 'captureEnded', 'req_2');
  await own.restart();
  await whenReady(sender, 30_000);
  await sendUntilReceived(sender, received, 'req_3');
  expect(received).not.toContain('req_2');
});

it('a listener that subscribes before Redis is connected receives signals once it is', async () => {
  const own = await openOwnRedis();
  await killRedis(own);
  const { sender, receiver } = open(own.url);
  const received: string[] = [];
  onSignal(receiver, 'captureEnded', (message) => received.push(message));
  await sendSignal(sender, 'captureEnded', 'req_1');
  await own.restart();
  await whenReady(sender, 30_000);
  await sendUntilReceived(sender, received, 'req_2');
});
