import { randomBytes } from 'node:crypto';
import { contractForm } from '@capture/contract/forms/forms';
import { windowOf } from '@capture/database/captures/choose-captures';
import { claimCapture } from '@capture/database/captures/claim-capture';
import { endCapture } from '@capture/database/captures/end-capture';
import { insertBatch } from '@capture/database/captures/insert-batch';
import { reserveCapture } from '@capture/database/captures/reserve-capture';
import { sendHeartbeat } from '@capture/database/captures/worker-heartbeat';
import type { Database } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { Lifecycle } from '@capture/runtime/lifecycle';
import { every } from '@capture/runtime/service/every';
import { createTestDatabase } from '@capture/testing/database';
import { createTestRedis } from '@capture/testing/redis';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectBlockingRedis, connectRedis, whenReady } from './connect-redis.ts';
import { enqueueScheduledCaptures } from './enqueue-captures.ts';
import { openJobQueue } from './job-queue.ts';
import { startJobWorker } from './job-worker.ts';

const pages = 4;
/** The most pages that one account gets. */
const pagesPerAccount = 3;
const context = { form: contractForm('B'), fileUrlOf: () => 'https://files.example/x' };

let lifecycle: Lifecycle;
let database: Database;
let enqueue: () => Promise<number>;
let stopHeartbeat: () => Promise<void>;
/** The ids in the order in which a worker claimed the captures, and in which the captures ended. */
let claimed: string[];
let ended: string[];
/** Renders a capture; a test may let some renderings never end. */
let rendering: (captureId: string) => Promise<void>;

beforeEach(async () => {
  claimed = [];
  ended = [];
  rendering = async () => {};
  lifecycle = new Lifecycle({ error: (facts) => console.error(facts) });
  const testDatabase = await createTestDatabase();
  lifecycle.closing('test database', () => testDatabase.drop());
  database = openDatabase({ url: testDatabase.url });
  lifecycle.closing('database', () => database.close());
  const testRedis = await createTestRedis();
  lifecycle.closing('test redis', () => testRedis.close());
  const redis = connectRedis({ url: testRedis.url });
  lifecycle.closing('redis', () => redis.disconnect());
  await whenReady(redis, 30_000);
  const queue = openJobQueue(redis, 'capture');
  lifecycle.closing('queue', () => queue.close());
  enqueue = () => enqueueScheduledCaptures(database.pool, context.form, queue);
  const blocking = connectBlockingRedis({ url: testRedis.url });
  lifecycle.closing('blocking', () => blocking.disconnect());
  await heartbeat();
  stopHeartbeat = every(1_000, 'heartbeat', { warn: (facts: object) => console.error(facts) }, heartbeat);
  lifecycle.closing('heartbeat', () => stopHeartbeat());
  const worker = startJobWorker('capture', {
    redis: blocking,
    concurrency: pages,
    async handle({ captureId }) {
      const capture = await claimCapture(database.pool, { captureId, workerId: 'worker' });
      if (!capture) return;
      claimed.push(captureId);
      await rendering(captureId);
      await endCapture(database.pool, context, {
        captureId,
        attempt: capture.attempt,
        durationMs: 1,
        at: new Date(),
        outcome: {
          status: 'completed',
          format: 'png',
          width: 1,
          height: 1,
          fileSize: 1,
          storageKey: captureId,
          expiresAt: new Date(Date.now() + 60_000),
        },
      });
      ended.push(captureId);
      await enqueue();
    },
    onError: (error) => console.error(error),
  });
  lifecycle.closing('worker', () => worker.close());
});
afterEach(() => lifecycle.close());

const heartbeat = () => sendHeartbeat(database.pool, { id: 'worker', pages, captureIds: [] });

async function account(): Promise<string> {
  const id = newId('acc');
  await database.prisma.account.create({
    data: {
      id,
      email: `${id}@example.com`,
      plan: 'enterprise',
      createdAt: new Date(),
      signingSecret: 'encrypted',
      signingSecretCreatedAt: new Date(),
    },
  });
  return id;
}

const item = { type: 'screenshot', url: 'https://example.com/', options: {}, metadata: null } as const;
const limits = { month: '2026-11', monthlyLimit: null, webhookUrl: null };

async function single(accountId: string): Promise<string> {
  const id = newId('req');
  await reserveCapture(database.pool, { ...item, ...limits, id, accountId, fingerprint: randomBytes(32) });
  await enqueue();
  return id;
}

/** Inserts a batch that is not yet scheduled. */
async function insert(accountId: string, size: number): Promise<string> {
  const id = newId('batch');
  const items = Array.from({ length: size }, () => ({ ...item, id: newId('req'), fingerprint: randomBytes(32) }));
  await insertBatch(database.pool, { ...limits, id, accountId, items });
  return id;
}

async function batch(accountId: string, size: number): Promise<string> {
  const id = await insert(accountId, size);
  await enqueue();
  return id;
}

const itemsOf = async (batchId: string) =>
  (await database.prisma.capture.findMany({ where: { batchId }, select: { id: true } })).map(({ id }) => id);
const allEnded = (ids: readonly string[]) =>
  waitUntil(() => ids.every((id) => ended.includes(id)), { what: `${ids.length} captures to end` });

/** Returns a promise and the function that resolves it. */
function gate() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}

/** Waits until `count` captures are claimed, and lets none of them end until the test calls the returned function. */
async function hold(count: number): Promise<() => void> {
  const { held, release } = gate();
  let holding = 0;
  rendering = () => {
    holding += 1;
    return held;
  };
  await waitUntil(() => holding >= count, { what: `${count} captures to be held` });
  return release;
}

describe('scheduling', () => {
  it('claims a single capture among the next during a batch of 200', async () => {
    const big = await batch(await account(), 200);
    await waitUntil(() => ended.length >= 20, { what: '20 items to end' });
    const release = await hold(pagesPerAccount);
    const before = claimed.length;
    const id = await single(await account());
    release();
    await allEnded([id]);
    expect(claimed.indexOf(id) - before).toBeLessThanOrEqual(windowOf(pages) + 1);
    await allEnded(await itemsOf(big));
    expect(await database.prisma.batch.findFirst()).toMatchObject({ status: 'completed', succeeded: 200 });
  });

  it('finishes a batch of one among the first beside a batch of 1,000 of another account', async () => {
    const holding = hold(pagesPerAccount);
    await batch(await account(), 1_000);
    const release = await holding;
    const [id] = await itemsOf(await batch(await account(), 1));
    release();
    await allEnded([id!]);
    expect(claimed.indexOf(id!)).toBeLessThanOrEqual(3 * windowOf(pages));
  });

  it('gives a batch every second turn while another account has a hundred batches', async () => {
    const many = await account();
    const holding = hold(pagesPerAccount);
    for (let i = 0; i < 100; i++) await batch(many, 3);
    const release = await holding;
    const before = claimed.length;
    const own = await itemsOf(await batch(await account(), 20));
    release();
    await allEnded(own);
    const last = Math.max(...own.map((id) => claimed.indexOf(id)));
    expect(last - before).toBeLessThanOrEqual(2 * 20 + 2 * windowOf(pages));
  });

  it('keeps a quarter of the slots for a batch during a steady flood of single captures', async () => {
    const flooder = await account();
    const other = await account();
    let flooding = true;
    const flood = (async () => {
      // The number of rounds is bounded, so that a failing test ends.
      for (let round = 0; flooding && round < 200; round++) {
        await Promise.all([single(flooder), single(other), single(flooder), single(other)]);
      }
    })();
    await waitUntil(() => ended.length >= 20, { what: 'the flood to run' });
    const release = await hold(pages);
    const before = claimed.length;
    const own = await itemsOf(await batch(await account(), 20));
    release();
    await allEnded(own);
    flooding = false;
    await flood;
    const last = Math.max(...own.map((id) => claimed.indexOf(id)));
    expect(last - before).toBeLessThanOrEqual(20 * 4 + 2 * windowOf(pages));
  });

  it('leaves pages to other accounts while all pages of one account hang', async () => {
    const hanging = new Set<string>();
    const { held, release } = gate();
    rendering = (id) => (hanging.has(id) ? held : Promise.resolve());
    for (const itemId of await itemsOf(await insert(await account(), 50))) hanging.add(itemId);
    await enqueue();
    await waitUntil(() => claimed.length >= 3, { what: 'its pages to hang' });

    const healthy = await account();
    const singles = [await single(healthy), await single(healthy), await single(healthy)];
    const own = await itemsOf(await batch(await account(), 20));
    await allEnded([...singles, ...own]);
    expect(ended.some((endedId) => hanging.has(endedId))).toBe(false);
    release();
    await allEnded([...hanging]);
  });
});

describe('the queue', () => {
  it('holds few more captures than there are pages', async () => {
    const { held, release } = gate();
    rendering = () => held;
    await batch(await account(), 50);
    await batch(await account(), 50);
    await batch(await account(), 50);
    await Promise.all(Array.from({ length: 10 }, () => enqueue()));
    expect(await database.prisma.capture.count({ where: { enqueuedAt: { not: null } } })).toBe(windowOf(pages));
    release();
  });

  it('gets nothing while no worker is alive', async () => {
    await stopHeartbeat();
    await database.prisma.worker.deleteMany();
    await batch(await account(), 5);
    expect(await enqueue()).toBe(0);
    await heartbeat();
    expect(await enqueue()).toBe(3);
    await waitUntil(() => ended.length === 5, { what: 'them to end' });
  });

  it('gets no more captures of an account than its plan has slots', async () => {
    const { held, release } = gate();
    rendering = () => held;
    const id = await account();
    await database.prisma.account.update({ where: { id }, data: { plan: 'free' } });
    await batch(id, 50);
    expect(await database.prisma.capture.count({ where: { enqueuedAt: { not: null } } })).toBe(2);
    release();
  });
});
