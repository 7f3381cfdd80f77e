import { forms } from '@capture/contract/forms';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { beginAttempt } from './begin-attempt.ts';
import { newAccount, rowOf, useTestDatabase } from './captures.test-support.ts';
import { claimDeliveries, dropLostAttempts, returnClaims } from './claim-deliveries.ts';
import type { Queryable } from './database.ts';
import { after, beginOne, claimOne, countRows, due, insertDelivery } from './deliveries.test-support.ts';
import { recordAttempt } from './record-attempt.ts';

const database = useTestDatabase(20);
const { A, B } = forms;
let accountId: string;

beforeEach(async () => {
  await database.pool.query('TRUNCATE account CASCADE; TRUNCATE event CASCADE');
  accountId = (await newAccount(database)).id;
});

const insert = (at?: Date) => insertDelivery(database.pool, accountId, at);
const claimAll = (at: Date, limit = 100, form = B) => claimDeliveries(database.pool, form, { at, limit });

/** Lets `use` have a connection on which the planner does without some of its methods. */
async function withoutMethods(methods: string[], use: (connection: Queryable) => Promise<void>): Promise<void> {
  const connection = await database.pool.connect();
  try {
    for (const method of methods) await connection.query(`SET enable_${method} = off`);
    await use(connection);
  } finally {
    connection.release(true);
  }
}

describe('a claim', () => {
  it('is one claimer’s: four at once over 2,000 deliveries get each once, never more than they ask for', async () => {
    await database.pool.query(
      `WITH e AS (INSERT INTO event (id, account_id, name, body, created_at)
                  VALUES ('evt_many', $1, 'capture.completed', '', now()) RETURNING id)
       INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
       SELECT 'dlv_' || n, e.id, $1, 'https://hooks.example.com', now(), $2 FROM e, generate_series(1, 2000) n`,
      [accountId, due],
    );
    const claimed: string[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        for (;;) {
          const claims = await claimAll(due, 37);
          if (claims.length === 0) return;
          expect(claims.length).toBeLessThanOrEqual(37);
          for (const { id, attempt } of claims) {
            expect(attempt).toBe(1);
            claimed.push(id);
          }
        }
      }),
    );
    expect(claimed).toHaveLength(2_000);
    expect(new Set(claimed).size).toBe(2_000);
  });

  it('keeps to its limit also while the planner takes the table for empty', async () => {
    for (let i = 0; i < 12; i++) await insert();
    await database.pool.query('ANALYZE delivery');
    // The plan that a table without statistics can get: the choice as the inner side of a nested loop.
    const methods = ['hashjoin', 'mergejoin', 'hashagg', 'material', 'sort', 'indexscan', 'bitmapscan'];
    await withoutMethods(methods, async (connection) => {
      expect(await claimDeliveries(connection, B, { at: due, limit: 5 })).toHaveLength(5);
    });
  });

  it('takes what has been due for the longest first, and nothing that is not due', async () => {
    await insert(after(due, 4));
    const latest = await insert(after(due, 2));
    const later = await insert(after(due, 1));
    const late = await insert(due);
    // Rows come in the order of the index by themselves, when it is used.
    await withoutMethods(['indexscan', 'bitmapscan'], async (connection) => {
      const first = await claimDeliveries(connection, B, { at: after(due, 3), limit: 1 });
      expect(first.map(({ id }) => id)).toEqual([late]);
    });
    expect((await claimAll(after(due, 3))).map(({ id }) => id).sort()).toEqual([later, latest].sort());
    expect(await claimAll(after(due, 3))).toEqual([]);
    expect(await claimAll(after(due, 4))).toHaveLength(1);
  });

  it('waits for nobody: what another is just about to claim or record is left out', async () => {
    const [busy, free] = [await insert(), await insert()];
    const connection = await database.pool.connect();
    try {
      await connection.query('BEGIN');
      await connection.query('SELECT 1 FROM delivery WHERE id = $1 FOR UPDATE', [busy]);
      expect(await claimAll(due)).toEqual([{ id: free, attempt: 1 }]);
    } finally {
      await connection.query('ROLLBACK');
      connection.release();
    }
  });

  it.each([
    ['A', A, 40_000],
    ['B', B, 60_000],
  ] as const)(
    'of form %s holds for the time-out and half a minute, then the delivery is due again',
    async (_, form, ms) => {
      const id = await insert();
      expect(await claimAll(due, 1, form)).toEqual([{ id, attempt: 1 }]);
      const row = await rowOf(database.pool, 'delivery', id);
      expect(row).toMatchObject({ lease_until: after(due, ms), next_attempt_at: after(due, ms), attempt_count: 0 });
      expect(await claimAll(after(due, ms - 1), 1, form)).toEqual([]);
      expect(await claimAll(after(due, ms), 1, form)).toEqual([{ id, attempt: 2 }]);
      expect(await rowOf(database.pool, 'delivery', id)).toMatchObject({
        attempt: 2,
        attempt_count: 0,
        retries_used: 0,
        lease_until: after(due, 2 * ms),
      });
    },
  );

  it('is none of a delivery that has ended', async () => {
    await insert();
    const attempt = await beginOne(database.pool, B);
    const outcome = { startedAt: due, endedAt: due, status: 200, error: null, responseExcerpt: '' };
    expect(await recordAttempt(database.pool, B, attempt, outcome)).toBe('delivered');
    expect(await claimAll(after(due, 1e9))).toEqual([]);
  });
});

describe('a claim that is given back', () => {
  it('is due at once; what was put into the queue for it all the same is refused', async () => {
    const id = await insert();
    const claim = await claimOne(database.pool, B);
    await returnClaims(database.pool, [claim], after(due, 5));
    expect(await beginAttempt(database.pool, claim, due)).toBeNull();
    expect(await claimAll(after(due, 4))).toEqual([]);
    expect(await claimAll(after(due, 5))).toEqual([{ id, attempt: 2 }]);
  });

  it('stays as it is once its attempt was begun: Redis had taken it after all', async () => {
    const id = await insert();
    const claim = await claimOne(database.pool, B);
    await beginAttempt(database.pool, claim, due);
    await returnClaims(database.pool, [claim], due);
    expect(await rowOf(database.pool, 'delivery', id)).toMatchObject({ lease_until: after(due, 60_000) });
    expect(await claimAll(due)).toEqual([]);
  });

  it('is the newest alone, and many are given back at once', async () => {
    for (let i = 0; i < 50; i++) await insert();
    const claims = await claimAll(due);
    const again = await claimAll(after(due, 60_000), 10);
    await returnClaims(database.pool, claims, after(due, 60_000));
    expect(await claimAll(after(due, 60_000))).toHaveLength(40);
    for (const { id } of again) expect((await rowOf(database.pool, 'delivery', id)).attempt).toBe(2);
    await returnClaims(database.pool, [], due);
  });
});

describe('an attempt whose dispatcher was lost', () => {
  const leaseOver = { A: after(due, 40_000), B: after(due, 60_000) };

  it('is dropped in form A with all that was kept of it, once its claim has ended', async () => {
    await insert();
    const lost = await beginOne(database.pool, A);
    expect(await dropLostAttempts(database.pool, A, after(leaseOver.A, -1))).toEqual([]);
    expect(await dropLostAttempts(database.pool, A, leaseOver.A)).toEqual([lost.id]);
    expect(await countRows(database.pool)).toEqual({ deliveries: 0, events: 0, attempts: 0 });
    expect(await dropLostAttempts(database.pool, A, leaseOver.A)).toEqual([]);
  });

  it('is never claimed again in form A, even before it was dropped', async () => {
    await insert();
    await beginOne(database.pool, A);
    expect(await claimAll(leaseOver.A, 10, A)).toEqual([]);
  });

  it('leaves the event that another delivery needs', async () => {
    await insert();
    await database.pool.query(
      `INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
       SELECT 'dlv_other', event_id, account_id, 'https://other.example.com', now(), '2027-01-01' FROM delivery`,
    );
    const lost = await beginOne(database.pool, A);
    expect(await dropLostAttempts(database.pool, A, leaseOver.A)).toEqual([lost.id]);
    expect(await countRows(database.pool)).toEqual({ deliveries: 1, events: 1, attempts: 0 });
  });

  it('is sent again in form B: nothing is dropped', async () => {
    const id = await insert();
    await beginOne(database.pool, B);
    expect(await dropLostAttempts(database.pool, B, leaseOver.B)).toEqual([]);
    expect(await claimAll(leaseOver.B)).toEqual([{ id, attempt: 2 }]);
  });

  it('was none while it only waited in the queue: it is claimed again, in form A too', async () => {
    const id = await insert();
    await claimOne(database.pool, A);
    expect(await dropLostAttempts(database.pool, A, leaseOver.A)).toEqual([]);
    expect(await claimAll(leaseOver.A, 10, A)).toEqual([{ id, attempt: 2 }]);
  });
});
