import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { cancelBatch } from './cancel-batch.ts';
import {
  captureOf,
  claim,
  endingOf,
  eventContext,
  failed,
  newAccount,
  newBatch,
  reserve,
  rowsRead,
  usageOf,
  useTestDatabase,
  whileLocked,
} from './captures.test-support.ts';
import { endCapture } from './end-capture.ts';
import { requeueCaptures } from './recover-captures.ts';
import { type SchedulingRules, scheduleCaptures } from './schedule-captures.ts';
import { sendHeartbeat } from './worker-heartbeat.ts';

const database = await useTestDatabase();
const { pool } = database;
const { form } = eventContext('B');

const items = 200;

/** Counts the statements on this test's database that wait for a lock. */
const lockWaits = async () =>
  (await pool.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
    .rowCount;

/** Schedules all waiting captures in the order in which they are read. This is the order of a batch's items, not of their ids. */
const everything: SchedulingRules = {
  windowOf: (pages) => pages,
  choose: (_pages, _inFlight, waiting) => waiting.flatMap(({ batches }) => batches.flatMap((batch) => batch.items)),
};

describe('cancelBatch', () => {
  it('does not deadlock with the scheduling of its items', async () => {
    const account = await newAccount(database);
    await sendHeartbeat(pool, { id: 'worker-1', pages: 10 * items, captureIds: [] });
    for (let turn = 0; turn < 20; turn += 1) {
      const requested = Array.from({ length: items }, () => captureOf(account.id));
      const batchId = await newBatch(pool, account.id, requested);
      const [cancelled] = await Promise.all([
        cancelBatch(pool, account.id, batchId),
        scheduleCaptures(pool, form, everything),
      ]);
      expect(cancelled).toEqual({ count: items, html: [] });
    }
    const { rows } = await pool.query('SELECT status, count(*)::int FROM capture GROUP BY 1');
    expect(rows).toEqual([{ status: 'cancelled', count: 20 * items }]);
    expect(await usageOf(pool, account.id)).toEqual({ used: 0, reserved: 0 });
  });

  it('reads no captures of other accounts, even with statistics from a time without waiting captures', async () => {
    const newItems = async () => {
      const account = await newAccount(database);
      const requested = Array.from({ length: items }, () => captureOf(account.id));
      return { accountId: account.id, batchId: await newBatch(pool, account.id, requested) };
    };
    const cancel = ({ accountId, batchId }: { accountId: string; batchId: string }, by = pool) =>
      cancelBatch(by, accountId, batchId);
    await cancel(await newItems());
    await pool.query('ANALYZE capture');
    const others = [];
    for (let each = 0; each < 20; each += 1) others.push(await newItems());
    const own = await newItems();
    const waiting = await pool.query(`SELECT FROM capture WHERE status = 'queued'`);
    expect(waiting.rowCount).toBe(21 * items);
    const read = await rowsRead(database, 'capture', (single) => cancel(own, single));
    expect(read).toBeGreaterThanOrEqual(items);
    expect(read).toBeLessThan(10 * items);
    for (const other of others) await cancel(other);
  });

  it('ends the batch with its last open item, also if a further slice is never reached', async () => {
    const account = await newAccount(database);
    const batchId = await newBatch(pool, account.id, [captureOf(account.id), captureOf(account.id)]);
    const { rows } = await pool.query(`SELECT id FROM capture WHERE batch_id = $1 AND batch_index = 1`, [batchId]);
    await endCapture(pool, eventContext('B'), endingOf(await claim(pool, rows[0].id), failed));
    let transactions = 0;
    const connect = () => {
      transactions += 1;
      return transactions === 1 ? pool.connect() : Promise.reject(new Error('the process is killed'));
    };
    const killed = { query: pool.query.bind(pool), connect } as unknown as typeof pool;
    await expect(cancelBatch(killed, account.id, batchId, 1)).rejects.toThrow('the process is killed');
    const batch = await pool.query('SELECT status, failed, cancelled FROM batch WHERE id = $1', [batchId]);
    expect(batch.rows).toEqual([{ status: 'cancelled', failed: 1, cancelled: 1 }]);
  });

  it('works in slices; a later call finishes an interrupted cancellation', async () => {
    const account = await newAccount(database);
    const requested = Array.from({ length: 5 }, () => captureOf(account.id));
    const batchId = await newBatch(pool, account.id, requested);
    const stateOf = async () =>
      (await pool.query('SELECT status, cancelled FROM batch WHERE id = $1', [batchId])).rows[0];
    await pool.query(`CREATE FUNCTION stop_slice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.batch_index = 4 THEN RAISE EXCEPTION 'the connection is lost'; END IF; RETURN NEW; END $$`);
    await pool.query('CREATE TRIGGER stop_slice BEFORE UPDATE ON capture FOR EACH ROW EXECUTE FUNCTION stop_slice()');
    await expect(cancelBatch(pool, account.id, batchId, 2)).rejects.toThrow('the connection is lost');
    await pool.query('DROP FUNCTION stop_slice CASCADE');
    expect(await stateOf()).toEqual({ status: 'processing', cancelled: 4 });
    expect(await usageOf(pool, account.id)).toEqual({ used: 0, reserved: 1 });
    expect(await cancelBatch(pool, account.id, batchId, 2)).toEqual({ count: 1, html: [] });
    expect(await stateOf()).toEqual({ status: 'cancelled', cancelled: 5 });
    expect(await usageOf(pool, account.id)).toEqual({ used: 0, reserved: 0 });
  });

  it('does not hold up scheduling while it waits for other requests of its account', async () => {
    const [account, other] = [await newAccount(database), await newAccount(database)];
    const batchId = await newBatch(pool, account.id, [captureOf(account.id), captureOf(account.id)]);
    const captureId = await reserve(pool, other.id);
    await sendHeartbeat(pool, { id: 'worker-1', pages: 10 * items, captureIds: [] });
    await whileLocked(database, ['SELECT FROM usage WHERE account_id = $1 FOR UPDATE', account.id], async () => {
      const cancelling = cancelBatch(pool, account.id, batchId);
      await waitUntil(async () => (await lockWaits()) === 1, { what: 'cancelling to wait' });
      // Scheduling skips the capture that the other transaction has locked.
      expect(await scheduleCaptures(pool, form)).toEqual([{ id: captureId, attempt: 0 }]);
      return [cancelling];
    }).then((both) => Promise.all(both));
    expect(await usageOf(pool, account.id)).toEqual({ used: 0, reserved: 0 });
  });

  it('does not deadlock with the requeueing of its items', async () => {
    const account = await newAccount(database);
    const ids = Array.from({ length: items }, () => captureOf(account.id).id).sort();
    const batchId = await newBatch(
      pool,
      account.id,
      ids.map((id) => captureOf(account.id, { id })),
    );
    // An index scan now finds the items in the reverse order of their ids.
    for (const id of ids.toReversed()) await pool.query('UPDATE capture SET enqueued_at = now() WHERE id = $1', [id]);
    const connection = await pool.connect();
    await connection.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
    // Cancelling waits halfway through the items, with the first half locked. Requeueing then starts at the other end.
    const middle = ids[items / 2];
    const [cancelled] = await whileLocked(
      database,
      ['SELECT FROM capture WHERE id = $1 FOR UPDATE', middle],
      async () => {
        const cancelling = cancelBatch(pool, account.id, batchId);
        await waitUntil(async () => (await lockWaits()) === 1, { what: 'cancelling to wait' });
        let done = false;
        const requeueing = requeueCaptures(connection).finally(() => {
          done = true;
          connection.release(true);
        });
        await waitUntil(async () => done || (await lockWaits()) === 2, { what: 'requeueing to end or wait' });
        return [cancelling, requeueing] as const;
      },
    ).then((both) => Promise.all(both));
    expect(cancelled).toEqual({ count: items, html: [] });
    expect(await usageOf(pool, account.id)).toEqual({ used: 0, reserved: 0 });
  });
});
