import { forms } from '@capture/contract/forms/forms';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, rowsRead, useTestDatabase } from '../captures/captures.test-support.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { after, beAlive, due, insertDelivery } from './deliveries.test-support.ts';
import { recoverReceivers } from './receivers.ts';
import { slotRules } from './share-slots.ts';

const database = await useTestDatabase();
const { pool } = database;
const { B } = forms;
let accountId: string;
let other: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event, delivery, delivery_attempt; TRUNCATE dispatcher');
  accountId = (await newAccount(database)).id;
  other = (await newAccount(database)).id;
});

async function insertToMany(id: string, hosts: number, prompt: boolean | null = null): Promise<void> {
  await pool.query(
    `WITH e AS (INSERT INTO event (id, account_id, name, body, created_at)
                VALUES ('evt_00' || $1, $1, 'capture.completed', '', now()) RETURNING id)
     INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
     SELECT 'dlv_00' || $1 || n, e.id, $1, 'https://h' || n, now(), $2 FROM e, generate_series(1, $3) n`,
    [id, due, hosts],
  );
  await pool.query(
    `INSERT INTO receiver (account_id, host, next_due_at, prompt)
     SELECT account_id, host, next_attempt_at, $2 FROM delivery WHERE account_id = $1`,
    [id, prompt],
  );
}

describe('beside an account with thousands of due receivers', () => {
  it.each([null, false, true])('a round reads the first few of each account (prompt: %s)', async (prompt) => {
    await insertToMany(accountId, 5_000, prompt);
    const id = await insertDelivery(pool, other, after(due, 5));
    await pool.query('ANALYZE receiver');
    await beAlive(pool, 256);
    const read = await rowsRead(database, 'receiver', async (single) => {
      const { claims } = await claimDeliveries(single, B, after(due, 10));
      expect(claims).toContainEqual({ id, attempt: 1 });
    });
    expect(read).toBeLessThan(3_000);
  });

  it('rounds follow until the slots of the account are taken, by kinds that are not blocked', async () => {
    await insertToMany(accountId, 1_500);
    await pool.query(`UPDATE receiver SET prompt = true WHERE host LIKE 'h1%'`);
    await pool.query(`UPDATE receiver SET prompt = false WHERE host LIKE 'h2%'`);
    await beAlive(pool, 256);
    const position = { after: '' };
    let more = true;
    while (more) ({ more } = await claimDeliveries(pool, B, due, slotRules, position));
    const { rows } = await pool.query(
      `SELECT r.prompt, count(*)::int AS count FROM delivery d JOIN receiver r USING (account_id, host)
        WHERE d.lease_until IS NOT NULL GROUP BY 1`,
    );
    // The round claims a quarter of the slots, four of them for new receivers.
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(64);
    expect(rows.find((row) => row.prompt === null)?.count).toBe(4);
    expect(rows.find((row) => row.prompt === false)?.count).toBeGreaterThan(0);
  });

  it('every account has its turn, however many there are', async () => {
    await insertToMany(accountId, 3_000);
    await pool.query(
      `WITH a AS (
         INSERT INTO account (id, email, plan, signing_secret, signing_secret_created_at, created_at)
         SELECT 'acc_many' || n, n || '@many.example.com', 'pro', '', now(), now() FROM generate_series(1000, 1700) n RETURNING id
       )
       INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
       SELECT 'dlv_00' || id, 'evt_00', id, 'https://many', now(), $1 FROM a`,
      [after(due, 5)],
    );
    await recoverReceivers(pool);
    await beAlive(pool, 10_000);
    const position = { after: '' };
    const open = `SELECT count(*)::int AS count FROM delivery WHERE account_id LIKE 'acc_many%' AND lease_until IS NULL`;
    let rounds = 0;
    for (let more = true; more; rounds += 1) {
      ({ more } = await claimDeliveries(pool, B, after(due, 10), slotRules, position));
    }
    expect((await pool.query(open)).rows).toEqual([{ count: 0 }]);
    expect(rounds).toBeGreaterThan(3);
  });
});
