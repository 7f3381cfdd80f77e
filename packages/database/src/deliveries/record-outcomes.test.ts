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
  insertEndpoint,
  outcomeOf,
  receiverOf,
} from './deliveries.test-support.ts';
import { releaseSlot } from './receivers.ts';
import { recordAttempt } from './record-attempt.ts';
import { recordOutcomes } from './record-outcomes.ts';

const database = await useTestDatabase();
const { pool } = database;
const { A, B } = forms;
let accountId: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event, delivery, delivery_attempt');
  accountId = (await newAccount(database)).id;
});

/** Begins attempts at these hosts. @returns the attempts in the order of the hosts. */
async function beginMany<Host extends string[]>(hosts: [...Host], form = B) {
  for (const host of hosts) await insertDelivery(pool, accountId, due, { url: `https://${host}/hooks` });
  const claims = await claimAll(pool, form);
  const started = await Promise.all(claims.map((claim) => beginClaimed(pool, form, claim)));
  return started.sort((one, other) => one.host.localeCompare(other.host)) as { [Index in keyof Host]: DeliveryAttempt };
}

const successOf = (delivery: DeliveryAttempt, ms = 0) => ({ delivery, outcome: outcomeOf(after(due, ms), 200, null) });

describe('successes recorded together', () => {
  it('are each recorded like a single success', async () => {
    const [first, second] = await beginMany(['a', 'b']);
    const recorded = await recordOutcomes(pool, B, [successOf(first, 5), successOf(second, 11)]);
    expect(recorded.sort((one, other) => one.id.localeCompare(other.id))).toMatchObject(
      [first.id, second.id].sort().map((id) => ({ id, state: 'delivered', receiverDue: false })),
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
    expect(await recordOutcomes(pool, B, [successOf(first), successOf(second)])).toEqual([]);
    expect(await countRows(pool)).toMatchObject({ attempts: 2 });
  });

  it.each(['A', 'B'] as const)(
    'are recorded although one claim was lost, whose delivery is not changed (form %s)',
    async (name) => {
      const [lost, held] = await beginMany(['a', 'b'], forms[name]);
      await pool.query('UPDATE delivery SET attempt = attempt + 1 WHERE id = $1', [lost.id]);
      const recorded = await recordOutcomes(pool, forms[name], [successOf(lost), successOf(held)]);
      expect(recorded).toMatchObject([{ id: held.id, state: 'delivered', receiverDue: false }]);
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
      recordOutcomes(pool, B, [successOf(locked), successOf(free)]),
    );
    expect(recorded).toMatchObject([{ id: free.id, receiverDue: false }]);
    expect(await rowOf(pool, 'delivery', locked.id)).toMatchObject({ status: 'pending' });
  });

  it('do not wait for a receiver that a round of claims locks, and report that its slot is still to be released', async () => {
    const [one, two] = await beginMany(['a', 'b']);
    const recorded = await whileLocked(database, [`SELECT FROM receiver WHERE host = 'a' FOR UPDATE`], () =>
      recordOutcomes(pool, B, [successOf(one), successOf(two)]),
    );
    expect(new Map(recorded.map(({ id, receiverDue }) => [id, receiverDue]))).toEqual(
      new Map([
        [one.id, null],
        [two.id, false],
      ]),
    );
    expect(await rowOf(pool, 'delivery', one.id)).toMatchObject({ status: 'delivered' });
  });

  it('make a receiver due that waited at its limit, by the latest outcome', async () => {
    const attempts = await beginMany(['a', 'a', 'a']);
    await pool.query('UPDATE receiver SET at_limit = true, next_due_at = $1', [after(due, 1_000)]);
    const recorded = await recordOutcomes(
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

describe('failures recorded together', () => {
  const failureOf = (delivery: DeliveryAttempt, ms = 0, error = 'http_5xx') => ({
    delivery,
    outcome: outcomeOf(after(due, ms), error === 'http_5xx' ? 503 : null, error),
  });

  async function beginAtEndpoint(count: number) {
    const webhookId = await insertEndpoint(pool, accountId);
    for (let n = 0; n < count; n += 1) await insertDelivery(pool, accountId, due, { webhookId });
    const claims = await claimAll(pool, B);
    return { webhookId, attempts: await Promise.all(claims.map((each) => beginClaimed(pool, B, each))) };
  }

  it('leave the same rows as failures recorded one by one', async () => {
    const rows = async (record: (failures: ReturnType<typeof failureOf>[]) => Promise<unknown>) => {
      await pool.query('TRUNCATE event, delivery, delivery_attempt, webhook_endpoint; DELETE FROM receiver');
      const hosts = ['a', 'b', 'c', 'c'];
      const single = await beginMany(hosts);
      const { attempts } = await beginAtEndpoint(2);
      // One of the deliveries has no delay of its schedule left.
      const last = single[1] as DeliveryAttempt;
      await pool.query('UPDATE delivery SET retries_used = 5 WHERE id = $1', [last.id]);
      await pool.query(`UPDATE receiver SET at_limit = true, next_due_at = $1 WHERE host = 'a'`, [after(due, 1_000)]);
      await record([
        failureOf(single[0] as DeliveryAttempt),
        failureOf({ ...last, retriesUsed: 5 }, 2),
        failureOf(single[2] as DeliveryAttempt, 3),
        failureOf(single[3] as DeliveryAttempt, 4, 'timeout'),
        ...attempts.map((each) => failureOf(each, 5)),
      ]);
      const { rows: deliveries } = await pool.query(
        `SELECT d.host, d.status, d.attempt_count, d.retries_used, d.next_trigger, d.next_attempt_at, d.lease_until,
                d.last_status, d.last_error, d.completed_at, d.retry_asked, a.number, a.trigger, a.started_at, a.duration_ms,
                a.status AS http_status, a.error, a.response_excerpt
           FROM delivery d JOIN delivery_attempt a ON a.delivery_id = d.id ORDER BY d.host, a.started_at`,
      );
      const { rows: receivers } = await pool.query(
        'SELECT host, next_due_at, at_limit, prompt FROM receiver ORDER BY host',
      );
      expect(deliveries).toHaveLength(6);
      return { deliveries, receivers };
    };
    const alone = await rows(async (failures) => {
      for (const { delivery, outcome } of failures) await recordAttempt(pool, B, delivery, outcome);
    });
    const together = await rows(async (failures) => {
      const recorded = await recordOutcomes(pool, B, failures);
      expect(recorded.map(({ state }) => state).sort()).toEqual(['failed', ...Array(5).fill('pending')]);
      expect(recorded.map(({ receiverDue }) => receiverDue).filter(Boolean)).toHaveLength(1);
    });
    expect(together).toEqual(alone);
  });

  it('leave out deliveries that need a decision: a retry was requested, or the endpoint has changed', async () => {
    const { webhookId, attempts } = await beginAtEndpoint(2);
    const [asked, other] = attempts as [DeliveryAttempt, DeliveryAttempt];
    await pool.query('UPDATE delivery SET retry_asked = true WHERE id = $1', [asked.id]);
    const failures = [failureOf(asked), failureOf(other)];
    for (const change of [`status = 'paused'`, `status = 'active', url = 'https://moved.example.com/'`]) {
      await pool.query(`UPDATE webhook_endpoint SET ${change} WHERE id = $1`, [webhookId]);
      expect(await recordOutcomes(pool, B, failures)).toEqual([]);
    }
    await pool.query('UPDATE webhook_endpoint SET url = $2 WHERE id = $1', [webhookId, other.url]);
    const whileChanged = await whileLocked(
      database,
      ['SELECT FROM webhook_endpoint WHERE id = $1 FOR UPDATE', webhookId],
      () => recordOutcomes(pool, B, failures),
    );
    expect(whileChanged).toEqual([]);
    expect(await recordOutcomes(pool, B, failures)).toMatchObject([{ id: other.id, state: 'pending' }]);
    await pool.query('DELETE FROM webhook_endpoint');
    expect(await recordOutcomes(pool, B, failures)).toEqual([]);
    expect(await recordOutcomes(pool, B, [successOf(asked)])).toMatchObject([{ id: asked.id, state: 'delivered' }]);
  });

  it('report the slots to release at a receiver that a round of claims locks', async () => {
    const [one, two] = await beginMany(['a', 'a']);
    const recorded = await whileLocked(database, [`SELECT FROM receiver WHERE host = 'a' FOR UPDATE`], () =>
      recordOutcomes(pool, B, [failureOf(one, 1, 'timeout'), failureOf(two, 2)]),
    );
    const slot = {
      accountId,
      host: 'a',
      endedAt: after(due, 2 + 137),
      prompt: true,
      nextAttemptAt: after(due, 1 + 137 + 30_000),
    };
    expect(recorded.map(({ receiverDue, ...rest }) => [receiverDue, rest.slot])).toEqual([
      [null, slot],
      [null, slot],
    ]);
    await pool.query('UPDATE receiver SET next_due_at = NULL');
    expect(await releaseSlot(pool, slot)).toBe(false);
    expect(await receiverOf(pool, accountId, 'a')).toMatchObject({ next_due_at: slot.nextAttemptAt, prompt: true });
  });
});

it('form A deletes failed deliveries as well, and remembers that a receiver did not respond', async () => {
  const [failed, hanging] = await beginMany(['a', 'b'], A);
  const recorded = await recordOutcomes(pool, A, [
    { delivery: failed, outcome: outcomeOf(due, 500, 'http_5xx') },
    { delivery: hanging, outcome: outcomeOf(due, null, 'timeout') },
  ]);
  expect(recorded.map(({ state }) => state)).toEqual(['failed', 'failed']);
  expect(await countRows(pool)).toEqual({ deliveries: 0, events: 0, attempts: 0 });
  expect(await receiverOf(pool, accountId, 'a')).toMatchObject({ prompt: true });
  expect(await receiverOf(pool, accountId, 'b')).toMatchObject({ prompt: false });
});

it('form A deletes deliveries with their events, except an event that another delivery needs', async () => {
  const attempts = await beginMany(['a', 'b', 'c'], A);
  await pool.query(
    `INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
     SELECT 'dlv_other', event_id, account_id, 'https://other.example.com', now(), '2027-01-01' FROM delivery WHERE host = 'b'`,
  );
  const recorded = await recordOutcomes(
    pool,
    A,
    attempts.map((attempt) => successOf(attempt)),
  );
  expect(recorded).toHaveLength(3);
  expect(await countRows(pool)).toEqual({ deliveries: 1, events: 1, attempts: 0 });
});
