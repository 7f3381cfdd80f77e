import { contractForm, forms } from '@capture/contract/forms/forms';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, rowOf, rowsRead, useTestDatabase } from '../captures/captures.test-support.ts';
import {
  after,
  attemptsOf,
  beginClaimed,
  beginOne,
  claimAll,
  countRows,
  due,
  insertDelivery,
  insertEndpoint,
  leaseMs,
  outcomeOf,
  receiverOf,
} from './deliveries.test-support.ts';
import { stateAfterFailure } from './next-state.ts';
import { recordAttempt } from './record-attempt.ts';

const database = await useTestDatabase();
const { pool } = database;
const { A, B } = forms;

let accountId: string;
let id: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event, delivery, delivery_attempt');
  accountId = (await newAccount(database)).id;
  id = await insertDelivery(pool, accountId);
});

it('reads one delivery, however many claims have ended since the planner counted', async () => {
  await pool.query(
    `INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
     SELECT d.id || n, d.event_id, d.account_id, d.url, d.created_at, d.next_attempt_at
       FROM delivery d, generate_series(2000, 5200) n`,
  );
  await pool.query(`UPDATE delivery SET status = 'delivered' WHERE id <> $1`, [id]);
  await pool.query('VACUUM ANALYZE delivery');
  const attempt = await beginOne(pool, B);
  // The indexes of open deliveries become smaller than the index of ids, so the planner prefers them if it can.
  await pool.query(`UPDATE delivery SET lease_until = now(), status = 'pending' WHERE id > $1 || '50'`, [id]);
  await pool.query(`UPDATE delivery SET lease_until = NULL, status = 'delivered' WHERE id <> $1`, [id]);
  const read = await rowsRead(database, 'delivery', (single) =>
    recordAttempt(single, B, attempt, outcomeOf(due, 500, 'http_5xx')),
  );
  expect(read).toBeLessThan(20);
});

describe('the schedule of form B', () => {
  it('is the published one to the millisecond, counted from the end of each attempt; then the delivery fails', async () => {
    const delays = [30_000, 120_000, 600_000, 3_600_000, 14_400_000];
    let at = due;
    for (const [index, delay] of delays.entries()) {
      const attempt = await beginOne(pool, B, at);
      expect(attempt).toMatchObject({ attempt: index + 1, attemptCount: index, retriesUsed: index });
      const outcome = outcomeOf(after(at, 11), 500, 'http_5xx');
      expect(await recordAttempt(pool, B, attempt, outcome)).toMatchObject({ state: 'pending' });
      const next = after(outcome.endedAt, delay);
      expect(await rowOf(pool, 'delivery', id)).toMatchObject({
        status: 'pending',
        attempt_count: index + 1,
        retries_used: index + 1,
        next_attempt_at: next,
        lease_until: null,
        last_status: 500,
        last_error: 'http_5xx',
        completed_at: null,
      });
      expect(await claimAll(pool, B, after(next, -1))).toEqual([]);
      expect(await receiverOf(pool, accountId)).toMatchObject({ next_due_at: next });
      at = next;
    }
    const last = outcomeOf(at, null, 'timeout');
    expect(await recordAttempt(pool, B, await beginOne(pool, B, at), last)).toMatchObject({ state: 'failed' });
    expect(await rowOf(pool, 'delivery', id)).toMatchObject({
      status: 'failed',
      attempt_count: 6,
      next_attempt_at: null,
      lease_until: null,
      last_status: null,
      last_error: 'timeout',
      completed_at: last.endedAt,
    });
    const attempts = await attemptsOf(pool, id);
    expect(attempts.map(({ number, trigger, status, error }) => [number, trigger, status, error])).toEqual([
      ...[1, 2, 3, 4, 5].map((number) => [number, 'schedule', 500, 'http_5xx']),
      [6, 'schedule', null, 'timeout'],
    ]);
  });

  it('ends with the first success', async () => {
    await recordAttempt(pool, B, await beginOne(pool, B), outcomeOf(due, 503, 'http_5xx'));
    const at = after(due, 137 + 30_000);
    const outcome = outcomeOf(at, 204, null);
    expect(await recordAttempt(pool, B, await beginOne(pool, B, at), outcome)).toMatchObject({ state: 'delivered' });
    expect(await rowOf(pool, 'delivery', id)).toMatchObject({
      status: 'delivered',
      attempt_count: 2,
      retries_used: 1,
      next_attempt_at: null,
      last_status: 204,
      last_error: null,
      completed_at: outcome.endedAt,
    });
    expect((await attemptsOf(pool, id))[1]).toEqual({
      delivery_id: id,
      number: 2,
      trigger: 'schedule',
      started_at: at,
      duration_ms: 137,
      status: 204,
      error: null,
      response_excerpt: 'response 204',
    });
  });

  it('can be set by the operator', async () => {
    const form = contractForm('B', { retryDelaysMs: [1, 2, 3, 4, 5] });
    await recordAttempt(pool, form, await beginOne(pool, form), outcomeOf(due, 500, 'http_5xx'));
    expect((await rowOf(pool, 'delivery', id)).next_attempt_at).toEqual(after(due, 137 + 1));
  });

  it('does not advance for an attempt that was never recorded', async () => {
    await beginOne(pool, B);
    const at = after(due, leaseMs(B));
    const attempt = await beginOne(pool, B, at);
    expect(attempt).toMatchObject({ attempt: 2, attemptCount: 0, retriesUsed: 0 });
    const outcome = outcomeOf(at, 500, 'http_5xx');
    await recordAttempt(pool, B, attempt, outcome);
    expect(await rowOf(pool, 'delivery', id)).toMatchObject({
      attempt_count: 1,
      next_attempt_at: after(outcome.endedAt, 30_000),
    });
  });
});

describe('form A', () => {
  it.each([
    ['delivered', 200, null],
    ['failed', 500, 'http_5xx'],
    ['failed', null, 'timeout'],
  ] as const)('forgets a delivery that was %s at once (%s, %s)', async (state, status, error) => {
    const attempt = await beginOne(pool, A);
    expect(await recordAttempt(pool, A, attempt, outcomeOf(due, status, error))).toMatchObject({ state });
    expect(await countRows(pool)).toEqual({ deliveries: 0, events: 0, attempts: 0 });
    expect(await recordAttempt(pool, A, attempt, outcomeOf(due, status, error))).toBeNull();
  });

  it('keeps an event that another delivery needs', async () => {
    await pool.query(
      `INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
       SELECT 'dlv_other', event_id, account_id, 'https://other.example.com', now(), '2027-01-01' FROM delivery`,
    );
    await recordAttempt(pool, A, await beginOne(pool, A), outcomeOf(due, 200, null));
    expect(await countRows(pool)).toEqual({ deliveries: 1, events: 1, attempts: 0 });
  });
});

describe('a record', () => {
  it('is written once', async () => {
    const attempt = await beginOne(pool, B);
    const records = await Promise.all(
      Array.from({ length: 10 }, () => recordAttempt(pool, B, attempt, outcomeOf(due, 200, null))),
    );
    expect(records.filter(Boolean)).toEqual([{ state: 'delivered', receiverDue: false }]);
    expect(await attemptsOf(pool, id)).toHaveLength(1);
  });

  it.each(['A', 'B'] as const)('is refused after another claim (form %s)', async (name) => {
    const form = forms[name];
    const late = await beginOne(pool, form);
    // A new claim increments the attempt, as after a dispatcher that was only slow.
    await pool.query('UPDATE delivery SET attempt = attempt + 1');
    expect(await recordAttempt(pool, form, late, outcomeOf(due, 200, null))).toBeNull();
    expect(await countRows(pool)).toEqual({ deliveries: 1, events: 1, attempts: 0 });
    expect(await rowOf(pool, 'delivery', id)).toMatchObject({ status: 'pending', attempt_count: 0 });
  });

  it('is accepted late if no other claim came first', async () => {
    const attempt = await beginOne(pool, B);
    const outcome = outcomeOf(after(due, 3_600_000), 200, null);
    expect(await recordAttempt(pool, B, attempt, outcome)).toMatchObject({ state: 'delivered' });
  });
});

describe('an attempt at a registered endpoint', () => {
  let webhookId: string;

  beforeEach(async () => {
    await pool.query('TRUNCATE event, delivery, delivery_attempt');
    webhookId = await insertEndpoint(pool, accountId);
    id = await insertDelivery(pool, accountId, due, { webhookId });
  });

  it.each([
    ['paused', `UPDATE webhook_endpoint SET status = 'paused'`, 'paused', 'http_5xx'],
    ['deleted', 'DELETE FROM webhook_endpoint', 'failed', 'endpoint_deleted'],
  ])('that fails while its endpoint is %s is logged; no retry is sent there', async (_, change, state, lastError) => {
    const attempt = await beginOne(pool, B);
    await pool.query(change);
    expect(await recordAttempt(pool, B, attempt, outcomeOf(due, 500, 'http_5xx'))).toMatchObject({ state });
    expect(await rowOf(pool, 'delivery', id)).toMatchObject({
      status: state,
      last_error: lastError,
      next_attempt_at: null,
      lease_until: null,
      attempt_count: 1,
    });
    expect(await attemptsOf(pool, id)).toMatchObject([{ number: 1, status: 500, error: 'http_5xx' }]);
    expect(await claimAll(pool, B, after(due, 1e9))).toEqual([]);
  });

  it('that fails while its URL changes is retried at the new URL', async () => {
    const attempt = await beginOne(pool, B);
    await pool.query(`UPDATE webhook_endpoint SET url = 'https://new.example.com/hooks'`);
    await recordAttempt(pool, B, attempt, outcomeOf(due, 500, 'http_5xx'));
    const next = after(due, 137 + 30_000);
    expect(await rowOf(pool, 'delivery', id)).toMatchObject({ host: 'new.example.com', next_attempt_at: next });
    expect(await receiverOf(pool, accountId, 'new.example.com')).toMatchObject({ next_due_at: next });
    expect(await claimAll(pool, B, after(next, -1))).toEqual([]);
    expect(await beginOne(pool, B, next)).toMatchObject({ url: 'https://new.example.com/hooks', attempt: 2 });
  });

  it('that succeeds while the endpoint is paused counts as delivered', async () => {
    const attempt = await beginOne(pool, B);
    await pool.query(`UPDATE webhook_endpoint SET status = 'paused'`);
    expect(await recordAttempt(pool, B, attempt, outcomeOf(due, 200, null))).toMatchObject({ state: 'delivered' });
  });
});

describe('a retry requested while an attempt is in progress', () => {
  const ask = () => pool.query('UPDATE delivery SET retry_asked = true');

  it('follows a failure at once, as a manual attempt, with a fresh schedule', async () => {
    await recordAttempt(pool, B, await beginOne(pool, B), outcomeOf(due, 500, 'http_5xx'));
    const at = after(due, 137 + 30_000);
    const attempt = await beginOne(pool, B, at);
    await ask();
    await recordAttempt(pool, B, attempt, outcomeOf(at, 500, 'http_5xx'));
    const retry = await beginOne(pool, B, after(at, 137));
    expect(retry).toMatchObject({ attempt: 3, attemptCount: 2, retriesUsed: 0, trigger: 'manual' });
    await recordAttempt(pool, B, retry, outcomeOf(after(at, 200), 500, 'http_5xx'));
    expect((await attemptsOf(pool, id)).map(({ trigger }) => trigger)).toEqual(['schedule', 'schedule', 'manual']);
    expect(await rowOf(pool, 'delivery', id)).toMatchObject({
      retries_used: 1,
      next_trigger: 'schedule',
      retry_asked: false,
      next_attempt_at: after(at, 200 + 137 + 30_000),
    });
  });

  it('is satisfied by a success', async () => {
    const attempt = await beginOne(pool, B);
    await ask();
    await recordAttempt(pool, B, attempt, outcomeOf(due, 200, null));
    expect(await rowOf(pool, 'delivery', id)).toMatchObject({ status: 'delivered', retry_asked: false });
  });
});

describe('the receiver of an attempt', () => {
  it('that waited at its limit is due with the released slot, and is reported as due', async () => {
    await insertDelivery(pool, accountId);
    const [claim] = await claimAll(pool, B, due, 1);
    await pool.query('UPDATE receiver SET at_limit = true, next_due_at = $1', [after(due, 1_000)]);
    const attempt = await beginClaimed(pool, B, claim);
    expect(await recordAttempt(pool, B, attempt, outcomeOf(due, 200, null))).toEqual({
      state: 'delivered',
      receiverDue: true,
    });
    expect(await receiverOf(pool, accountId)).toEqual({
      next_due_at: after(due, 137),
      at_limit: false,
      prompt: true,
    });
  });

  it.each([
    [200, null, false, true],
    [500, 'http_5xx', false, true],
    [null, 'refused', false, true],
    [null, 'dns', false, true],
    [null, 'dns', true, false],
    [null, 'timeout', false, false],
  ])('is prompt unless it or its look-up timed out (%s, %s, %s)', async (status, error, lookUpTimedOut, prompt) => {
    for (const before of [true, false]) {
      await pool.query('UPDATE receiver SET prompt = $1', [before]);
      const attempt = await beginOne(pool, B, (await receiverOf(pool, accountId)).next_due_at);
      await recordAttempt(pool, B, attempt, { ...outcomeOf(due, status, error), lookUpTimedOut });
      expect(await receiverOf(pool, accountId)).toMatchObject({ prompt });
      id = await insertDelivery(pool, accountId);
      await pool.query(`UPDATE delivery SET status = 'failed' WHERE id <> $1`, [id]);
    }
  });
});

it('the state after a failure depends on the form and on changes during the attempt', () => {
  const [unchanged, retryRequested] = [
    { retryAsked: false, endpoint: 'active' },
    { retryAsked: true, endpoint: 'active' },
  ];
  const state = (form: typeof A, retriesUsed: number, meanwhile: { retryAsked: boolean; endpoint: string | null }) =>
    stateAfterFailure(form, { retriesUsed }, due, meanwhile);
  expect(state(A, 0, unchanged)).toMatchObject({ status: 'failed', nextAttemptAt: null });
  expect(state(B, 4, unchanged)).toEqual({
    status: 'pending',
    nextAttemptAt: after(due, 14_400_000),
    retriesUsed: 5,
    trigger: 'schedule',
  });
  expect(state(B, 5, unchanged)).toMatchObject({ status: 'failed', nextAttemptAt: null });
  expect(state(B, 5, retryRequested)).toEqual({
    status: 'pending',
    nextAttemptAt: due,
    retriesUsed: 0,
    trigger: 'manual',
  });
  for (const endpoint of ['paused', 'disabled']) {
    expect(state(B, 1, { ...unchanged, endpoint })).toMatchObject({
      status: 'paused',
      nextAttemptAt: null,
      retriesUsed: 2,
    });
    expect(state(B, 5, { ...retryRequested, endpoint })).toMatchObject({
      status: 'paused',
      retriesUsed: 0,
      trigger: 'manual',
    });
    expect(state(B, 5, { ...unchanged, endpoint })).toMatchObject({ status: 'failed' });
  }
  expect(state(B, 0, { ...retryRequested, endpoint: null })).toMatchObject({ status: 'failed' });
});
