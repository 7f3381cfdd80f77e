import { forms } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { beginAttempt } from '@capture/database/deliveries/begin-attempt';
import { waitingLeaseMs } from '@capture/database/deliveries/claim-deliveries';
import { connectRedis, whenReady } from '@capture/queue/connect-redis';
import { openJobQueue } from '@capture/queue/job-queue';
import { withClockAhead } from '@capture/testing/clock-ahead';
import { createTestRedis, startOwnRedis } from '@capture/testing/redis';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { type ClaimDependencies, claimDue } from './claim.ts';
import {
  beAlive,
  closeAll,
  closeLater,
  closings,
  countDeliveries,
  dispatcherId,
  newAccount,
  openTestDatabase,
  readableLog,
  readDelivery,
  recordEvent,
} from './deliveries.test-support.ts';

afterEach(closeAll);

const { A, B } = forms;

const webhookUrl = 'https://hooks.example.com/';

async function open(server: { url: string }, form = B) {
  const database = await openTestDatabase();
  const redis = connectRedis({ url: server.url });
  closings.push(() => redis.disconnect());
  await whenReady(redis, 30_000);
  const deliveryQueue = closeLater(openJobQueue(redis, 'delivery'));
  const { log, lines } = readableLog();
  const position = { after: '' };
  const dependencies: ClaimDependencies = {
    form,
    database,
    deliveryQueue,
    metrics: countDeliveries(),
    log,
    position,
  };
  const accountId = await newAccount(database, 'whsec_QUJD');
  const record = () => recordEvent(database, form, { accountId, webhookUrl });
  /** Claims as a dispatcher with this many slots. @returns the number of claimed deliveries. */
  async function claim({ slots = 256, at = () => new Date(), through = dependencies } = {}): Promise<number> {
    await beAlive(database, slots);
    const before = await claimsIn(database);
    await claimDue({ ...through, now: at });
    return (await claimsIn(database)) - before;
  }
  return { database, redis, deliveryQueue, dependencies, lines, record, claim };
}

async function openOnTestRedis(form = B) {
  return open(closeLater(await createTestRedis()), form);
}

async function claimsIn({ pool }: Database): Promise<number> {
  const { rows } = await pool.query('SELECT coalesce(sum(attempt), 0)::int AS claims FROM delivery');
  return rows[0].claims;
}

/** Returns the claims of each waiting job, as `<delivery>-<attempt>`. */
async function jobsIn(redis: Redis): Promise<string[][]> {
  const ids = await redis.lrange('bull:deliveries:wait', 0, -1);
  const jobs = await Promise.all(ids.map((id) => redis.hget(`bull:deliveries:${id}`, 'data')));
  return jobs.map((job) =>
    JSON.parse(job ?? '').claims.map(
      ({ deliveryId, attempt }: { deliveryId: string; attempt: number }) => `${deliveryId}-${attempt}`,
    ),
  );
}

describe('a due delivery', () => {
  it('is claimed and queued', async () => {
    const { database, redis, record, claim } = await openOnTestRedis();
    const [one, two] = [await record(), await record()];
    expect(await claim()).toBe(2);
    expect((await jobsIn(redis)).flat().sort()).toEqual([`${one.deliveryId}-1`, `${two.deliveryId}-1`].sort());
    for (const { deliveryId } of [one, two])
      expect(await readDelivery(database, deliveryId)).toMatchObject({ attempt: 1 });
    expect(await claim()).toBe(0);
  });

  it('is queued in a job of at most eight claims', async () => {
    const { database, redis, record, claim } = await openOnTestRedis();
    for (let i = 0; i < 10; i++) await record();
    await database.pool.query('UPDATE receiver SET prompt = true');
    expect(await claim()).toBe(10);
    const jobs = await jobsIn(redis);
    expect(jobs.map((job) => job.length).sort()).toEqual([2, 8]);
    expect(new Set(jobs.flat()).size).toBe(10);
  });

  it('is claimed only if a slot is free; the others stay unchanged and are reported as waiting', async () => {
    const { database, dependencies, record, claim } = await openOnTestRedis();
    for (let i = 0; i < 7; i++) await record();
    await database.pool.query('UPDATE receiver SET prompt = true');
    // One account gets a quarter of the slots.
    expect(await claim({ slots: 20 })).toBe(5);
    for (const slots of [20, 5]) expect(await claim({ slots })).toBe(0);
    expect(await claimDue(dependencies)).toMatchObject({ waiting: true });
    const { rows } = await database.pool.query('SELECT count(*)::int FROM delivery WHERE attempt = 0');
    expect(rows[0].count).toBe(2);
  });

  it('is claimed again in a new job once its claim has expired unused', async () => {
    const { database, redis, record, claim } = await openOnTestRedis();
    const { deliveryId } = await record();
    await claim();
    // Redis loses its data.
    await redis.flushdb();
    expect(await claim()).toBe(0);
    expect(await claim({ at: () => new Date(Date.now() + waitingLeaseMs) })).toBe(1);
    expect(await jobsIn(redis)).toEqual([[`${deliveryId}-2`]]);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ attempt_count: 0, retries_used: 0 });
  });

  it('that is due later is reported to the millisecond', async () => {
    const { database, dependencies, record } = await openOnTestRedis();
    const { deliveryId } = await record();
    const at = new Date(Date.now() + 3_600_000);
    await database.pool.query('UPDATE delivery SET next_attempt_at = $2 WHERE id = $1', [deliveryId, at]);
    await database.pool.query('UPDATE receiver SET next_due_at = $1', [at]);
    const now = () => new Date(at.getTime() - 1_234);
    expect(await claimDue({ ...dependencies, now })).toEqual({ waiting: false, nextDueInMs: 1_234 });
  });
});

describe('without Redis', () => {
  it('nothing is claimed until Redis is back', async () => {
    const own = await startOwnRedis();
    closings.push(() => own.stop());
    const { database, redis, dependencies, record, claim } = await open(own);
    const { deliveryId } = await record();
    own.kill();
    await own.exited;
    await expect(claimDue(dependencies)).rejects.toThrow();
    expect(await readDelivery(database, deliveryId)).toMatchObject({ attempt: 0, lease_until: null });
    await own.restart();
    await whenReady(redis, 30_000);
    expect(await claim()).toBe(1);
  });

  it('a claim that could not be queued is returned at once', async () => {
    const { database, dependencies, record, claim } = await openOnTestRedis();
    const { deliveryId } = await record();
    const add = () => Promise.reject(new Error('Redis is unavailable'));
    const without = { ...dependencies, deliveryQueue: { ...dependencies.deliveryQueue, add } };
    await expect(claim({ through: without })).rejects.toThrow('Redis is unavailable');
    expect(await readDelivery(database, deliveryId)).toMatchObject({ attempt: 1, lease_until: null });
    expect(await claim()).toBe(1);
  });
});

describe('a dispatcher whose clock is ahead', () => {
  it('neither repeats nor drops an attempt in progress', async () => {
    for (const form of [A, B]) {
      const { database, dependencies, record } = await openOnTestRedis(form);
      const { deliveryId } = await record();
      await beAlive(database);
      await claimDue(dependencies);
      await beginAttempt(database.pool, form, { id: deliveryId, attempt: 1 }, { dispatcherId });
      await withClockAhead(3_600_000, () => claimDue(dependencies));
      expect(await readDelivery(database, deliveryId)).toMatchObject({ attempt: 1, begun_attempt: 1 });
    }
  });
});

describe('an attempt of a lost dispatcher', () => {
  it('is dropped in form A and logged; in form B it is claimed again', async () => {
    for (const form of [A, B]) {
      const { database, redis, lines, record, claim } = await openOnTestRedis(form);
      const { deliveryId } = await record();
      await claim();
      expect(await jobsIn(redis)).toEqual([[`${deliveryId}-1`]]);
      await beginAttempt(database.pool, form, { id: deliveryId, attempt: 1 }, { dispatcherId, at: new Date() });
      const leaseOver = () => new Date(Date.now() + form.delivery.timeoutMs + 30_000);
      await claim({ at: leaseOver });
      const row = await readDelivery(database, deliveryId);
      expect(row).toEqual(form === A ? undefined : expect.objectContaining({ attempt: 2 }));
      const dropped = lines.filter(({ deliveries }) => deliveries !== undefined);
      expect(dropped.map(({ level, deliveries }) => [level, deliveries])).toEqual(
        form === A ? [['warn', [deliveryId]]] : [],
      );
    }
  });
});
