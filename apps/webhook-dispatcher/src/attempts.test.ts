import { forms } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { claimDeliveries } from '@capture/database/deliveries/claim-deliveries';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Attempts, createAttempts } from './attempts.ts';
import {
  attemptsOf,
  beAlive,
  closeAll,
  deliveryOf,
  dispatcherId,
  newAccount,
  openTestDatabase,
  readableLog,
  recordEvent,
} from './deliveries.test-support.ts';

const { B } = forms;
let database: Database;
let attempts: Attempts;
let lines: Record<string, unknown>[];
/** Names of statements, in the order in which they were sent. */
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
  await beAlive(database);
  const { claims } = await claimDeliveries(database.pool, B, new Date());
  expect(claims).toHaveLength(count);
  return claims;
}

async function beginMany(count: number) {
  const begun = await Promise.all((await claimMany(count)).map((claim) => attempts.begin(claim)));
  return begun.map((attempt) => {
    if (!attempt) throw new Error('an attempt could not be begun');
    return attempt;
  });
}

function success() {
  const startedAt = new Date();
  return { startedAt, endedAt: startedAt, status: 200, error: null, responseExcerpt: 'ok' };
}

it('many begin and end in one statement each', async () => {
  const begun = await beginMany(20);
  expect(statements).toEqual(['begin-attempts']);
  const recorded = await Promise.all(begun.map((delivery) => attempts.record(delivery, success())));
  expect(recorded).toEqual(begun.map(() => ({ state: 'delivered', receiverDue: false })));
  expect(statements).toEqual(['begin-attempts', 'record-successes']);
});

it('a claim that the queue hands out twice is begun by one of the two', async () => {
  const [claim] = await claimMany(1);
  if (!claim) throw new Error('nothing was claimed');
  const begun = await Promise.all([attempts.begin(claim), attempts.begin(claim), attempts.begin(claim)]);
  expect(begun.filter(Boolean)).toHaveLength(1);
});

it('one that lost its claim is told so; its neighbours are recorded', async () => {
  const [lost, ...others] = await beginMany(3);
  if (!lost) throw new Error('nothing was begun');
  await database.pool.query('UPDATE delivery SET attempt = attempt + 1 WHERE id = $1', [lost.id]);
  const recorded = await Promise.all([lost, ...others].map((delivery) => attempts.record(delivery, success())));
  expect(recorded[0]).toBeNull();
  expect(recorded.slice(1)).toEqual(others.map(() => ({ state: 'delivered', receiverDue: false })));
  expect(await deliveryOf(database, lost.id)).toMatchObject({ status: 'pending', attempt_count: 0 });
});

it('one whose row somebody else holds waits for that alone', async () => {
  const [locked, free] = await beginMany(2);
  if (!locked || !free) throw new Error('two were to be begun');
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM delivery WHERE id = $1 FOR UPDATE', [locked.id]);
  const waiting = attempts.record(locked, success());
  expect(await attempts.record(free, success())).toMatchObject({ state: 'delivered' });
  await waitUntil(() => statements.includes('record-success'), { what: 'the locked one to be recorded by itself' });
  await holder.query('COMMIT');
  holder.release();
  expect(await waiting).toMatchObject({ state: 'delivered' });
  expect(await attemptsOf(database, locked.id)).toHaveLength(1);
});

it('a receiver that a round of claims holds is told when that is over, once for all of its deliveries', async () => {
  const begun = await beginMany(5);
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  // As a round that finds all places taken, just before they are free.
  await holder.query(`UPDATE receiver SET at_limit = true, next_due_at = now() + interval '1 second'`);
  const recording = Promise.all(begun.map((delivery) => attempts.record(delivery, success())));
  await waitUntil(() => statements.includes('free-place'), { what: 'the receiver to be told by itself' });
  for (const { id } of begun) expect(await deliveryOf(database, id)).toMatchObject({ status: 'delivered' });
  await holder.query('COMMIT');
  holder.release();
  expect(await recording).toEqual(begun.map(() => ({ state: 'delivered', receiverDue: true })));
  expect(statements.filter((name) => name === 'free-place')).toHaveLength(1);
});

it('what one outcome does to a shared statement is nothing to the others', async () => {
  const [bad, ...others] = await beginMany(3);
  if (!bad) throw new Error('nothing was begun');
  // Postgres takes no NUL in a text.
  const failing = expect(attempts.record(bad, { ...success(), responseExcerpt: 'a\0b' })).rejects.toThrow();
  const recorded = await Promise.all(others.map((delivery) => attempts.record(delivery, success())));
  expect(recorded).toEqual(others.map(() => ({ state: 'delivered', receiverDue: false })));
  await failing;
  expect(lines).toMatchObject([{ level: 'warn', deliveries: 3 }]);
});
