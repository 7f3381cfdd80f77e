import { forms } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Attempts, createAttempts } from './attempts.ts';
import {
  claimAll,
  closeAll,
  dispatcherId,
  newAccount,
  openTestDatabase,
  readAttempts,
  readableLog,
  readDelivery,
  recordEvent,
} from './deliveries.test-support.ts';

const { B } = forms;
let database: Database;
let attempts: Attempts;
let lines: Record<string, unknown>[];
/** The names of the statements, in the order in which they were sent. */
let statements: string[];

beforeEach(async () => {
  database = await openTestDatabase();
  statements = [];
  const query = (statement: { name?: string }) => {
    statements.push(statement.name ?? '');
    return database.pool.query(statement as never);
  };
  const pool = { query, connect: () => database.pool.connect() };
  const readable = readableLog();
  lines = readable.lines;
  attempts = createAttempts({
    form: B,
    database: { pool: pool as never },
    dispatcherId,
    log: readable.log,
    now: () => new Date(),
  });
});

afterEach(closeAll);

async function claimMany(count: number) {
  const accountId = await newAccount(database, 'whsec_QUJD');
  for (let i = 0; i < count; i++) {
    await recordEvent(database, B, { accountId, webhookUrl: 'https://hooks.example.com/' });
  }
  await database.pool.query('UPDATE receiver SET prompt = true');
  const claims = await claimAll(database, B);
  expect(claims).toHaveLength(count);
  return claims;
}

async function beginMany(count: number) {
  const started = await Promise.all((await claimMany(count)).map((claim) => attempts.begin(claim)));
  return started.map((attempt) => {
    if (!attempt) throw new Error('an attempt did not begin');
    return attempt;
  });
}

function success() {
  const startedAt = new Date();
  return { startedAt, endedAt: startedAt, status: 200, error: null, responseExcerpt: 'ok' };
}

const failure = () => ({ ...success(), status: 503, error: 'http_5xx' });

it('many attempts begin in one statement and end in one', async () => {
  const started = await beginMany(20);
  expect(statements).toEqual(['begin-attempts']);
  const recorded = await Promise.all(started.map((delivery) => attempts.record(delivery, success())));
  expect(recorded).toEqual(started.map(() => ({ state: 'delivered', receiverDue: false })));
  expect(statements).toEqual(['begin-attempts', 'record-outcomes']);
});

it('many failures end in one statement, except one for which a retry was requested', async () => {
  const started = await beginMany(20);
  await database.pool.query('UPDATE delivery SET retry_asked = true WHERE id = $1', [started[3]?.id]);
  const recorded = await Promise.all(started.map((delivery) => attempts.record(delivery, failure())));
  expect(recorded).toEqual(started.map(() => ({ state: 'pending', receiverDue: expect.any(Boolean) })));
  expect(statements).toEqual(['begin-attempts', 'record-outcomes']);
  const { rows } = await database.pool.query(
    'SELECT next_trigger, count(*)::int AS count, min(attempt_count) AS attempts FROM delivery GROUP BY 1 ORDER BY 1',
  );
  expect(rows).toEqual([
    { next_trigger: 'manual', count: 1, attempts: 1 },
    { next_trigger: 'schedule', count: 19, attempts: 1 },
  ]);
});

it('a claim that the queue delivers several times begins once', async () => {
  const [claim] = await claimMany(1);
  if (!claim) throw new Error('nothing was claimed');
  const started = await Promise.all([attempts.begin(claim), attempts.begin(claim), attempts.begin(claim)]);
  expect(started.filter(Boolean)).toHaveLength(1);
});

it('an attempt that lost its claim returns null; the others of its batch are recorded', async () => {
  const [lost, ...others] = await beginMany(3);
  if (!lost) throw new Error('no attempt began');
  await database.pool.query('UPDATE delivery SET attempt = attempt + 1 WHERE id = $1', [lost.id]);
  const recorded = await Promise.all([lost, ...others].map((delivery) => attempts.record(delivery, success())));
  expect(recorded[0]).toBeNull();
  expect(recorded.slice(1)).toEqual(others.map(() => ({ state: 'delivered', receiverDue: false })));
  expect(await readDelivery(database, lost.id)).toMatchObject({ status: 'pending', attempt_count: 0 });
});

it('only the attempt whose row is locked waits', async () => {
  const [locked, free] = await beginMany(2);
  if (!locked || !free) throw new Error('expected two attempts');
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM delivery WHERE id = $1 FOR UPDATE', [locked.id]);
  const waiting = attempts.record(locked, success());
  expect(await attempts.record(free, success())).toMatchObject({ state: 'delivered' });
  await waitUntil(() => statements.includes('record-success'), { what: 'the locked one to be recorded separately' });
  await holder.query('COMMIT');
  holder.release();
  expect(await waiting).toMatchObject({ state: 'delivered' });
  expect(await readAttempts(database, locked.id)).toHaveLength(1);
});

it('the slot at a receiver locked by a round of claims is released afterwards, once for all its deliveries', async () => {
  const started = await beginMany(5);
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  // This update has the effect of a round of claims that finds all slots taken right before they are released.
  await holder.query(`UPDATE receiver SET at_limit = true, next_due_at = now() + interval '1 second'`);
  const recording = Promise.all(started.map((delivery) => attempts.record(delivery, success())));
  await waitUntil(() => statements.includes('free-place'), { what: 'the slot to be released separately' });
  for (const { id } of started) expect(await readDelivery(database, id)).toMatchObject({ status: 'delivered' });
  await holder.query('COMMIT');
  holder.release();
  expect(await recording).toEqual(started.map(() => ({ state: 'delivered', receiverDue: true })));
  expect(statements.filter((name) => name === 'free-place')).toHaveLength(1);
});

it('an outcome that fails a shared statement does not affect the others', async () => {
  const [bad, ...others] = await beginMany(3);
  if (!bad) throw new Error('no attempt began');
  // Postgres rejects NUL in a text.
  const failing = expect(attempts.record(bad, { ...success(), responseExcerpt: 'a\0b' })).rejects.toThrow();
  const recorded = await Promise.all(others.map((delivery) => attempts.record(delivery, success())));
  expect(recorded).toEqual(others.map(() => ({ state: 'delivered', receiverDue: false })));
  await failing;
  expect(lines).toMatchObject([{ level: 'warn', deliveries: 3 }]);
});
