import { beforeEach, describe, expect, it } from '@jest/globals';
import { inOrder } from '../endpoints/webhooks.test-support.ts';
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
  sendHeartbeats,
  usageOf,
  useTestDatabase,
  whileLocked,
} from './captures.test-support.ts';
import { captureLeaseMs, claimCapture, releaseCapture } from './claim-capture.ts';
import { endCapture } from './end-capture.ts';
import { deleteDeadWorkers, deleteWorker, sendHeartbeat } from './worker-heartbeat.ts';

const database = await useTestDatabase();
const { pool } = database;
let accountId: string;
beforeEach(async () => {
  accountId = (await newAccount(database)).id;
});
const context = eventContext('B');

/** Reads the remaining lease in milliseconds, by the database's clock. */
async function leaseMs(captureId: string): Promise<number> {
  const { rows } = await pool.query(
    'SELECT extract(epoch FROM lease_until - now())::float8 * 1000 AS ms FROM capture WHERE id = $1',
    [captureId],
  );
  return rows[0].ms;
}

const claimOf = (captureId: string) => claimCapture(pool, { captureId, workerId: 'worker-1' });

const cancellationOf = (captureId: string) => cancelCapture(pool, context, captureId);

describe('a claim', () => {
  it('succeeds for one of many workers', async () => {
    const captureId = await reserve(pool, accountId);
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) => claimCapture(pool, { captureId, workerId: `worker-${i}` })),
    );
    const [only, ...others] = claims.filter((each) => each !== null);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ id: captureId, accountId, plan: 'free', attempt: 1, type: 'screenshot' });
    expect(only?.options).toEqual({ url: 'https://example.com/' });
    expect(await rowOf(pool, 'capture', captureId)).toMatchObject({
      status: 'processing',
      attempt: 1,
      started_at: only?.startedAt,
    });
    expect(await leaseMs(captureId)).toBeGreaterThan(captureLeaseMs / 2);
    expect(await leaseMs(captureId)).toBeLessThanOrEqual(captureLeaseMs);
  });

  it('is null for a capture that is unknown, cancelled or has ended', async () => {
    const [cancelled, ended] = [await reserve(pool, accountId), await reserve(pool, accountId)];
    await cancelCapture(pool, context, cancelled);
    await endCapture(pool, context, endingOf(await claim(pool, ended)));
    for (const captureId of ['req_unknown', cancelled, ended]) {
      expect(await claimCapture(pool, { captureId, workerId: 'worker-1' })).toBeNull();
    }
  });

  it('excludes a concurrent cancellation, and the quota is right', async () => {
    let claimed = 0;
    for (let round = 0; round < 60; round++) {
      const captureId = await reserve(pool, accountId);
      const both = await Promise.all([claimOf(captureId), cancellationOf(captureId)]);
      expect(both.filter(Boolean)).toHaveLength(1);
      const { status } = await rowOf(pool, 'capture', captureId);
      expect(status).toBe(both[0] ? 'processing' : 'cancelled');
      if (both[0]) claimed += 1;
      expect(await usageOf(pool, accountId)).toEqual({ used: 0, reserved: claimed });
    }
  });

  it('and a cancellation that wait for the same row run in order, and the second finds nothing', async () => {
    for (const [first, second, status] of [
      [claimOf, cancellationOf, 'processing'],
      [cancellationOf, claimOf, 'cancelled'],
    ] as const) {
      const captureId = await reserve(pool, accountId);
      const lock = ['SELECT FROM capture WHERE id = $1 FOR UPDATE', captureId] as const;
      const both = await inOrder<unknown, unknown>(
        database,
        lock,
        () => first(captureId),
        () => second(captureId),
      );
      expect(both.map(Boolean)).toEqual([true, false]);
      expect(await rowOf(pool, 'capture', captureId)).toMatchObject({ status });
    }
  });
});

describe('a cancellation', () => {
  it('returns the unit of quota once, however often it is requested', async () => {
    const captureId = await reserve(pool, accountId, { webhookUrl: 'https://hooks.example.com/' });
    const all = await Promise.all([1, 2, 3, 4].map(() => cancelCapture(pool, context, captureId)));
    expect(all.filter(Boolean)).toHaveLength(1);
    expect(await usageOf(pool, accountId)).toEqual({ used: 0, reserved: 0 });
    expect(await rowOf(pool, 'capture', captureId)).toMatchObject({
      status: 'cancelled',
      completed_at: expect.any(Date),
    });
    const { rows } = await pool.query('SELECT 1 FROM event WHERE capture_id = $1', [captureId]);
    expect(rows).toEqual([]);
  });

  it('of a capture that is being rendered needs an option; then its worker’s outcome is refused', async () => {
    const claimed = await claim(pool, await reserve(pool, accountId));
    expect(await cancelCapture(pool, context, claimed.id)).toBe(false);
    expect(await cancelCapture(pool, context, claimed.id, { processing: true })).toBe(true);
    expect(await endCapture(pool, context, endingOf(claimed, completed))).toBeNull();
    expect(await usageOf(pool, accountId)).toEqual({ used: 0, reserved: 0 });
  });
});

describe('a released capture', () => {
  it('can be claimed again, as another attempt, and no worker counts as lost', async () => {
    const first = await claim(pool, await reserve(pool, accountId));
    expect(await releaseCapture(pool, first)).toBe(true);
    expect(await rowOf(pool, 'capture', first.id)).toMatchObject({
      status: 'queued',
      lost_workers: 0,
      worker_id: null,
      lease_until: null,
      started_at: null,
      enqueued_at: null,
    });
    expect(await endCapture(pool, context, endingOf(first))).toBeNull();
    const second = await claim(pool, first.id, 'worker-2');
    expect(second.attempt).toBe(2);
    expect(await usageOf(pool, accountId)).toEqual({ used: 0, reserved: 1 });
  });

  it('is released only by the attempt that holds it', async () => {
    const first = await claim(pool, await reserve(pool, accountId));
    await releaseCapture(pool, first);
    const second = await claim(pool, first.id, 'worker-2');
    expect(await releaseCapture(pool, first)).toBe(false);
    await endCapture(pool, context, endingOf(second));
    expect(await releaseCapture(pool, second)).toBe(false);
    expect((await rowOf(pool, 'capture', first.id)).status).toBe('completed');
  });
});

describe('a heartbeat', () => {
  it('renews only the worker’s own claims on the captures that it names', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(() => reserve(pool, accountId)));
    const [own, notNamed, foreign, ended] = ids as [string, string, string, string];
    for (const id of [own, notNamed, ended]) await claim(pool, id, 'worker-1');
    await claim(pool, foreign, 'worker-2');
    for (const id of ids) await loseWorkerOf(pool, id);
    await endCapture(pool, context, endingOf({ id: ended, attempt: 1 }));
    const owned = await sendHeartbeat(pool, { id: 'worker-1', pages: 4, captureIds: [own, foreign, ended] });
    expect(owned).toEqual([[own, 1]]);
    expect(await leaseMs(own)).toBeGreaterThan(captureLeaseMs / 2);
    for (const id of [notNamed, foreign]) expect(await leaseMs(id)).toBeLessThan(0);
    expect((await rowOf(pool, 'capture', ended)).lease_until).toBeNull();
  });

  it('does not wait for a capture whose row is locked, and renews the others', async () => {
    const ids = await Promise.all([1, 2].map(() => reserve(pool, accountId)));
    const [locked, other] = ids as [string, string];
    for (const id of ids) {
      await claim(pool, id, 'worker-1');
      await loseWorkerOf(pool, id);
    }
    const owned = await whileLocked(database, ['SELECT FROM capture WHERE id = $1 FOR UPDATE', locked], () =>
      sendHeartbeat(pool, { id: 'worker-1', pages: 4, captureIds: ids }),
    );
    expect(owned.map(([id]) => id).sort()).toEqual(ids.sort());
    expect(await leaseMs(other)).toBeGreaterThan(captureLeaseMs / 2);
    expect(await leaseMs(locked)).toBeLessThan(0);
  });

  it('names no capture that was cancelled, or that is of another attempt by now', async () => {
    const [cancelled, again] = [
      await claim(pool, await reserve(pool, accountId)),
      await claim(pool, await reserve(pool, accountId)),
    ];
    await cancelCapture(pool, context, cancelled.id, { processing: true });
    await releaseCapture(pool, again);
    await claim(pool, again.id);
    const captureIds = [cancelled.id, again.id];
    expect(await sendHeartbeat(pool, { id: 'worker-1', pages: 4, captureIds })).toEqual([[again.id, 2]]);
  });

  it('keeps the worker’s row until it shuts down or has been silent for a day', async () => {
    const workers = async () => (await pool.query('SELECT id, pages FROM worker ORDER BY id')).rows;
    await sendHeartbeats(pool, { 'worker-1': 4 });
    await sendHeartbeats(pool, { 'worker-1': 8, 'worker-2': 2 });
    expect(await workers()).toEqual([
      { id: 'worker-1', pages: 8 },
      { id: 'worker-2', pages: 2 },
    ]);
    await pool.query(`UPDATE worker SET heartbeat_at = now() - interval '25 hours' WHERE id = 'worker-2'`);
    await deleteDeadWorkers(pool);
    expect(await workers()).toEqual([{ id: 'worker-1', pages: 8 }]);
    await deleteWorker(pool, 'worker-1');
    expect(await workers()).toEqual([]);
  });
});
