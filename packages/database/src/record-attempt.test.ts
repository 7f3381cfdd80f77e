import { contractForm, forms } from '@capture/contract/forms';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, rowOf, useTestDatabase } from './captures.test-support.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { after, attemptsOf, beginOne, countRows, due, insertDelivery } from './deliveries.test-support.ts';
import { type AttemptOutcome, nextState, recordAttempt } from './record-attempt.ts';

const database = useTestDatabase();
const { A, B } = forms;
let id: string;

beforeEach(async () => {
  await database.pool.query('TRUNCATE account CASCADE; TRUNCATE event CASCADE');
  id = await insertDelivery(database.pool, (await newAccount(database)).id);
});

/** What a receiver answered to an attempt that was begun at `startedAt`. */
function outcomeOf(startedAt: Date, status: number | null, error: string | null): AttemptOutcome {
  const responseExcerpt = status === null ? null : `answer ${status}`;
  return { startedAt, endedAt: after(startedAt, 137), status, error, responseExcerpt };
}

describe('the schedule of form B', () => {
  it('is the published one to the millisecond, from the end of each attempt; then the delivery has failed', async () => {
    const delays = [30_000, 120_000, 600_000, 3_600_000, 14_400_000];
    let at = due;
    for (const [index, delay] of delays.entries()) {
      const attempt = await beginOne(database.pool, B, at);
      expect(attempt).toMatchObject({ attempt: index + 1, attemptCount: index, retriesUsed: index });
      const outcome = outcomeOf(after(at, 11), 500, 'http_5xx');
      expect(await recordAttempt(database.pool, B, attempt, outcome)).toBe('pending');
      const next = after(outcome.endedAt, delay);
      expect(await rowOf(database.pool, 'delivery', id)).toMatchObject({
        status: 'pending',
        attempt_count: index + 1,
        retries_used: index + 1,
        next_attempt_at: next,
        lease_until: null,
        last_status: 500,
        last_error: 'http_5xx',
        completed_at: null,
      });
      expect(await claimDeliveries(database.pool, B, { at: after(next, -1), limit: 1 })).toEqual([]);
      at = next;
    }
    const last = outcomeOf(at, null, 'timeout');
    expect(await recordAttempt(database.pool, B, await beginOne(database.pool, B, at), last)).toBe('failed');
    expect(await rowOf(database.pool, 'delivery', id)).toMatchObject({
      status: 'failed',
      attempt_count: 6,
      next_attempt_at: null,
      lease_until: null,
      last_status: null,
      last_error: 'timeout',
      completed_at: last.endedAt,
    });
    const attempts = await attemptsOf(database.pool, id);
    expect(attempts.map(({ number, trigger, status, error }) => [number, trigger, status, error])).toEqual([
      ...[1, 2, 3, 4, 5].map((number) => [number, 'schedule', 500, 'http_5xx']),
      [6, 'schedule', null, 'timeout'],
    ]);
  });

  it('ends with the first attempt that succeeds', async () => {
    await recordAttempt(database.pool, B, await beginOne(database.pool, B), outcomeOf(due, 503, 'http_5xx'));
    const at = after(due, 137 + 30_000);
    const outcome = outcomeOf(at, 204, null);
    expect(await recordAttempt(database.pool, B, await beginOne(database.pool, B, at), outcome)).toBe('delivered');
    expect(await rowOf(database.pool, 'delivery', id)).toMatchObject({
      status: 'delivered',
      attempt_count: 2,
      retries_used: 1,
      next_attempt_at: null,
      last_status: 204,
      last_error: null,
      completed_at: outcome.endedAt,
    });
    expect((await attemptsOf(database.pool, id))[1]).toEqual({
      delivery_id: id,
      number: 2,
      trigger: 'schedule',
      started_at: at,
      duration_ms: 137,
      status: 204,
      error: null,
      response_excerpt: 'answer 204',
    });
  });

  it('is another where the operator set one', async () => {
    const form = contractForm('B', { retryDelaysMs: [1, 2, 3, 4, 5] });
    await recordAttempt(database.pool, form, await beginOne(database.pool, form), outcomeOf(due, 500, 'http_5xx'));
    expect((await rowOf(database.pool, 'delivery', id)).next_attempt_at).toEqual(after(due, 137 + 1));
  });

  it('does not go on for an attempt that nobody recorded', async () => {
    await beginOne(database.pool, B);
    const attempt = await beginOne(database.pool, B, after(due, 60_000));
    expect(attempt).toMatchObject({ attempt: 2, attemptCount: 0, retriesUsed: 0 });
    const outcome = outcomeOf(after(due, 60_000), 500, 'http_5xx');
    await recordAttempt(database.pool, B, attempt, outcome);
    expect(await rowOf(database.pool, 'delivery', id)).toMatchObject({
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
    const attempt = await beginOne(database.pool, A);
    expect(await recordAttempt(database.pool, A, attempt, outcomeOf(due, status, error))).toBe(state);
    expect(await countRows(database.pool)).toEqual({ deliveries: 0, events: 0, attempts: 0 });
    expect(await recordAttempt(database.pool, A, attempt, outcomeOf(due, status, error))).toBeNull();
  });

  it('keeps the event that another delivery needs', async () => {
    await database.pool.query(
      `INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
       SELECT 'dlv_other', event_id, account_id, 'https://other.example.com', now(), '2027-01-01' FROM delivery`,
    );
    await recordAttempt(database.pool, A, await beginOne(database.pool, A), outcomeOf(due, 200, null));
    expect(await countRows(database.pool)).toEqual({ deliveries: 1, events: 1, attempts: 0 });
  });
});

describe('a record', () => {
  it('is made once', async () => {
    const attempt = await beginOne(database.pool, B);
    const records = await Promise.all(
      Array.from({ length: 10 }, () => recordAttempt(database.pool, B, attempt, outcomeOf(due, 200, null))),
    );
    expect(records.filter(Boolean)).toEqual(['delivered']);
    expect(await attemptsOf(database.pool, id)).toHaveLength(1);
  });

  it.each(['A', 'B'] as const)('that comes after the claim was another’s is refused (form %s)', async (name) => {
    const form = forms[name];
    const late = await beginOne(database.pool, form);
    // As the claim after that of a dispatcher that was only slow.
    await database.pool.query('UPDATE delivery SET attempt = attempt + 1');
    expect(await recordAttempt(database.pool, form, late, outcomeOf(due, 200, null))).toBeNull();
    expect(await countRows(database.pool)).toEqual({ deliveries: 1, events: 1, attempts: 0 });
    expect(await rowOf(database.pool, 'delivery', id)).toMatchObject({ status: 'pending', attempt_count: 0 });
  });

  it('that comes late, but before anybody else claimed, holds', async () => {
    const attempt = await beginOne(database.pool, B);
    const outcome = outcomeOf(after(due, 3_600_000), 200, null);
    expect(await recordAttempt(database.pool, B, attempt, outcome)).toBe('delivered');
  });
});

it('what an attempt leads to is a matter of the form’s data alone', () => {
  const endedAt = due;
  const failed = { error: 'http_4xx', endedAt };
  expect(nextState(A, { retriesUsed: 0 }, { error: null, endedAt })).toEqual({
    status: 'delivered',
    nextAttemptAt: null,
  });
  expect(nextState(A, { retriesUsed: 0 }, failed)).toEqual({ status: 'failed', nextAttemptAt: null });
  expect(nextState(B, { retriesUsed: 4 }, failed)).toEqual({
    status: 'pending',
    nextAttemptAt: after(due, 14_400_000),
  });
  expect(nextState(B, { retriesUsed: 5 }, failed)).toEqual({ status: 'failed', nextAttemptAt: null });
});
