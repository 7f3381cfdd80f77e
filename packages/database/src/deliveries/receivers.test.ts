import { beforeEach, expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { transaction } from '../database.ts';
import { before, inOrder, later, now, receiversOf } from '../endpoints/webhooks.test-support.ts';
import { makeReceiversDue } from './receivers.ts';

const database = await useTestDatabase(20);
const { pool } = database;
let accountId: string;

beforeEach(async () => {
  accountId = (await newAccount(database)).id;
});

const make = (hosts: readonly string[], at = now) =>
  makeReceiversDue(
    pool,
    hosts.map((host) => ({ accountId, host })),
    at,
  );

it('makes a new or idle receiver due, once even if it is passed twice', async () => {
  await make(['a.example', 'b.example:8443', 'a.example']);
  expect(await receiversOf(pool, accountId)).toEqual({ 'a.example': now, 'b.example:8443': now });
  await pool.query('UPDATE receiver SET next_due_at = NULL WHERE account_id = $1', [accountId]);
  await make(['a.example'], later(5));
  expect(await receiversOf(pool, accountId)).toEqual({ 'a.example': later(5), 'b.example:8443': null });
});

it('keeps an earlier due time and moves a later one forward', async () => {
  await make(['a.example']);
  await make(['a.example'], later(1));
  expect(await receiversOf(pool, accountId)).toEqual({ 'a.example': now });
  await make(['a.example'], before(1));
  expect(await receiversOf(pool, accountId)).toEqual({ 'a.example': before(1) });
  await make([]);
});

it('two calls with the same rows in different order both finish', async () => {
  const hosts = ['a.example', 'b.example', 'c.example'];
  await make(hosts);
  // Both transactions wait for the first of the rows. If one locked the rows in the other order, they would deadlock.
  const lock = 'SELECT 1 FROM receiver WHERE account_id = $1 AND host = $2 FOR UPDATE';
  const of = (order: readonly string[], at: Date) => () =>
    transaction(pool, (connection) =>
      makeReceiversDue(
        connection,
        order.map((host) => ({ accountId, host })),
        at,
      ),
    );
  await inOrder(database, [lock, accountId, 'a.example'], of(hosts, before(1)), of([...hosts].reverse(), before(2)));
  const due = Object.fromEntries(hosts.map((host) => [host, before(2)]));
  expect(await receiversOf(pool, accountId)).toEqual(due);
});
