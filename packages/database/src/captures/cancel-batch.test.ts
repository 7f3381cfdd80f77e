import { describe, expect, it } from '@jest/globals';
import { newId } from '../ids.ts';
import { cancelBatch } from './cancel-batch.ts';
import { captureOf, eventContext, month, newAccount, usageOf, useTestDatabase } from './captures.test-support.ts';
import { insertBatch } from './insert-batch.ts';
import { type SchedulingRules, scheduleCaptures } from './schedule-captures.ts';
import { sendHeartbeat } from './worker-heartbeat.ts';

const database = useTestDatabase();
const { form } = eventContext('B');

const items = 200;

/** Schedules everything that waits, in the order of reading: that of a batch's items, which differs from that of their ids. */
const everything: SchedulingRules = {
  windowOf: (pages) => pages,
  choose: (_pages, _inFlight, waiting) => waiting.flatMap(({ batches }) => batches.flatMap((batch) => batch.items)),
};

async function newBatch(accountId: string): Promise<string> {
  const id = newId('batch');
  await insertBatch(database.pool, {
    id,
    accountId,
    webhookUrl: null,
    sharePage: false,
    month,
    monthlyLimit: null,
    items: Array.from({ length: items }, () => captureOf(accountId)),
  });
  return id;
}

describe('cancelBatch', () => {
  it('does not deadlock with the scheduling of its items', async () => {
    const account = await newAccount(database);
    await sendHeartbeat(database.pool, { id: 'worker-1', pages: 10 * items, captureIds: [] });
    for (let turn = 0; turn < 20; turn += 1) {
      const batchId = await newBatch(account.id);
      const [cancelled] = await Promise.all([
        cancelBatch(database.pool, account.id, batchId),
        scheduleCaptures(database.pool, form, everything),
      ]);
      expect(cancelled).toBe(true);
    }
    const { rows } = await database.pool.query('SELECT status, count(*)::int FROM capture GROUP BY 1');
    expect(rows).toEqual([{ status: 'cancelled', count: 20 * items }]);
    expect(await usageOf(database.pool, account.id)).toEqual({ used: 0, reserved: 0 });
  });
});
