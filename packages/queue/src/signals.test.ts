import { createTestRedis, startOwnRedis } from '@capture/testing/redis';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { connectBlockingRedis, connectRedis, whenReady } from './connect-redis.ts';
import { onSignal, sendSignal } from './signals.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (let close = closings.pop(); close; close = closings.pop()) await close();
});

function open(url: string) {
  const [sender, receiver] = [connectRedis({ url }), connectBlockingRedis({ url })];
  closings.push(
    () => sender.disconnect(),
    () => receiver.disconnect(),
  );
  return { sender, receiver };
}

/** Sends until it is heard: nobody tells when a subscription holds. */
const sendUntilHeard = (sender: Redis, heard: string[], message: string) =>
  waitUntil(
    async () => {
      await sendSignal(sender, 'captureEnded', message);
      return heard.includes(message);
    },
    { what: `the signal ${message}` },
  );

it('a signal is heard with its message, by all who listen to it and by nobody else', async () => {
  const server = await createTestRedis();
  closings.push(() => server.close());
  const { sender, receiver } = open(server.url);
  const [one, other, due]: string[][] = [[], [], []];
  // All tests share the channels of one server: an id of its own tells whose signal it is.
  const id = `req_${Math.random()}`;
  onSignal(receiver, 'captureEnded', (message) => one?.push(message));
  onSignal(receiver, 'captureEnded', (message) => other?.push(message));
  onSignal(receiver, 'deliveriesDue', (message) => due?.push(message));
  await whenReady(sender, 30_000);
  await sendUntilHeard(sender, one ?? [], id);
  expect(other).toContain(id);
  expect(due).not.toContain(id);
});

it('signals are heard again after Redis was away, and those sent meanwhile are dropped', async () => {
  const own = await startOwnRedis();
  closings.push(() => own.stop());
  const { sender, receiver } = open(own.url);
  const heard: string[] = [];
  onSignal(receiver, 'captureEnded', (message) => heard.push(message));
  await whenReady(sender, 30_000);
  await sendUntilHeard(sender, heard, 'req_1');
  own.kill();
  await own.exited;
  await sendSignal(sender, 'captureEnded', 'req_2');
  await own.restart();
  await whenReady(sender, 30_000);
  await sendUntilHeard(sender, heard, 'req_3');
  expect(heard).not.toContain('req_2');
});

it('who listens before Redis is there hears once it is', async () => {
  const own = await startOwnRedis();
  closings.push(() => own.stop());
  own.kill();
  await own.exited;
  const { sender, receiver } = open(own.url);
  const heard: string[] = [];
  onSignal(receiver, 'captureEnded', (message) => heard.push(message));
  await sendSignal(sender, 'captureEnded', 'req_1');
  await own.restart();
  await whenReady(sender, 30_000);
  await sendUntilHeard(sender, heard, 'req_2');
});
