import { forms } from '@capture/contract/forms';
import { beginAttempt } from '@capture/database/begin-attempt';
import { claimDeliveries } from '@capture/database/claim-deliveries';
import { connectRedis, whenReady } from '@capture/queue/connect-redis';
import { type JobQueue, openJobQueue } from '@capture/queue/job-queue';
import { createTestRedis, startOwnRedis } from '@capture/testing/redis';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { type ClaimDependencies, claimDue } from './claim.ts';
import {
  closeAll,
  closings,
  deliveryOf,
  newAccount,
  openTestDatabase,
  readableLog,
  recordEvent,
} from './deliveries.test-support.ts';

afterEach(closeAll);

const { A, B } = forms;
const webhookUrl = 'https://hooks.example.com/';

async function open(server: { url: string }, form = B) {
  const database = await openTestDatabase();
  const redis: Redis = connectRedis({ url: server.url });
  closings.push(() => redis.disconnect());
  await whenReady(redis, 5_000);
  const deliveryQueue: JobQueue<'delivery'> = openJobQueue(redis, 'delivery');
  closings.push(() => deliveryQueue.close());
  const { log, lines } = readableLog();
  const dependencies: ClaimDependencies = { form, database, deliveryQueue, log };
  const accountId = await newAccount(database, 'whsec_QUJD');
  const record = () => recordEvent(database, form, { accountId, webhookUrl });
  return { database, redis, deliveryQueue, dependencies, lines, record };
}

async function openOnTestRedis(form = B) {
  const server = await createTestRedis();
  closings.push(() => server.close());
  return open(server, form);
}

/** The jobs that wait, as `<delivery>-<attempt>`. */
const jobsIn = (redis: Redis) => redis.lrange('bull:deliveries:wait', 0, -1);

describe('what is due', () => {
  it('is claimed and put into the queue, a job each', async () => {
    const { database, redis, dependencies, record } = await openOnTestRedis();
    const events = [await record(), await record(), await record()];
    expect(await claimDue(dependencies, 100)).toBe(3);
    expect((await jobsIn(redis)).sort()).toEqual(events.map(({ deliveryId }) => `${deliveryId}-1`).sort());
    for (const { deliveryId } of events) expect(await deliveryOf(database, deliveryId)).toMatchObject({ attempt: 1 });
    expect(await claimDue(dependencies, 100)).toBe(0);
  });

  it('is claimed only as far as there is room in the queue; the rest stays as it is', async () => {
    const { database, deliveryQueue, dependencies, record } = await openOnTestRedis();
    for (let i = 0; i < 7; i++) await record();
    expect(await claimDue(dependencies, 5)).toBe(5);
    // Full, or fuller than this dispatcher would have it.
    for (const enough of [5, 3]) expect(await claimDue(dependencies, enough)).toBe(0);
    expect(await deliveryQueue.waiting()).toBe(5);
    const { rows } = await database.pool.query('SELECT count(*)::int FROM delivery WHERE attempt = 0');
    expect(rows[0].count).toBe(2);
  });

  it('is claimed again, as another job, once its claim has ended unused', async () => {
    const { database, redis, dependencies, record } = await openOnTestRedis();
    const { deliveryId } = await record();
    await claimDue(dependencies, 5);
    // What Redis held is lost.
    await redis.flushdb();
    const later = () => new Date(Date.now() + 60_001);
    expect(await claimDue(dependencies, 5)).toBe(0);
    expect(await claimDue(dependencies, 5, later)).toBe(1);
    expect(await jobsIn(redis)).toEqual([`${deliveryId}-2`]);
    expect(await deliveryOf(database, deliveryId)).toMatchObject({ attempt_count: 0, retries_used: 0 });
  });
});

describe('without Redis', () => {
  it('nothing is claimed, and all of it is once Redis is back', async () => {
    const own = await startOwnRedis();
    closings.push(() => own.stop());
    const { database, redis, dependencies, record } = await open(own);
    const { deliveryId } = await record();
    own.kill();
    await own.exited;
    await expect(claimDue(dependencies, 5)).rejects.toThrow();
    expect(await deliveryOf(database, deliveryId)).toMatchObject({ attempt: 0, lease_until: null });
    await own.restart();
    await whenReady(redis, 5_000);
    expect(await claimDue(dependencies, 5)).toBe(1);
  });

  it('that goes between the claim and the queue, the claim is given back at once', async () => {
    const { database, dependencies, record } = await openOnTestRedis();
    const { deliveryId } = await record();
    const add = () => Promise.reject(new Error('Redis is away'));
    const without = { ...dependencies, deliveryQueue: { ...dependencies.deliveryQueue, add } };
    await expect(claimDue(without, 5)).rejects.toThrow('Redis is away');
    expect(await deliveryOf(database, deliveryId)).toMatchObject({ attempt: 1, lease_until: null });
    expect(await claimDue(dependencies, 5)).toBe(1);
  });
});

describe('an attempt whose dispatcher was lost', () => {
  it('is given up in form A, with a line in the log; in form B it is claimed again', async () => {
    for (const form of [A, B]) {
      const { database, dependencies, lines, record } = await openOnTestRedis(form);
      const { deliveryId } = await record();
      const at = new Date();
      const [claim] = await claimDeliveries(database.pool, form, { at, limit: 1 });
      if (claim) await beginAttempt(database.pool, claim, at);
      const later = () => new Date(Date.now() + 60_001);
      expect(await claimDue(dependencies, 5, later)).toBe(form === A ? 0 : 1);
      expect(await deliveryOf(database, deliveryId)).toEqual(form === A ? undefined : expect.anything());
      const given = lines.filter(({ deliveries }) => deliveries !== undefined);
      expect(given.map(({ level, deliveries }) => [level, deliveries])).toEqual(
        form === A ? [['warn', [deliveryId]]] : [],
      );
    }
  });
});
