import { forms } from '@capture/contract/forms/forms';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { newAccount, rowOf, rowsRead, useTestDatabase, whileLocked } from '../captures/captures.test-support.ts';
import { openDatabase } from '../open-database.ts';
import { readDueState, waitingLeaseMs } from './claim-deliveries.ts';
import {
  after,
  beAlive,
  begin,
  beginClaimed,
  beginOne,
  claimAll,
  claimOne,
  claimRound,
  countRows,
  due,
  insertDelivery,
  leaseMs,
  outcomeOf,
  receiverOf,
  upTo,
} from './deliveries.test-support.ts';
import { recoverReceivers } from './receivers.ts';
import { recordAttempt } from './record-attempt.ts';
import { dropLostAttempts, returnClaims } from './recover-deliveries.ts';
import { type Blocked, type InFlightDeliveries, nothingBlocked, type SlotRules } from './share-slots.ts';

const database = await useTestDatabase(20);
const { pool } = database;
const { A, B } = forms;
let accountId: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event, delivery, delivery_attempt; TRUNCATE dispatcher');
  accountId = (await newAccount(database)).id;
});

const insert = (at?: Date) => insertDelivery(pool, accountId, at);
const insertTo = (host: string, at = due) => insertDelivery(pool, accountId, at, { url: `https://${host}/hooks` });
const claim = (at: Date = due, limit = 100, form = B) => claimAll(pool, form, at, limit);

/** Inserts deliveries of the account to one host, due at `due`. */
async function insertMany(count: number, host = 'hooks.example.com'): Promise<void> {
  await pool.query(
    `WITH e AS (INSERT INTO event (id, account_id, name, body, created_at)
                VALUES ('evt_00' || $3, $1, 'capture.completed', '', now()) RETURNING id)
     INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
     SELECT 'dlv_00' || $3 || n, e.id, $1, 'https://' || $3, now(), $2 FROM e, generate_series(1, $4) n`,
    [accountId, due, host, count],
  );
  await recoverReceivers(pool);
}

describe('a claim', () => {
  it('is exclusive: four concurrent claimers get 2,000 deliveries once each, within their limit', async () => {
    await insertMany(2_000);
    const claimed: string[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        for (;;) {
          await beAlive(pool, 10_000);
          const claims = await claimRound(pool, B, upTo(37), due);
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

  it('reads no more deliveries than it takes, however many were added since the planner counted', async () => {
    await pool.query('VACUUM ANALYZE delivery');
    await insertMany(3_000);
    const read = await rowsRead(database, 'delivery', async (single) => {
      const claims = await claimAll(single, B, due, 5);
      expect(claims).toHaveLength(5);
    });
    expect(read).toBeLessThan(300);
  });

  it('keeps its limit with a query plan for an empty table', async () => {
    for (let i = 0; i < 12; i++) await insert();
    // Without statistics the planner can put the choice on the inner side of a nested loop. Disabling these methods forces that
    // plan.
    const methods = ['hashjoin', 'mergejoin', 'hashagg', 'material', 'sort', 'indexscan', 'bitmapscan'];
    const url = new URL(database.url);
    url.searchParams.set('options', methods.map((method) => `-c enable_${method}=off`).join(' '));
    const other = openDatabase({ url: url.href });
    try {
      expect(await claimAll(other.pool, B, due, 5)).toHaveLength(5);
    } finally {
      await other.close();
    }
  });

  it('takes the longest due first, and nothing that is not due', async () => {
    await insert(after(due, 4));
    const latest = await insert(after(due, 2));
    const later = await insert(after(due, 1));
    const late = await insert(due);
    expect((await claim(after(due, 3), 1)).map(({ id }) => id)).toEqual([late]);
    expect((await claim(after(due, 3))).map(({ id }) => id).sort()).toEqual([later, latest].sort());
    expect(await claim(after(due, 3))).toEqual([]);
    expect(await claim(after(due, 4))).toHaveLength(1);
  });

  it('skips a delivery and a receiver that another transaction has locked', async () => {
    const [busy, free] = [await insertTo('a.example.com'), await insertTo('a.example.com')];
    const locked = await insertTo('b.example.com');
    const claims = await whileLocked(database, ['SELECT 1 FROM delivery WHERE id = $1 FOR UPDATE', busy], () =>
      whileLocked(database, [`SELECT 1 FROM receiver WHERE host = 'b.example.com' FOR UPDATE`], claim),
    );
    expect(claims).toEqual([{ id: free, attempt: 1 }]);
    expect((await claim()).map(({ id }) => id).sort()).toEqual([busy, locked].sort());
  });

  it.each([
    ['A', A],
    ['B', B],
  ] as const)(
    'of form %s is valid briefly while it waits in the queue, then the delivery is due again',
    async (_, form) => {
      const id = await insert();
      expect(await claim(due, 1, form)).toEqual([{ id, attempt: 1 }]);
      const until = after(due, waitingLeaseMs);
      const row = await rowOf(pool, 'delivery', id);
      expect(row).toMatchObject({ lease_until: until, next_attempt_at: until, attempt_count: 0 });
      expect(await claim(after(until, -1), 1, form)).toEqual([]);
      expect(await claim(until, 1, form)).toEqual([{ id, attempt: 2 }]);
      expect(await rowOf(pool, 'delivery', id)).toMatchObject({ attempt: 2, attempt_count: 0, retries_used: 0 });
    },
  );

  it('of form B whose attempt has begun is valid until its lease ends', async () => {
    const id = await insert();
    await beginOne(pool, B);
    const until = after(due, leaseMs(B));
    expect(await claim(after(until, -1))).toEqual([]);
    expect(await claim(until)).toEqual([{ id, attempt: 2 }]);
  });

  it('does not take a delivery that has ended', async () => {
    await insert();
    const attempt = await beginOne(pool, B);
    expect(await recordAttempt(pool, B, attempt, outcomeOf(due, 200, null))).toMatchObject({ state: 'delivered' });
    expect(await claim(after(due, 1e9))).toEqual([]);
    expect(await receiverOf(pool, accountId)).toMatchObject({ next_due_at: null });
  });

  it('takes nothing while no dispatcher is alive or has a free slot', async () => {
    for (let i = 0; i < 5; i++) await insert();
    expect(await claimRound(pool, B, upTo(10), due)).toEqual([]);
    await beAlive(pool, 2, 'dispatcher-2');
    await beAlive(pool, 2, 'dispatcher-3');
    expect(await claimRound(pool, B, upTo(4), due)).toHaveLength(4);
    expect(await claimRound(pool, B, upTo(4), due)).toEqual([]);
    // The deliveries of a lost dispatcher hold no slot, although they keep their lease.
    await pool.query(
      `UPDATE delivery SET begun_attempt = attempt, dispatcher_id = 'dispatcher-2' WHERE lease_until IS NOT NULL`,
    );
    expect(await claimRound(pool, B, upTo(4), due)).toEqual([]);
    await pool.query(`UPDATE dispatcher SET heartbeat_at = now() - interval '5 seconds' WHERE id = 'dispatcher-2'`);
    expect(await claimRound(pool, B, upTo(4), due)).toHaveLength(1);
  });

  it('reads each receiver’s first deliveries, not its backlog: all its queries are index scans', async () => {
    await insertMany(20_000);
    const other = await newAccount(database);
    await insertDelivery(pool, other.id);
    for (let i = 0; i < 50; i++) await insertMany(1, `host-${i}.example.com`);
    await pool.query('ANALYZE delivery; ANALYZE receiver');
    await beAlive(pool);
    const plans = await queryPlansOfClaim();
    expect(plans).toContain('delivery_first_receiver_idx');
    expect(plans).not.toMatch(/Seq Scan on delivery(?!_default)/);
  });
});

describe('the slots', () => {
  it('are shared by rules that receive the due receivers and the slots held', async () => {
    await insertTo('a.example.com');
    await insertTo('b.example.com', after(due, -1_000));
    await claim(due, 1);
    await insertTo('b.example.com');
    await pool.query(`UPDATE receiver SET prompt = true WHERE host = 'b.example.com'`);
    const received: unknown[] = [];
    const rules: SlotRules = {
      blocked(slots, inFlight) {
        received.push(slots, inFlight);
        return nothingBlocked;
      },
      share(slots, _inFlight, receivers) {
        received.push(slots, receivers);
        return receivers.map(() => ({ slots: 0, atLimit: false }));
      },
    };
    expect(await claimRound(pool, B, rules, due)).toEqual([]);
    expect(received).toEqual([
      1_000,
      expect.arrayContaining([
        { accountId, host: 'a.example.com', prompt: null, count: 1 },
        { accountId, host: 'b.example.com', prompt: true, count: 1 },
      ]),
      1_000,
      [{ accountId, host: 'b.example.com', prompt: true }],
    ]);
  });

  it('are not given to blocked accounts and receivers, which stay due', async () => {
    const hosts = { prompt: true, slow: false, new: null };
    for (const [host, prompt] of Object.entries(hosts)) {
      await insertTo(host);
      await pool.query('UPDATE receiver SET prompt = $2 WHERE host = $1', [host, prompt]);
    }
    await beAlive(pool);
    const waiting = async (blocked: Partial<Blocked>) => {
      const rules: SlotRules = { ...upTo(1), blocked: () => ({ ...nothingBlocked, ...blocked }) };
      const claims = await claimRound(pool, B, rules, due);
      await returnClaims(pool, claims, due);
      const claimed = new Set(claims.map(({ id }) => id));
      const { rows } = await pool.query('SELECT id, host FROM delivery ORDER BY host');
      return rows.filter(({ id }) => !claimed.has(id)).map(({ host }) => host);
    };
    expect(await waiting({ accountIds: [accountId] })).toEqual(['new', 'prompt', 'slow']);
    expect(await readDueState(pool, due)).toEqual({ waiting: true, nextDueInMs: null });
    expect(await waiting({ newOf: [accountId] })).toEqual(['new']);
    expect(await waiting({ newOf: ['acc_other'] })).toEqual([]);
    expect(await waiting({ allNew: true })).toEqual(['new']);
    expect(await waiting({ allSlow: true })).toEqual(['slow']);
    expect(await receiverOf(pool, accountId, 'slow')).toMatchObject({ next_due_at: due });
  });

  it('of a receiver at its limit are checked again after a second or with its next outcome', async () => {
    for (let i = 0; i < 3; i++) await insert();
    await beAlive(pool);
    const rules: SlotRules = { ...upTo(2), share: (_, __, of) => of.map(() => ({ slots: 2, atLimit: true })) };
    const [first] = await claimRound(pool, B, rules, due);
    const lookAgainAt = after(due, 1_000);
    expect(await receiverOf(pool, accountId)).toMatchObject({ at_limit: true, next_due_at: lookAgainAt });
    expect(await readDueState(pool, due)).toEqual({
      waiting: false,
      nextDueInMs: lookAgainAt.getTime() - due.getTime(),
    });
    expect(await claimRound(pool, B, upTo(1), after(due, 999))).toEqual([]);
    const attempt = await beginClaimed(pool, B, first);
    expect(await recordAttempt(pool, B, attempt, outcomeOf(due, 200, null))).toMatchObject({
      receiverDue: true,
    });
    expect(await claimRound(pool, B, upTo(1), after(due, 137))).toHaveLength(1);
  });
});

it('an outcome in the middle of a round leaves no receiver waiting for a free slot', async () => {
  for (let i = 0; i < 3; i++) await insert();
  await beAlive(pool);
  const [first] = await claimRound(pool, B, upTo(1), due);
  const attempt = await beginClaimed(pool, B, first);
  const held: number[] = [];
  let recording: Promise<unknown> | undefined;
  const rules: SlotRules = {
    blocked: () => nothingBlocked,
    share(_slots, inFlight) {
      held.push(inFlight.reduce((sum, { count }) => sum + count, 0));
      // The round saw the receiver's one slot held, but its attempt is ending now.
      recording = recordAttempt(pool, B, attempt, outcomeOf(due, 200, null));
      return [{ slots: 0, atLimit: true }];
    },
  };
  await claimRound(pool, B, rules, due);
  expect(await recording).toEqual({ state: 'delivered', receiverDue: true });
  expect(held).toEqual([1]);
  expect(await receiverOf(pool, accountId)).toMatchObject({ at_limit: false, next_due_at: after(due, 137) });
});

it('an outcome between the two reads of a round is counted', async () => {
  for (let i = 0; i < 2; i++) await insert();
  await beAlive(pool);
  const [first] = await claimRound(pool, B, upTo(1), due);
  const attempt = await beginClaimed(pool, B, first);
  const held: number[] = [];
  const note = (_slots: number, inFlight: readonly InFlightDeliveries[]) =>
    held.push(inFlight.reduce((sum, { count }) => sum + count, 0));
  const rules: SlotRules = {
    blocked(slots, inFlight) {
      note(slots, inFlight);
      return nothingBlocked;
    },
    share(slots, inFlight, receivers) {
      note(slots, inFlight);
      return receivers.map(() => ({ slots: 0, atLimit: true }));
    },
  };
  // The round's second statement waits until the outcome is recorded.
  const connection = await pool.connect();
  try {
    const query = async (statement: { name?: string }, values?: unknown[]) => {
      if (statement.name === 'lock-due-receivers') {
        await recordAttempt(pool, B, attempt, outcomeOf(due, 200, null));
      }
      return connection.query(statement as never, values as never);
    };
    const watched = { on() {}, off() {}, release() {}, query };
    await claimRound({ connect: async () => watched } as unknown as pg.Pool, B, rules, due);
  } finally {
    connection.release();
  }
  expect(held).toEqual([1, 0]);
});

it('a round checks each account’s first receiver before any second one', async () => {
  const other = (await newAccount(database)).id;
  for (const host of ['a', 'b', 'c']) await insertTo(host);
  await insertDelivery(pool, other, after(due, 5), { url: 'https://d/hooks' });
  await beAlive(pool);
  let received: string[] = [];
  const rules: SlotRules = {
    ...upTo(0),
    share(_slots, _inFlight, receivers) {
      received = receivers.map(({ host }) => host);
      return receivers.map(() => ({ slots: 0, atLimit: false }));
    },
  };
  await claimRound(pool, B, rules, after(due, 10));
  expect(received[1]).toBe('d');
  expect([...received].sort()).toEqual(['a', 'b', 'c', 'd']);
});

describe('a receiver', () => {
  it('is due with its next delivery, and not due without an open one', async () => {
    await insert(after(due, 500));
    await insert();
    await claim();
    expect(await receiverOf(pool, accountId)).toEqual({
      next_due_at: after(due, 500),
      at_limit: false,
      prompt: null,
    });
    expect(await readDueState(pool, due)).toEqual({ waiting: false, nextDueInMs: 500 });
  });

  it('that was not marked due is recovered, and a correct one is left alone', async () => {
    await insert();
    await insertTo('later.example.com', after(due, 1_000));
    for (const damage of [`UPDATE receiver SET next_due_at = NULL WHERE host LIKE 'hooks%'`, 'DELETE FROM receiver']) {
      await pool.query(damage);
      expect(await recoverReceivers(pool)).toBe(damage.startsWith('UPDATE') ? 1 : 2);
      expect(await receiverOf(pool, accountId)).toMatchObject({ next_due_at: due });
      expect(await recoverReceivers(pool)).toBe(0);
    }
    expect(await receiverOf(pool, accountId, 'later.example.com')).toMatchObject({ next_due_at: after(due, 1_000) });
  });

  it('is recovered in slices, whatever accounts they are of', async () => {
    const { id: other } = await newAccount(database);
    for (const id of [accountId, other]) {
      for (const host of ['a', 'b', 'c']) {
        for (const at of [due, after(due, 1)]) await insertDelivery(pool, id, at, { url: `https://${host}.example/` });
      }
    }
    await pool.query('UPDATE receiver SET next_due_at = NULL');
    expect(await recoverReceivers(pool, { slice: 3, goOn: () => false })).toBe(2);
    expect(await recoverReceivers(pool, { slice: 3 })).toBe(4);
    const { rows } = await pool.query('SELECT FROM receiver WHERE next_due_at = $1', [due]);
    expect(rows).toHaveLength(6);
  });

  it('is recovered by reading a slice of its deliveries', async () => {
    await insertMany(5_000);
    await insertMany(5_000, 'other.example.com');
    await pool.query('ANALYZE delivery');
    const read = await rowsRead(database, 'delivery', (single) => recoverReceivers(single, { slice: 50 }));
    expect(read).toBeLessThan(200);
  });
});

describe('a returned claim', () => {
  it('is due at once; a job queued for it all the same is refused', async () => {
    const id = await insert();
    const returned = await claimOne(pool, B);
    await returnClaims(pool, [returned], after(due, 5));
    expect(await begin(pool, B, returned)).toBeNull();
    expect(await claim(after(due, 4))).toEqual([]);
    expect(await claim(after(due, 5))).toEqual([{ id, attempt: 2 }]);
  });

  it('stays as it is once its attempt has begun: Redis had accepted it after all', async () => {
    const id = await insert();
    const returned = await claimOne(pool, B);
    await begin(pool, B, returned);
    await returnClaims(pool, [returned], due);
    expect(await rowOf(pool, 'delivery', id)).toMatchObject({ lease_until: after(due, leaseMs(B)) });
    expect(await claim()).toEqual([]);
  });

  it('is only the newest one; many are returned in one call', async () => {
    for (let i = 0; i < 50; i++) await insert();
    const claims = await claim();
    const at = after(due, waitingLeaseMs);
    const again = await claim(at, 10);
    await returnClaims(pool, claims, at);
    expect(await claim(at)).toHaveLength(40);
    for (const { id } of again) expect((await rowOf(pool, 'delivery', id)).attempt).toBe(2);
    await returnClaims(pool, [], due);
  });
});

describe('an attempt of a lost dispatcher', () => {
  const leaseOver = { A: after(due, leaseMs(A)), B: after(due, leaseMs(B)) };

  it('is dropped in form A with all its rows, once its claim has expired', async () => {
    await insert();
    const lost = await beginOne(pool, A);
    expect(await dropLostAttempts(pool, A, after(leaseOver.A, -1))).toEqual([]);
    expect(await dropLostAttempts(pool, A, leaseOver.A)).toEqual([lost.id]);
    expect(await countRows(pool)).toEqual({ deliveries: 0, events: 0, attempts: 0 });
    expect(await dropLostAttempts(pool, A, leaseOver.A)).toEqual([]);
  });

  it('is never claimed again in form A, even before it is dropped', async () => {
    await insert();
    await beginOne(pool, A);
    expect(await claim(leaseOver.A, 10, A)).toEqual([]);
  });

  it('keeps the event that another delivery needs', async () => {
    await insert();
    await pool.query(
      `INSERT INTO delivery (id, event_id, account_id, url, created_at, next_attempt_at)
       SELECT 'dlv_other', event_id, account_id, 'https://other.example.com', now(), '2027-01-01' FROM delivery`,
    );
    const lost = await beginOne(pool, A);
    expect(await dropLostAttempts(pool, A, leaseOver.A)).toEqual([lost.id]);
    expect(await countRows(pool)).toEqual({ deliveries: 1, events: 1, attempts: 0 });
  });

  it('is sent again in form B: nothing is dropped', async () => {
    const id = await insert();
    await beginOne(pool, B);
    expect(await dropLostAttempts(pool, B, leaseOver.B)).toEqual([]);
    expect(await claim(leaseOver.B)).toEqual([{ id, attempt: 2 }]);
  });

  it('that had not begun is claimed again, in form A too', async () => {
    const id = await insert();
    await claimOne(pool, A);
    expect(await dropLostAttempts(pool, A, leaseOver.A)).toEqual([]);
    expect(await claim(leaseOver.A, 10, A)).toEqual([{ id, attempt: 2 }]);
  });
});

/** Returns the query plans of all statements of a claim. */
async function queryPlansOfClaim(): Promise<string> {
  const statements: { text: string; values?: unknown[] }[] = [];
  const connection = await pool.connect();
  try {
    const query = (statement: string | { text: string; values?: unknown[] }, values?: unknown[]) => {
      const { text, values: parameters } = typeof statement === 'string' ? { text: statement, values } : statement;
      statements.push({ text, ...(parameters && { values: parameters }) });
      return connection.query(text, parameters);
    };
    const watched = { on() {}, off() {}, release() {}, query };
    const pool = { connect: async () => watched } as unknown as pg.Pool;
    expect(await claimRound(pool, B, upTo(3), due)).not.toEqual([]);
    const plans: string[] = [];
    for (const { text, values } of statements.filter((each) => /^\s*(SELECT|WITH|UPDATE)/.test(each.text))) {
      const { rows } = await connection.query(`EXPLAIN ${text}`, values);
      plans.push(...rows.map((row) => row['QUERY PLAN']));
    }
    return plans.join('\n');
  } finally {
    connection.release(true);
  }
}
