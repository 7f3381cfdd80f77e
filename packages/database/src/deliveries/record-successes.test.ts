import { forms } from '@capture/contract/forms/forms';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, rowOf, useTestDatabase, whileLocked } from '../captures/captures.test-support.ts';
import type { DeliveryAttempt } from './begin-attempt.ts';
import {
  after,
  attemptsOf,
  beginClaimed,
  claimAll,
  countRows,
  due,
  insertDelivery,
  outcomeOf,
  receiverOf,
} from './deliveries.test-support.ts';
import { recordSuccesses } from './record-successes.ts';

const database = await useTestDatabase();
const { pool } = database;
const { A, B } = forms;
let accountId: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event, delivery, delivery_attempt');
  accountId = (await newAccount(database)).id;
});

/** Attempts in progress, in the order of their hosts. */
async function beginMany<Host extends string[]>(hosts: [...Host], form = B) {
  for (const host of hosts) await insertDelivery(pool, accountId, due, { url: `https://${host}/hooks` });
  const claims = await claimAll(pool, form);
  const started = await Promise.all(claims.map((claim) => beginClaimed(pool, form, claim)));
  return started.sort((one, other) => one.host.localeCompare(other.host)) as { [Index in keyof Host]: DeliveryAttempt };
}

const successOf = (delivery: DeliveryAttempt, ms = 0) => ({ delivery, outcome: outcomeOf(after(due, ms), 200, null) });

describe('successes recorded together', () => {
  it('are each recorded like a single one', async () => {
    const [first, second] = await beginMany(['a', 'b']);
    const recorded = await recordSuccesses(pool, B, [successOf(first, 5), successOf(second, 11)]);
    expect(recorded.sort((one, other) => one.id.localeCompare(other.id))).toEqual(
      [first.id, second.id].sort().map((id) => ({ id, receiverDue: false })),
    );
    for (const [delivery, ms] of [
      [first, 5],
      [second, 11],
    ] as const) {
      const { outcome } = successOf(delivery, ms);
      expect(await rowOf(pool, 'delivery', delivery.id)).toMatchObject({
        status: 'delivered',
        attempt_count: 1,
        next_attempt_at: null,
        lease_until: null,
        last_status: 200,
        last_error: null,
        completed_at: outcome.endedAt,
      });
      expect(await attemptsOf(pool, delivery.id)).toEqual([
        {
          delivery_id: delivery.id,
          number: 1,
          trigger: 'schedule',
          started_at: outcome.startedAt,
          duration_ms: 137,
          status: 200,
          error: null,
          response_excerpt: 'response 200',
        },
      ]);
      expect(await receiverOf(pool, accountId, delivery.host)).toMatchObject({ prompt: true });
    }
    expect(await recordSuccesses(pool, B, [successOf(first), successOf(second)])).toEqual([]);
    expect(await countRows(pool)).toMatchObject({ attempts: 2 });
  });

  it.each(['A', 'B'] as const)(
    'lose nothing by one whose claim was lost, which stays as it is (form %s)',
    async (name) => {
      const [lost, held] = await beginMany(['a', 'b'], forms[name]);
      await pool.query('UPDATE delivery SET attempt = attempt + 1 WHERE id = $1', [lost.id]);
      const recorded = await recordSuccesses(pool, forms[name], [successOf(lost), successOf(held)]);
      expect(recorded).toEqual([{ id: held.id, receiverDue: false }]);
      expect(await rowOf(pool, 'delivery', lost.id)).toMatchObject({ status: 'pending', attempt_count: 0 });
      expect(await countRows(pool)).toEqual(
        forms[name].delivery.history
          ? { deliveries: 2, events: 2, attempts: 1 }
          : { deliveries: 1, events: 1, attempts: 0 },
      );
    },
  );

  it('skip a delivery that another transaction is changing', async () => {
    const [locked, free] = await beginMany(['a', 'b']);
    const recorded = await whileLocked(database, ['SELECT FROM delivery WHERE id = $1 FOR UPDATE', locked.id], () =>
      recordSuccesses(pool, B, [successOf(locked), successOf(free)]),
    );
    expect(recorded).toEqual([{ id: free.id, receiverDue: false }]);
    expect(await rowOf(pool, 'delivery', locked.id)).toMatchObject({ status: 'pending' });
  });

  it('do not wait for a receiver that a round of claims locks, and report that its slot is still to be released', async () => {
    const [one, two] = await beginMany(['a', 'b']);
    const recorded = await whileLocked(database, [`SELECT FROM receiver WHERE host = 'a' FOR UPDATE`], () =>
      recordSuccesses(pool, B, [successOf(one), successOf(two)]),
    );
    expect(new Map(recorded.map(({ id, receiverDue }) => [id, receiverDue]))).toEqual(
      new Map([
        [one.id, null],
        [two.id, false],
      ]),
    );
    expect(await rowOf(pool, 'delivery', one.id)).toMatchObject({ status: 'delivered' });
  });

  it('make a receiver due that waited at its limit, from the latest of them', async () => {
    const attempts = await beginMany(['a', 'a', 'a']);
    await pool.query('UPDATE receiver SET at_limit = true, next_due_at = $1', [after(due, 1_000)]);
    const recorded = await recordSuccesses(
      pool,
      B,
      attempts.map((attempt, index) => successOf(attempt, index)),
    );
    expect(recorded.map(({ receiverDue }) => receiverDue)).toEqual([true, true, true]);
    expect(await receiverOf(pool, accountId, 'a')).toEqual({
      next_due_at: after(due, 2 + 137),
      at_limit: false,
      prompt: true,
    });
  });
});

it('form A deletes deliveries with their events, except an event that another delivery needs', async () => {
  const attempts = await beginMany(['a', 'b', 'c'], A);
  await pool.query(
    `INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
     SELECT 'dlv_other', event_id, account_id, 'https://other.example.com', now(), '2027-01-01' FROM delivery WHERE host = 'b'`,
  );
  const recorded = await recordSuccesses(
    pool,
    A,
    attempts.map((attempt) => successOf(attempt)),
  );
  expect(recorded).toHaveLength(3);
  expect(await countRows(pool)).toEqual({ deliveries: 1, events: 1, attempts: 0 });
});
