import { forms } from '@capture/contract/forms/forms';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { transaction } from '../database.ts';
import { timeOfId } from '../ids.ts';
import { createPartitions, startOfWeek } from '../partitions/create-partitions.ts';
import { dropPartition } from '../partitions/drop-partition.ts';
import { partitionedTable } from '../partitions/partitioned-tables.ts';
import { type Partition, readPartitions } from '../partitions/read-partitions.ts';
import { deleteIdleReceivers, deleteOldDeliveries, failOldDeliveries } from './delete-old-deliveries.ts';
import {
  after,
  beginOne,
  claimOne,
  countRows,
  due,
  insertDelivery,
  outcomeOf,
  receiverOf,
} from './deliveries.test-support.ts';
import { recordAttempt } from './record-attempt.ts';
import { retryDelivery } from './retry-delivery.ts';

const database = await useTestDatabase();
const { pool } = database;
const day = 86_400_000;
let accountId: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event, delivery, delivery_attempt');
  accountId = (await newAccount(database)).id;
});

/** Inserts a delivery of `due`, ended or open, with an attempt. */
async function insertEnded(status: string, completedAt: Date | null, at = due): Promise<string> {
  const id = await insertDelivery(pool, accountId, at);
  await pool.query(
    `UPDATE delivery SET status = $2, completed_at = $3, next_attempt_at = CASE WHEN $2 = 'pending' THEN $4::timestamptz END
      WHERE id = $1`,
    [id, status, completedAt, at],
  );
  await pool.query(
    `INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms)
     VALUES ($1, 1, 'schedule', $2, 1)`,
    [id, at],
  );
  return id;
}

/** Deletes old deliveries as the cleanup job does this many milliseconds after `due`. */
const deleteOld = (ms: number) => deleteOldDeliveries(pool, { at: after(due, ms), days: 30 });

const remaining = async () => (await pool.query('SELECT id FROM delivery ORDER BY id')).rows.map(({ id }) => id);

it('deletes logs 30 days after their deliveries ended, with attempts and events, but no open ones', async () => {
  const [delivered, failed] = [await insertEnded('delivered', due), await insertEnded('failed', due)];
  const later = await insertEnded('failed', after(due, 1));
  const open = [await insertEnded('pending', null), await insertEnded('paused', null)];
  expect(await deleteOld(30 * day)).toBe(0);
  expect(await deleteOld(30 * day + 1)).toBe(2);
  expect(await remaining()).not.toContain(delivered);
  expect(await remaining()).not.toContain(failed);
  expect(await countRows(pool)).toEqual({ deliveries: 3, events: 3, attempts: 3 });
  expect(await deleteOld(90 * day)).toBe(1);
  expect(await remaining()).toEqual([...open].sort());
  expect(await remaining()).not.toContain(later);
});

it('keeps an event as long as one of its deliveries', async () => {
  const id = await insertEnded('delivered', due);
  await pool.query(
    `INSERT INTO delivery (id, event_id, account_id, url, created_at, status)
     SELECT 'dlv_other', event_id, account_id, url, created_at, 'paused' FROM delivery WHERE id = $1`,
    [id],
  );
  expect(await deleteOld(31 * day)).toBe(1);
  expect(await countRows(pool)).toEqual({ deliveries: 1, events: 1, attempts: 0 });
});

it('deletes more than fits into one statement', async () => {
  const id = await insertEnded('failed', due);
  await pool.query(
    `INSERT INTO delivery (id, event_id, account_id, url, created_at, completed_at, status)
     SELECT id || n, event_id, account_id, url, created_at, completed_at, status
       FROM delivery, generate_series(1, 2499) n WHERE id = $1`,
    [id],
  );
  expect(await deleteOld(31 * day)).toBe(2_500);
  expect(await countRows(pool)).toEqual({ deliveries: 0, events: 0, attempts: 0 });
});

describe('deliveries that are still open after 30 days', () => {
  const at = after(due, 30 * day + 1);
  const failOld = (time = at) => failOldDeliveries(pool, { at: time, days: 30 });
  const rowOf = async (id: string) => {
    const columns = 'status, last_error, completed_at, next_attempt_at, lease_until';
    return (await pool.query(`SELECT ${columns} FROM delivery WHERE id = $1`, [id])).rows[0];
  };

  it.each([
    ['paused', 'held_too_long'],
    ['pending', 'pending_too_long'],
  ] as const)('fail if they are %s, and are kept for 30 more days', async (status, error) => {
    const nothing = { paused: 0, pending: 0 };
    const id = await insertEnded(status, null);
    expect(await failOld(after(due, 30 * day))).toEqual(nothing);
    expect(await failOld()).toEqual({ ...nothing, [status]: 1 });
    const failed = { status: 'failed', last_error: error, completed_at: at, next_attempt_at: null, lease_until: null };
    expect(await rowOf(id)).toEqual(failed);
    expect(await failOld()).toEqual(nothing);
    await deleteOld(60 * day);
    expect(await remaining()).toEqual([id]);
    await deleteOld(60 * day + 2);
    expect(await remaining()).toEqual([]);
  });

  it('fail in slices, which skip deliveries that must stay', async () => {
    const id = await insertEnded('pending', null);
    await pool.query(
      `INSERT INTO delivery (id, event_id, account_id, url, created_at, status, next_attempt_at)
       SELECT left(id, -6) || lpad(n::text, 6, '0'), event_id, account_id, url, created_at, status,
              CASE WHEN n <= 1200 THEN $2::timestamptz ELSE next_attempt_at END
         FROM delivery, generate_series(1, 2499) n WHERE id = $1`,
      [id, at],
    );
    const retention = { at, days: 30 };
    let slices = 0;
    expect(await failOldDeliveries(pool, { ...retention, goOn: () => ++slices < 2 })).toMatchObject({ pending: 800 });
    expect(await failOldDeliveries(pool, retention)).toEqual({ paused: 0, pending: 500 });
  });

  it('are left while an attempt is in progress, and fail if it was lost', async () => {
    const id = await insertDelivery(pool, accountId);
    const attempt = await beginOne(pool, forms.B, at);
    expect(await failOld()).toEqual({ paused: 0, pending: 0 });
    await recordAttempt(pool, forms.B, attempt, outcomeOf(at, 500, 'http_5xx'));
    expect(await failOld()).toEqual({ paused: 0, pending: 0 });
    expect(await rowOf(id)).toMatchObject({ status: 'pending', last_error: 'http_5xx' });
    const retried = after(at, 60_000);
    const { id: claimed } = await claimOne(pool, forms.B, retried);
    expect(claimed).toBe(id);
    expect(await failOld(after(retried, day))).toEqual({ paused: 0, pending: 0 });
    expect(await failOld(after(retried, 2 * day))).toEqual({ paused: 0, pending: 1 });
  });

  it('can be retried, and then have a day for it', async () => {
    const id = await insertDelivery(pool, accountId);
    await failOld();
    expect(await transaction(pool, (connection) => retryDelivery(connection, { id, accountId }, at))).toEqual({
      outcome: 'now',
    });
    expect(await failOld(after(at, day))).toEqual({ paused: 0, pending: 0 });
    await recordAttempt(pool, forms.B, await beginOne(pool, forms.B, after(at, day)), outcomeOf(at, 200, null));
    expect(await rowOf(id)).toMatchObject({ status: 'delivered' });
  });
});

describe('a week that is past', () => {
  // The week is beyond the first partition, which ends within three weeks.
  const week = startOfWeek(after(new Date(), 70 * day));
  const lately = after(week, 20 * day);
  const past = { at: after(week, 38 * day), days: 30 };
  const partitions = async () => {
    const found = await Promise.all(
      (['delivery', 'delivery_attempt', 'event'] as const).map((name) => readPartitions(pool, { name })),
    );
    return found.flat().filter(({ from }) => from !== null && timeOfId(from) <= week).length;
  };
  const partitionOfWeek = async () => {
    const found = await readPartitions(pool, partitionedTable('delivery'));
    return found.find(({ from }) => from !== null && timeOfId(from) >= week) as Partition;
  };
  let ended: string;

  beforeEach(async () => {
    await createPartitions(pool, week);
    ended = await insertEnded('delivered', after(week, 1), week);
    await insertEnded('failed', after(week, 1), week);
  });

  it('is dropped with its events and attempts', async () => {
    expect(await partitions()).toBe(3);
    await deleteOldDeliveries(pool, { ...past, at: after(week, 36 * day) });
    expect(await partitions()).toBe(3);
    await deleteOldDeliveries(pool, past);
    expect(await partitions()).toBe(0);
    expect(await countRows(pool)).toEqual({ deliveries: 0, events: 0, attempts: 0 });
  });

  it.each([
    ['an open delivery', `UPDATE delivery SET status = 'pending', completed_at = NULL WHERE id = $1`, []],
    ['a held delivery', `UPDATE delivery SET status = 'paused', completed_at = NULL WHERE id = $1`, []],
    [
      'a delivery that failed lately',
      `UPDATE delivery SET status = 'failed', completed_at = $2 WHERE id = $1`,
      [lately],
    ],
    [
      'a delivery that was replayed lately',
      `WITH replayed AS (UPDATE delivery_attempt SET started_at = $2 WHERE delivery_id = $1)
       UPDATE delivery SET completed_at = $2 WHERE id = $1`,
      [lately],
    ],
  ])('that contains %s keeps it and loses the rest', async (_what, change, times) => {
    await pool.query(change, [ended, ...times]);
    expect(await deleteOldDeliveries(pool, past)).toBe(1);
    expect(await partitions()).toBe(3);
    expect(await remaining()).toEqual([ended]);
    expect(await countRows(pool)).toEqual({ deliveries: 1, events: 1, attempts: 1 });
    await pool.query(`UPDATE delivery SET status = 'failed', completed_at = $1`, [week]);
    await pool.query('UPDATE delivery_attempt SET started_at = $1', [week]);
    await deleteOldDeliveries(pool, past);
    expect(await partitions()).toBe(0);
  });

  it('is not dropped when a retry begins and fails after the first check', async () => {
    const { name } = await partitionOfWeek();
    const connection = await pool.connect();
    let deleting: Promise<number>;
    try {
      // The first check does not see the uncommitted retry. The retry locks only its partition, so the partitions of other weeks
      // can be dropped.
      await connection.query('BEGIN');
      await connection.query(`UPDATE ${name} SET status = 'failed', completed_at = $2 WHERE id = $1`, [ended, lately]);
      await connection.query(
        `INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms) VALUES ($1, 2, 'manual', $2, 1)`,
        [ended, lately],
      );
      deleting = deleteOldDeliveries(pool, past);
      const isWaiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass`;
      await waitUntil(async () => (await pool.query(isWaiting, [name])).rowCount, {
        what: 'the deletion to wait for the partition',
      });
      await connection.query('COMMIT');
    } finally {
      connection.release();
    }
    expect(await deleting).toBe(1);
    expect(await remaining()).toEqual([ended]);
    expect(await countRows(pool)).toEqual({ deliveries: 1, events: 1, attempts: 2 });
  });

  it('is not dropped when a delivery is replayed in the last moment', async () => {
    const table = partitionedTable('delivery');
    const replayed = dropPartition(pool, table, await partitionOfWeek(), async (connection) => {
      expect((await connection.query('SELECT FROM delivery')).rowCount).toBe(2);
      return true;
    });
    expect(await replayed).toBeNull();
    expect(await remaining()).toHaveLength(2);
  });
});

it('deletes receivers without open deliveries', async () => {
  const id = await insertDelivery(pool, accountId);
  const forgetOne = async () => {
    await pool.query('UPDATE receiver SET next_due_at = NULL');
    return deleteIdleReceivers(pool);
  };
  expect(await deleteIdleReceivers(pool)).toBe(0);
  expect(await forgetOne()).toBe(0);
  await pool.query(`UPDATE delivery SET status = 'delivered' WHERE id = $1`, [id]);
  expect(await forgetOne()).toBe(1);
  expect(await receiverOf(pool, accountId)).toBeUndefined();
});

it('deletes receivers in slices, and none that is locked', async () => {
  const hosts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  await pool.query('INSERT INTO receiver (account_id, host) SELECT $1, unnest($2::text[])', [accountId, hosts]);
  const others = async () => (await pool.query('SELECT host FROM receiver ORDER BY host')).rows.map(({ host }) => host);
  expect(await deleteIdleReceivers(pool, { slice: 2, goOn: () => false })).toBe(2);
  expect(await others()).toEqual(hosts.slice(2));
  await pool.query(`UPDATE receiver SET next_due_at = $1 WHERE host IN ('c', 'd')`, [due]);
  const holder = await pool.connect();
  await holder.query(`BEGIN; SELECT FROM receiver WHERE host = 'f' FOR UPDATE`);
  expect(await deleteIdleReceivers(pool, { slice: 2 })).toBe(2);
  expect(await others()).toEqual(['c', 'd', 'f']);
  await holder.query('ROLLBACK');
  holder.release();
});
