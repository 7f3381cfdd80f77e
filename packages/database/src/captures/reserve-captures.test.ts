import { expect, it } from '@jest/globals';
import { captureOf, month, newAccount, reserve, rowOf, usageOf, useTestDatabase } from './captures.test-support.ts';
import { reserveCapture } from './reserve-capture.ts';
import { reserveCaptures } from './reserve-captures.ts';

const database = useTestDatabase();

/** An account that has counters of this month: one capture is reserved. */
async function accountWithUsage(): Promise<string> {
  const { id } = await newAccount(database);
  await reserve(database.pool, id);
  return id;
}

it('reserves and inserts for each account of many, and tells each capture its own count', async () => {
  const [one, other] = [await accountWithUsage(), await accountWithUsage()];
  const captures = [captureOf(one, { metadata: { a: 'b' } }), captureOf(other), captureOf(one, { monthlyLimit: 3 })];
  const reserved = await reserveCaptures(database.pool, captures);
  expect(captures.map(({ id }) => reserved.get(id))).toEqual(
    [2, 2, 3].map((count) => ({ used: 0, reserved: count, createdAt: expect.any(Date) })),
  );
  expect(await usageOf(database.pool, one)).toEqual({ used: 0, reserved: 3 });
  expect(await usageOf(database.pool, other)).toEqual({ used: 0, reserved: 2 });

  // To the letter as one that is reserved by itself.
  const alone = captureOf(one, { metadata: { a: 'b' } });
  await reserveCapture(database.pool, alone);
  const differing = { id: expect.any(String), created_at: expect.any(Date), fingerprint: expect.any(Buffer) };
  const [together] = captures;
  expect(await rowOf(database.pool, 'capture', together?.id ?? '')).toEqual({
    ...(await rowOf(database.pool, 'capture', alone.id)),
    ...differing,
  });
  expect((await rowOf(database.pool, 'capture', together?.id ?? '')).fingerprint).toEqual(together?.fingerprint);
});

it('leaves an account out whose quota does not hold all of its captures, or that has no counters yet', async () => {
  const [full, fresh, open] = [await accountWithUsage(), (await newAccount(database)).id, await accountWithUsage()];
  const captures = [
    captureOf(full, { monthlyLimit: 2 }),
    captureOf(fresh),
    captureOf(open),
    captureOf(full, { monthlyLimit: 2 }),
  ];
  const reserved = await reserveCaptures(database.pool, captures);
  expect([...reserved.keys()]).toEqual([captures[2]?.id]);
  expect(await usageOf(database.pool, full)).toEqual({ used: 0, reserved: 1 });
  const { rows } = await database.pool.query('SELECT id FROM capture WHERE account_id = ANY($1)', [[full, fresh]]);
  expect(rows).toHaveLength(1);
});

it('does not wait for an account whose counters somebody else is changing', async () => {
  const [locked, free] = [await accountWithUsage(), await accountWithUsage()];
  const captures = [captureOf(locked), captureOf(free)];
  const holder = await database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM usage WHERE account_id = $1 AND month = $2 FOR UPDATE', [locked, month]);
    const reserved = await reserveCaptures(database.pool, captures);
    expect([...reserved.keys()]).toEqual([captures[1]?.id]);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  expect(await usageOf(database.pool, locked)).toEqual({ used: 0, reserved: 1 });
});

it('never passes a limit, however many statements run at once, alone and together', async () => {
  const id = await accountWithUsage();
  const limited = () => captureOf(id, { monthlyLimit: 20 });
  const runs = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      if (index % 4 === 0) return (await reserveCapture(database.pool, limited())) ? 1 : 0;
      return (await reserveCaptures(database.pool, [limited(), limited()])).size;
    }),
  );
  const made = runs.reduce((sum, count) => sum + count, 0);
  expect(made).toBeLessThanOrEqual(19);
  expect(await usageOf(database.pool, id)).toEqual({ used: 0, reserved: 1 + made });
  const { rows } = await database.pool.query('SELECT count(*)::int FROM capture WHERE account_id = $1', [id]);
  expect(rows[0].count).toBe(1 + made);
});
