import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { cancelCapture } from './cancel-capture.ts';
import {
  claim,
  completed,
  endingOf,
  eventContext,
  loseWorkerOf,
  newAccount,
  reserve,
  rowOf,
  usageOf,
  useTestDatabase,
} from './captures.test-support.ts';
import { captureLeaseMs, claimCapture, releaseCapture } from './claim-capture.ts';
import { endCapture } from './end-capture.ts';
import { deleteDeadWorkers, deleteWorker, sendHeartbeat } from './worker-heartbeat.ts';

const database = useTestDatabase();
const context = eventContext('B');

/** The remaining lease, milliseconds by the database's clock. */
async function leaseOf(captureId: string): Promise<number> {
  const { rows } = await database.pool.query(
    'SELECT extract(epoch FROM lease_until - now())::float8 * 1000 AS ms FROM capture WHERE id = $1',
    [captureId],
  );
  return rows[0].ms;
}

const claimOf = (captureId: string) => claimCapture(database.pool, { captureId, workerId: 'worker-1' });

const cancellationOf = (captureId: string) => cancelCapture(database.pool, context, captureId, new Date());

/** The number of statements on this test's database that wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].waiting;
}

describe('a claim', () => {
  it('succeeds for one of many workers', async () => {
    const { id: accountId } = await newAccount(database);
    const captureId = await reserve(database.pool, accountId);
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) => claimCapture(database.pool, { captureId, workerId: `worker-${i}` })),
    );
    const [only, ...others] = claims.filter((each) => each !== null);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ id: captureId, accountId, plan: 'free', attempt: 1, type: 'screenshot' });
    expect(only?.options).toEqual({ url: 'https://example.com/' });
    expect(await rowOf(database.pool, 'capture', captureId)).toMatchObject({
      status: 'processing',
      attempt: 1,
      started_at: only?.startedAt,
    });
    expect(await leaseOf(captureId)).toBeGreaterThan(captureLeaseMs / 2);
    expect(await leaseOf(captureId)).toBeLessThanOrEqual(captureLeaseMs);
  });

  it('is null for a capture that is unknown, cancelled or has ended', async () => {
    const { id: accountId } = await newAccount(database);
    const [cancelled, ended] = [await reserve(database.pool, accountId), await reserve(database.pool, accountId)];
    await cancelCapture(database.pool, context, cancelled, new Date());
    await endCapture(database.pool, context, endingOf(await claim(database.pool, ended)));
    for (const captureId of ['req_unknown', cancelled, ended]) {
      expect(await claimCapture(database.pool, { captureId, workerId: 'worker-1' })).toBeNull();
    }
  });

  it('excludes a concurrent cancellation, and the quota is right', async () => {
    const { id: accountId } = await newAccount(database);
    let claimed = 0;
    for (let round = 0; round < 60; round++) {
      const captureId = await reserve(database.pool, accountId);
      const both = await Promise.all([claimOf(captureId), cancellationOf(captureId)]);
      expect(both.filter(Boolean)).toHaveLength(1);
      const { status } = await rowOf(database.pool, 'capture', captureId);
      expect(status).toBe(both[0] ? 'processing' : 'cancelled');
      if (both[0]) claimed += 1;
      expect(await usageOf(database.pool, accountId)).toEqual({ used: 0, reserved: claimed });
    }
  });

  it('and a cancellation that wait for the same row run in order, and the second finds nothing', async () => {
    const { id: accountId } = await newAccount(database);
    for (const [first, second, status] of [
      [claimOf, cancellationOf, 'processing'],
      [cancellationOf, claimOf, 'cancelled'],
    ] as const) {
      const captureId = await reserve(database.pool, accountId);
      const holder = await database.pool.connect();
      await holder.query('BEGIN');
      await holder.query('SELECT FROM capture WHERE id = $1 FOR UPDATE', [captureId]);
      const firstDone = first(captureId);
      await waitUntil(async () => (await waitingForLocks()) === 1, { what: 'the first to wait for the row' });
      const secondDone = second(captureId);
      await waitUntil(async () => (await waitingForLocks()) === 2, { what: 'the second to wait for the row' });
      await holder.query('COMMIT');
      holder.release();
      expect([Boolean(await firstDone), Boolean(await secondDone)]).toEqual([true, false]);
      expect(await rowOf(database.pool, 'capture', captureId)).toMatchObject({ status });
    }
  });
});

describe('a cancellation', () => {
  it('returns the unit of quota once, however often it is requested', async () => {
    const { id: accountId } = await newAccount(database);
    const captureId = await reserve(database.pool, accountId, { webhookUrl: 'https://hooks.example.com/' });
    const at = new Date('2026-11-20T10:00:00Z');
    const all = await Promise.all([1, 2, 3, 4].map(() => cancelCapture(database.pool, context, captureId, at)));
    expect(all.filter(Boolean)).toHaveLength(1);
    expect(await usageOf(database.pool, accountId)).toEqual({ used: 0, reserved: 0 });
    expect(await rowOf(database.pool, 'capture', captureId)).toMatchObject({ status: 'cancelled', completed_at: at });
    const { rows } = await database.pool.query('SELECT 1 FROM event WHERE capture_id = $1', [captureId]);
    expect(rows).toEqual([]);
  });

  it('of a capture that is being rendered needs an option; then its worker’s outcome is refused', async () => {
    const { id: accountId } = await newAccount(database);
    const claimed = await claim(database.pool, await reserve(database.pool, accountId));
    expect(await cancelCapture(database.pool, context, claimed.id, new Date())).toBe(false);
    expect(await cancelCapture(database.pool, context, claimed.id, new Date(), { processing: true })).toBe(true);
    expect(await endCapture(database.pool, context, endingOf(claimed, completed))).toBeNull();
    expect(await usageOf(database.pool, accountId)).toEqual({ used: 0, reserved: 0 });
  });
});

describe('a released capture', () => {
  it('can be claimed again, as another attempt, and no worker counts as lost', async () => {
    const { id: accountId } = await newAccount(database);
    const first = await claim(database.pool, await reserve(database.pool, accountId));
    expect(await releaseCapture(database.pool, first)).toBe(true);
    expect(await rowOf(database.pool, 'capture', first.id)).toMatchObject({
      status: 'queued',
      lost_workers: 0,
      worker_id: null,
      lease_until: null,
      started_at: null,
      enqueued_at: null,
    });
    expect(await endCapture(database.pool, context, endingOf(first))).toBeNull();
    const second = await claim(database.pool, first.id, 'worker-2');
    expect(second.attempt).toBe(2);
    expect(await usageOf(database.pool, accountId)).toEqual({ used: 0, reserved: 1 });
  });

  it('is released only by the attempt that holds it', async () => {
    const { id: accountId } = await newAccount(database);
    const first = await claim(database.pool, await reserve(database.pool, accountId));
    await releaseCapture(database.pool, first);
    const second = await claim(database.pool, first.id, 'worker-2');
    expect(await releaseCapture(database.pool, first)).toBe(false);
    await endCapture(database.pool, context, endingOf(second));
    expect(await releaseCapture(database.pool, second)).toBe(false);
    expect((await rowOf(database.pool, 'capture', first.id)).status).toBe('completed');
  });
});

describe('a heartbeat', () => {
  it('renews only the worker’s own claims on the captures that it names', async () => {
    const { id: accountId } = await newAccount(database);
    const ids = await Promise.all([1, 2, 3, 4].map(() => reserve(database.pool, accountId)));
    const [own, notNamed, foreign, ended] = ids as [string, string, string, string];
    for (const id of [own, notNamed, ended]) await claim(database.pool, id, 'worker-1');
    await claim(database.pool, foreign, 'worker-2');
    for (const id of ids) await loseWorkerOf(database.pool, id);
    await endCapture(database.pool, context, endingOf({ id: ended, attempt: 1 }));
    await sendHeartbeat(database.pool, { id: 'worker-1', pages: 4, captureIds: [own, foreign, ended] });
    expect(await leaseOf(own)).toBeGreaterThan(captureLeaseMs / 2);
    for (const id of [notNamed, foreign]) expect(await leaseOf(id)).toBeLessThan(0);
    expect((await rowOf(database.pool, 'capture', ended)).lease_until).toBeNull();
  });

  it('keeps the worker’s row until it shuts down or has been silent for a day', async () => {
    const workers = async () => (await database.pool.query('SELECT id, pages FROM worker ORDER BY id')).rows;
    await sendHeartbeat(database.pool, { id: 'worker-1', pages: 4, captureIds: [] });
    await sendHeartbeat(database.pool, { id: 'worker-1', pages: 8, captureIds: [] });
    await sendHeartbeat(database.pool, { id: 'worker-2', pages: 2, captureIds: [] });
    expect(await workers()).toEqual([
      { id: 'worker-1', pages: 8 },
      { id: 'worker-2', pages: 2 },
    ]);
    await database.pool.query(`UPDATE worker SET heartbeat_at = now() - interval '25 hours' WHERE id = 'worker-2'`);
    await deleteDeadWorkers(database.pool);
    expect(await workers()).toEqual([{ id: 'worker-1', pages: 8 }]);
    await deleteWorker(database.pool, 'worker-1');
    expect(await workers()).toEqual([]);
  });
});
