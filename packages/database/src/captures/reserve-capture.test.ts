import { describe, expect, it } from '@jest/globals';
import {
  captureOf,
  month,
  newAccount,
  reserve,
  rowOf,
  usageOf,
  useTestDatabase,
  whileLocked,
} from './captures.test-support.ts';
import { type Reservation, reserveCapture, reserveCaptures } from './reserve-capture.ts';

const database = await useTestDatabase();
const { pool } = database;

const count = async (accountId: string) => {
  const { rows } = await pool.query('SELECT count(*)::int FROM capture WHERE account_id = $1', [accountId]);
  return rows[0].count;
};

describe('a reservation', () => {
  it('succeeds ten times of fifty at once when ten units remain', async () => {
    const { id } = await newAccount(database);
    const reservations = await Promise.all(
      Array.from({ length: 50 }, () => reserveCapture(pool, captureOf(id, { monthlyLimit: 10 }))),
    );
    const granted = reservations.filter((reservation): reservation is Reservation => reservation !== null);
    // Each response reports another count, so no two responses have the same headers.
    expect(granted.map(({ reserved }) => reserved).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await usageOf(pool, id)).toEqual({ used: 0, reserved: 10 });
    expect(await count(id)).toBe(10);
  });

  it('counts in its month; the next month starts at zero', async () => {
    const { id } = await newAccount(database);
    const limited = { monthlyLimit: 1 };
    expect(await reserveCapture(pool, captureOf(id, limited))).toMatchObject({ used: 0, reserved: 1 });
    expect(await reserveCapture(pool, captureOf(id, limited))).toBeNull();
    expect(await reserveCapture(pool, captureOf(id, { ...limited, month: '2026-12' }))).toMatchObject({
      used: 0,
      reserved: 1,
    });
    expect(await usageOf(pool, id, month)).toEqual({ used: 0, reserved: 1 });
    expect(await usageOf(pool, id, '2026-12')).toEqual({ used: 0, reserved: 1 });
  });

  it('counts each account separately', async () => {
    const [one, other] = [await newAccount(database), await newAccount(database)];
    for (const { id } of [one, other]) {
      expect(await reserveCapture(pool, captureOf(id, { monthlyLimit: 1 }))).not.toBeNull();
      expect(await reserveCapture(pool, captureOf(id, { monthlyLimit: 1 }))).toBeNull();
    }
  });

  it('counts used and reserved units against the limit, even if the limit was lowered', async () => {
    const { id } = await newAccount(database);
    await pool.query(`INSERT INTO usage (account_id, month, used, reserved) VALUES ($1, $2, 7, 2)`, [id, month]);
    expect(await reserveCapture(pool, captureOf(id, { monthlyLimit: 10 }))).toMatchObject({ used: 7, reserved: 3 });
    for (const monthlyLimit of [10, 5, 1, 0]) {
      expect(await reserveCapture(pool, captureOf(id, { monthlyLimit }))).toBeNull();
    }
    expect(await usageOf(pool, id)).toEqual({ used: 7, reserved: 3 });
    expect(await count(id)).toBe(1);
  });

  it('is counted on an unlimited plan, and never refused', async () => {
    const { id } = await newAccount(database);
    await pool.query(`INSERT INTO usage (account_id, month, used) VALUES ($1, $2, 2000000000)`, [id, month]);
    expect(await reserveCapture(pool, captureOf(id, { monthlyLimit: null }))).toMatchObject({
      used: 2_000_000_000,
      reserved: 1,
    });
    const { id: first } = await newAccount(database);
    expect(await reserveCapture(pool, captureOf(first, { monthlyLimit: null }))).toMatchObject({ reserved: 1 });
  });

  it('on a plan without quota leaves no usage row', async () => {
    const { id } = await newAccount(database);
    expect(await reserveCapture(pool, captureOf(id, { monthlyLimit: 0 }))).toBeNull();
    expect(await usageOf(pool, id)).toBeUndefined();
  });

  it('is rolled back with a capture that could not be inserted', async () => {
    const { id } = await newAccount(database);
    const capture = captureOf(id);
    await reserveCapture(pool, capture);
    await expect(reserveCapture(pool, capture)).rejects.toThrow('capture_first_pkey');
    expect(await usageOf(pool, id)).toEqual({ used: 0, reserved: 1 });
  });
});

it('the capture is stored as requested', async () => {
  const { id: accountId } = await newAccount(database);
  const capture = captureOf(accountId, {
    url: 'https://example.com/ä?q="x"',
    options: { url: 'https://example.com/ä?q="x"', width: 800, full_page: true },
    webhookUrl: 'https://hooks.example.com/',
    metadata: { order: '4711' },
  });
  const reservation = await reserveCapture(pool, capture);
  expect(await rowOf(pool, 'capture', capture.id)).toMatchObject({
    account_id: accountId,
    type: 'screenshot',
    status: 'queued',
    url: capture.url,
    options: capture.options,
    webhook_url: capture.webhookUrl,
    metadata: capture.metadata,
    fingerprint: capture.fingerprint,
    month,
    attempt: 0,
    lost_workers: 0,
    created_at: reservation?.createdAt,
    started_at: null,
    completed_at: null,
  });
});

/** Creates an account with a usage row of this month and one reserved capture. */
async function accountWithUsage(): Promise<string> {
  const { id } = await newAccount(database);
  await reserve(pool, id);
  return id;
}

describe('many reservations in one statement', () => {
  it('reserves and inserts for many accounts, and returns each capture its own count', async () => {
    const [one, other] = [await accountWithUsage(), await accountWithUsage()];
    const captures = [captureOf(one, { metadata: { a: 'b' } }), captureOf(other), captureOf(one, { monthlyLimit: 3 })];
    const reserved = await reserveCaptures(pool, captures);
    expect(captures.map(({ id }) => reserved.get(id))).toEqual(
      [2, 2, 3].map((count) => ({ used: 0, reserved: count, createdAt: expect.any(Date) })),
    );
    expect(await usageOf(pool, one)).toEqual({ used: 0, reserved: 3 });
    expect(await usageOf(pool, other)).toEqual({ used: 0, reserved: 2 });

    // The row equals the row of a capture that is reserved alone.
    const alone = captureOf(one, { metadata: { a: 'b' } });
    await reserveCapture(pool, alone);
    const differing = { id: expect.any(String), created_at: expect.any(Date), fingerprint: expect.any(Buffer) };
    const [together] = captures;
    expect(await rowOf(pool, 'capture', together?.id ?? '')).toEqual({
      ...(await rowOf(pool, 'capture', alone.id)),
      ...differing,
    });
    expect((await rowOf(pool, 'capture', together?.id ?? '')).fingerprint).toEqual(together?.fingerprint);
  });

  it('leaves out an account whose quota is too small for all of its captures, or that has no usage row yet', async () => {
    const [full, fresh, open] = [await accountWithUsage(), (await newAccount(database)).id, await accountWithUsage()];
    const captures = [
      captureOf(full, { monthlyLimit: 2 }),
      captureOf(fresh),
      captureOf(open),
      captureOf(full, { monthlyLimit: 2 }),
    ];
    const reserved = await reserveCaptures(pool, captures);
    expect([...reserved.keys()]).toEqual([captures[2]?.id]);
    expect(await usageOf(pool, full)).toEqual({ used: 0, reserved: 1 });
    expect((await count(full)) + (await count(fresh))).toBe(1);
  });

  it('does not wait for an account whose usage row is locked', async () => {
    const [locked, free] = [await accountWithUsage(), await accountWithUsage()];
    const captures = [captureOf(locked), captureOf(free)];
    const lock = ['SELECT FROM usage WHERE account_id = $1 AND month = $2 FOR UPDATE', locked, month] as const;
    const reserved = await whileLocked(database, lock, () => reserveCaptures(pool, captures));
    expect([...reserved.keys()]).toEqual([captures[1]?.id]);
    expect(await usageOf(pool, locked)).toEqual({ used: 0, reserved: 1 });
  });

  it('never exceeds a limit, however many statements run at once, single and combined', async () => {
    const id = await accountWithUsage();
    const limited = () => captureOf(id, { monthlyLimit: 20 });
    const runs = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        if (index % 4 === 0) return (await reserveCapture(pool, limited())) ? 1 : 0;
        return (await reserveCaptures(pool, [limited(), limited()])).size;
      }),
    );
    const granted = runs.reduce((sum, count) => sum + count, 0);
    expect(granted).toBeLessThanOrEqual(19);
    expect(await usageOf(pool, id)).toEqual({ used: 0, reserved: 1 + granted });
    expect(await count(id)).toBe(1 + granted);
  });
});
