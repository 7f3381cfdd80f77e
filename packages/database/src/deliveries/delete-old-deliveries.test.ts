import { beforeEach, expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { deleteIdleReceivers, deleteOldDeliveries } from './delete-old-deliveries.ts';
import { after, countRows, due, insertDelivery, receiverOf } from './deliveries.test-support.ts';

const database = await useTestDatabase();
const { pool } = database;
const day = 86_400_000;
let accountId: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event CASCADE');
  accountId = (await newAccount(database)).id;
});

/** A delivery of `due`, ended or open, with an attempt. */
async function insertEnded(status: string, completedAt: Date | null): Promise<string> {
  const id = await insertDelivery(pool, accountId);
  await pool.query(
    `UPDATE delivery SET status = $2, completed_at = $3, next_attempt_at = CASE WHEN $2 = 'pending' THEN $4::timestamptz END
      WHERE id = $1`,
    [id, status, completedAt, due],
  );
  await pool.query(
    `INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms)
     VALUES ($1, 1, 'schedule', $2, 1)`,
    [id, due],
  );
  return id;
}

const remaining = async () => (await pool.query('SELECT id FROM delivery ORDER BY id')).rows.map(({ id }) => id);

it('deletes logs 30 days after their deliveries ended, with attempts and events, but no open ones', async () => {
  const [delivered, failed] = [await insertEnded('delivered', due), await insertEnded('failed', due)];
  const later = await insertEnded('failed', after(due, 1));
  const open = [await insertEnded('pending', null), await insertEnded('paused', null)];
  expect(await deleteOldDeliveries(pool, after(due, 30 * day))).toBe(0);
  expect(await deleteOldDeliveries(pool, after(due, 30 * day + 1))).toBe(2);
  expect(await remaining()).not.toContain(delivered);
  expect(await remaining()).not.toContain(failed);
  expect(await countRows(pool)).toEqual({ deliveries: 3, events: 3, attempts: 3 });
  expect(await deleteOldDeliveries(pool, after(due, 90 * day))).toBe(1);
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
  expect(await deleteOldDeliveries(pool, after(due, 31 * day))).toBe(1);
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
  expect(await deleteOldDeliveries(pool, after(due, 31 * day))).toBe(2_500);
  expect(await countRows(pool)).toEqual({ deliveries: 0, events: 0, attempts: 0 });
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
