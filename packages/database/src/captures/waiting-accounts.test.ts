import { beforeEach, describe, expect, it } from '@jest/globals';
import { noteApart } from './accounts-apart.ts';
import {
  captureOf,
  claim,
  eventContext,
  newAccount,
  newBatch,
  reserve,
  rowsRead,
  sendHeartbeats,
  useTestDatabase,
  whileLocked,
} from './captures.test-support.ts';
import { releaseCapture } from './claim-capture.ts';
import { requeueCaptures } from './recover-captures.ts';
import { reserveCaptures } from './reserve-capture.ts';
import { scheduleCaptures } from './schedule-captures.ts';
import { type EmptyAccount, moveInLine, recoverWaitingAccounts, rowVersion } from './waiting-accounts.ts';

const database = await useTestDatabase();
const { pool } = database;
const { form } = eventContext('B');
let accountId: string;
beforeEach(async () => {
  await pool.query('TRUNCATE account, worker CASCADE');
  accountId = (await newAccount(database)).id;
});

/** Reads the accounts that wait, in order. */
const line = async (): Promise<string[]> =>
  (await pool.query('SELECT account_id FROM waiting_account ORDER BY waiting_since')).rows.map((row) => row.account_id);

/** Reads these accounts of the line as a scheduling turn does. */
const asRead = async (ids: string[]): Promise<EmptyAccount[]> =>
  (
    await pool.query(
      `SELECT account_id AS "accountId", ${rowVersion} AS version FROM waiting_account WHERE account_id = ANY($1)`,
      [ids],
    )
  ).rows;

describe('the line of waiting accounts', () => {
  it('gives every account its turn, however many wait', async () => {
    const accounts = 600;
    await pool.query(
      `INSERT INTO account (id, email, plan, created_at, signing_secret, signing_secret_created_at)
       SELECT 'acc_' || n, n || '@example.com', 'free', now(), 'x', now() FROM generate_series(1001, 1000 + $1::int) n`,
      [accounts],
    );
    const captures = Array.from({ length: 5 * accounts }, (_, i) => captureOf(`acc_${1001 + (i % accounts)}`));
    // `reserveCaptures` leaves out accounts that have no usage row yet.
    for (const first of captures.slice(0, accounts)) await reserve(pool, first.accountId, first);
    expect((await reserveCaptures(pool, captures.slice(accounts))).size).toBe(4 * accounts);
    await sendHeartbeats(pool, { 'worker-1': 40 });
    const served = new Map<string, number>();
    // Each turn fills the 60 slots of 40 pages, so 10 turns are one round of 600 accounts.
    for (let turn = 0; turn < 20; turn += 1) {
      const scheduled = await scheduleCaptures(pool, form);
      const { rows } = await pool.query(
        `UPDATE capture SET status = 'completed' WHERE id = ANY($1) RETURNING account_id AS id`,
        [scheduled.map(({ id }) => id)],
      );
      for (const { id } of rows) served.set(id, (served.get(id) ?? 0) + 1);
    }
    expect(served.size).toBe(accounts);
    expect([...new Set(served.values())]).toEqual([2]);
  }, 60_000);

  it('reads no more than it may schedule, however many captures were added since the planner counted', async () => {
    await pool.query('VACUUM ANALYZE capture');
    const items = Array.from({ length: 3_000 }, () => captureOf(accountId));
    await newBatch(pool, accountId, items);
    await sendHeartbeats(pool, { 'worker-1': 4 });
    const read = await rowsRead(database, 'capture', async (single) => {
      expect((await scheduleCaptures(single, form)).length).toBeGreaterThan(0);
      expect(await recoverWaitingAccounts(single)).toBe(0);
    });
    expect(read).toBeLessThan(300);
  });

  it('is left without reading any captures, whether or not the statistics date from a time when none waited', async () => {
    await pool.query('VACUUM ANALYZE capture, waiting_account');
    const items = Array.from({ length: 3_000 }, () => captureOf(accountId));
    await newBatch(pool, accountId, items);
    for (const statistics of ['old', 'new']) {
      if (statistics === 'new') await pool.query('VACUUM ANALYZE capture, waiting_account');
      const done = (await newAccount(database)).id;
      await pool.query('INSERT INTO waiting_account (account_id, waiting_since) VALUES ($1, now())', [done]);
      const empty = await asRead([done]);
      const read = await rowsRead(database, 'capture', (single) =>
        moveInLine(single, { scheduled: [accountId], empty }),
      );
      expect(await line()).toEqual([accountId]);
      expect(read).toBe(0);
    }
  });

  it('gives every account its turn, without delay, while a transaction holds the row of one', async () => {
    const others = await Promise.all([1, 2].map(async () => (await newAccount(database)).id));
    const accounts = [accountId, ...others];
    for (let capture = 0; capture < 3; capture += 1) for (const id of accounts) await reserve(pool, id);
    await sendHeartbeats(pool, { 'worker-1': 1 });
    const served: string[] = [];
    await whileLocked(database, ['SELECT FROM account WHERE id = $1 FOR UPDATE', accountId], async () => {
      // A page has two slots, so three turns are two rounds of three accounts.
      for (let turn = 0; turn < 3; turn += 1) {
        const scheduled = await scheduleCaptures(pool, form);
        const { rows } = await pool.query(
          `UPDATE capture SET status = 'completed' WHERE id = ANY($1) RETURNING account_id AS id`,
          [scheduled.map(({ id }) => id)],
        );
        served.push(...rows.map(({ id }) => id));
      }
    });
    expect(served.toSorted()).toEqual([...accounts, ...accounts].toSorted());
  });

  it('remembers in which order the accounts of a turn were chosen', async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, async () => (await newAccount(database)).id));
    for (const id of accounts) await reserve(pool, id);
    await sendHeartbeats(pool, { 'worker-1': 8 });
    const scheduled = (await scheduleCaptures(pool, form)).map(({ id }) => id);
    const { rows } = await pool.query(
      `SELECT account_id AS id FROM capture WHERE id = ANY($1) ORDER BY array_position($1, id)`,
      [scheduled],
    );
    const turns = await pool.query(
      'SELECT account_id AS id FROM account_turn WHERE account_id = ANY($1) ORDER BY last_scheduled_at',
      [accounts],
    );
    expect(turns.rows).toEqual(rows);
    expect(rows).toHaveLength(8);
  });

  it('lets single captures and batch items of an account with one slot take turns, also when a batch ends or is locked', async () => {
    const endAll = async (ids: string[]) => {
      await pool.query(`UPDATE capture SET status = 'completed' WHERE id = ANY($1)`, [ids]);
    };
    await sendHeartbeats(pool, { 'worker-1': 1 });
    for (let item = 0; item < 4; item += 1) await newBatch(pool, accountId, [captureOf(accountId)]);
    const singles = new Set<string>();
    for (let single = 0; single < 4; single += 1) singles.add(await reserve(pool, accountId));
    const kinds: string[] = [];
    await whileLocked(database, ['SELECT FROM batch WHERE account_id = $1 FOR UPDATE', accountId], async () => {
      for (let turn = 0; turn < 8; turn += 1) {
        const scheduled = (await scheduleCaptures(pool, form)).map(({ id }) => id);
        kinds.push(...scheduled.map((id) => (singles.has(id) ? 'single' : 'item')));
        await endAll(scheduled);
      }
    });
    expect(kinds).toEqual(Array.from({ length: 4 }, () => ['item', 'single']).flat());
  });

  it('starts a single capture when the next item of a batch ends that holds both slots of its account', async () => {
    await sendHeartbeats(pool, { 'worker-1': 4 });
    await newBatch(
      pool,
      accountId,
      Array.from({ length: 150 }, () => captureOf(accountId)),
    );
    const items = (await scheduleCaptures(pool, form)).map(({ id }) => id);
    expect(items).toHaveLength(2);
    const single = await reserve(pool, accountId);
    expect(await scheduleCaptures(pool, form)).toEqual([]);
    await pool.query(`UPDATE capture SET status = 'completed' WHERE id = $1`, [items[0]]);
    expect((await scheduleCaptures(pool, form)).map(({ id }) => id)).toEqual([single]);
  });

  it('gives fewer pages to an account that is apart, until an hour after their last fault', async () => {
    const other = (await newAccount(database)).id;
    await sendHeartbeats(pool, { 'worker-1': 4 });
    await newBatch(pool, other, [captureOf(other)]);
    await newBatch(
      pool,
      accountId,
      Array.from({ length: 20 }, () => captureOf(accountId)),
    );
    const slots = async () => {
      const { rows } = await pool.query(
        `UPDATE capture SET status = 'completed' WHERE account_id = $1 AND id = ANY($2) RETURNING id`,
        [accountId, (await scheduleCaptures(pool, form)).map(({ id }) => id)],
      );
      return rows.length;
    };
    const apartSince = (minutes: number) =>
      pool.query('UPDATE account_turn SET flooded_at = now() - make_interval(mins => $1) WHERE account_id = $2', [
        minutes,
        accountId,
      ]);
    expect(await slots()).toBe(2);
    await noteApart(pool, accountId);
    expect(await slots()).toBe(1);
    await apartSince(59);
    expect(await slots()).toBe(1);
    await noteApart(pool, accountId);
    await pool.query(`UPDATE account_turn SET flooded_at = flooded_at - interval '59 minutes'`);
    expect(await slots()).toBe(1);
    await apartSince(61);
    expect(await slots()).toBe(2);
  });

  it('has the accounts of all new and returned captures', async () => {
    const others = await Promise.all([1, 2, 3].map(async () => (await newAccount(database)).id));
    const [single, batch, released] = others as [string, string, string];
    await reserve(pool, single);
    await newBatch(pool, batch, [captureOf(batch)]);
    const claimed = await claim(pool, await reserve(pool, released));
    await pool.query('DELETE FROM waiting_account WHERE account_id = $1', [released]);
    await releaseCapture(pool, claimed);
    expect(await line()).toEqual(others);
  });

  it('is left by an account without waiting captures, and joined again by its next capture', async () => {
    await sendHeartbeats(pool, { 'worker-1': 4 });
    await reserve(pool, accountId);
    expect(await scheduleCaptures(pool, form)).toHaveLength(1);
    await scheduleCaptures(pool, form);
    expect(await line()).toEqual([]);
    await reserve(pool, accountId);
    expect(await line()).toEqual([accountId]);
  });

  it('is not left by an account whose capture is inserted at the same time', async () => {
    for (let turn = 0; turn < 200; turn += 1) {
      const empty = await asRead([accountId]);
      await Promise.all([
        reserve(pool, accountId),
        moveInLine(pool, { scheduled: [], empty }),
        moveInLine(pool, { scheduled: [], empty }),
      ]);
      expect(await line()).toEqual([accountId]);
      await pool.query('DELETE FROM capture');
    }
  });

  it('does not wait for a transaction that inserts captures', async () => {
    const connection = await pool.connect();
    try {
      await reserve(pool, accountId);
      await connection.query('BEGIN');
      await reserve(connection, accountId);
      await pool.query(`UPDATE capture SET status = 'completed'`);
      const empty = await asRead([accountId]);
      await moveInLine(pool, { scheduled: [accountId], empty });
      await connection.query('COMMIT');
      expect(await line()).toEqual([accountId]);
    } finally {
      connection.release();
    }
  });

  it('gets back accounts that are missing from it', async () => {
    const id = await reserve(pool, accountId);
    await pool.query('DELETE FROM waiting_account');
    expect(await recoverWaitingAccounts(pool)).toBe(1);
    expect(await recoverWaitingAccounts(pool)).toBe(0);
    expect(await line()).toEqual([accountId]);
    await pool.query('DELETE FROM waiting_account; UPDATE capture SET enqueued_at = now()');
    expect(await requeueCaptures(pool)).toBe(1);
    expect(await line()).toEqual([accountId]);
    expect(id).toBeTruthy();
  });
});
