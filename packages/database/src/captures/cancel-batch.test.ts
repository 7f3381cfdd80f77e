import { describe, expect, it } from '@jest/globals';
import { cancelBatch } from './cancel-batch.ts';
import { captureOf, eventContext, newAccount, newBatch, usageOf, useTestDatabase } from './captures.test-support.ts';
import { type SchedulingRules, scheduleCaptures } from './schedule-captures.ts';
import { sendHeartbeat } from './worker-heartbeat.ts';

const database = await useTestDatabase();
const { pool } = database;
const { form } = eventContext('B');

const items = 200;

/** Schedules everything that waits, in the order of reading: that of a batch's items, which differs from that of their ids. */
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
      expect(cancelled).toBe(true);
    }
    const { rows } = await pool.query('SELECT status, count(*)::int FROM capture GROUP BY 1');
    expect(rows).toEqual([{ status: 'cancelled', count: 20 * items }]);
    expect(await usageOf(pool, account.id)).toEqual({ used: 0, reserved: 0 });
  });
});
