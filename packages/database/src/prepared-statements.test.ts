import { forms } from '@capture/contract/forms/forms';
import { expect, it } from '@jest/globals';
import { newAccount, reserve, sendHeartbeats, useTestDatabase } from './captures/captures.test-support.ts';
import { listCaptures } from './captures/find-capture.ts';
import { scheduleCaptures } from './captures/schedule-captures.ts';
import { openSqlDatabase } from './database.ts';
import { claimAll, insertDelivery } from './deliveries/deliveries.test-support.ts';

const database = await useTestDatabase();

it('the frequent statements with a limit are planned a few times by a connection, not each time', async () => {
  const { id: accountId } = await newAccount(database);
  await sendHeartbeats(database.pool, { 'worker-1': 100 });
  const single = openSqlDatabase({ url: database.url, connections: 1 });
  try {
    const ids: string[] = [];
    for (let run = 1; run <= 8; run += 1) {
      ids.unshift(await reserve(single.pool, accountId));
      expect(await scheduleCaptures(single.pool, forms.B)).toHaveLength(1);
      // The account's plan allows two captures at once, so earlier captures have to end.
      await single.pool.query(`UPDATE capture SET status = 'completed'`);
      await insertDelivery(single.pool, accountId);
      expect(await claimAll(single.pool, forms.B, undefined, run)).toHaveLength(1);
      const filters = { status: null, type: null, batchId: null, url: null, since: null, until: null };
      for (const after of [null, 'req_z']) {
        const { captures } = await listCaptures(single.pool, { ...filters, accountId, after, limit: 2 });
        expect(captures.map(({ id }) => id)).toEqual(ids.slice(0, 2));
      }
    }
    const { rows } = await single.pool.query(
      `SELECT name FROM pg_prepared_statements WHERE generic_plans >= 3 AND custom_plans <= 5`,
    );
    const names = ['claim-deliveries', 'list-captures', 'list-captures-after', 'read-waiting', 'set-next-due'];
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  } finally {
    await single.close();
  }
});
