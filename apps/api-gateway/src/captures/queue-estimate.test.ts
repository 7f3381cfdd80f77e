import { setTimeout as sleep } from 'node:timers/promises';
import { forms } from '@capture/contract/forms/forms';
import type { AccountEstimate, QueueState } from '@capture/database/captures/read-queue-state';
import { describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../test-gateway.ts';
import { estimateOf, QueueEstimate, retryAfterS } from './queue-estimate.ts';

const account = (more: Partial<AccountEstimate> = {}): AccountEstimate => ({
  plan: 'business',
  waiting: 0,
  inFlight: 0,
  itemsInFlight: 0,
  isApart: false,
  ...more,
});

const recent = (durationMs: number, name = 'recent', captures = 10): QueueState['ended'] =>
  new Map([[name, { captures, totalMs: captures * durationMs }]]);

/** The workers have eight pages, of which one account gets at most six, and a capture takes two seconds. */
function stateOf(accounts: Record<string, AccountEstimate>, more: Partial<QueueState> = {}): QueueState {
  const known = new Map(Object.entries(accounts));
  return { enqueued: 0, accounts: known, itemsWait: false, pages: 8, ended: recent(2_000), ...more };
}

const estimate = (state: QueueState, accountId = 'mine', accepted?: ReadonlyMap<string, number>) =>
  estimateOf(forms.B, state, accountId, accepted);

describe('estimateOf', () => {
  it('is the duration of a capture when a page is free, and unknown without pages', () => {
    expect(estimate(stateOf({}))).toEqual({ position: 0, waitMs: 0, etaMs: 2_000 });
    expect(estimate(stateOf({ other: account({ inFlight: 7 }) }))).toMatchObject({ waitMs: 0, etaMs: 2_000 });
    expect(estimate(stateOf({}, { ended: new Map() })).etaMs).toBeGreaterThan(0);
    expect(estimate(stateOf({}, { pages: 0 }))).toEqual({ position: 0, waitMs: null, etaMs: null });
  });

  it('adds the time until a page is free when all are in use', () => {
    const full = { first: account({ inFlight: 4 }), second: account({ inFlight: 4 }) };
    expect(estimate(stateOf(full))).toEqual({ position: 0, waitMs: 250, etaMs: 2_250 });
    const queued = {
      first: account({ inFlight: 5 }),
      second: account({ inFlight: 5 }),
      third: account({ inFlight: 2 }),
    };
    expect(estimate(stateOf(queued, { enqueued: 4 }))).toEqual({ position: 4, waitMs: 1_250, etaMs: 3_250 });
  });

  it('counts one capture of every other account per own capture', () => {
    const state = stateOf({ other: account({ waiting: 1_000, inFlight: 5 }), third: account({ inFlight: 3 }) });
    expect(estimate(state)).toMatchObject({ position: 1, waitMs: 500 });
    expect(estimate(state, 'other').position).toBe(1_000);
    expect(estimate(state, 'mine', new Map([['mine', 3]])).position).toBe(3 + 4);
    expect(estimate(stateOf({}), 'mine', new Map([['other', 3]])).position).toBe(1);
  });

  it('leaves a quarter of the slots to batch items', () => {
    const accounts = { mine: account({ waiting: 6 }) };
    expect(estimate(stateOf(accounts)).position).toBe(6);
    expect(estimate(stateOf(accounts, { itemsWait: true })).position).toBe(8);
  });

  it('is later for an account that uses all its slots', () => {
    // The plan free has two slots, though six pages are idle: 19 captures must end before the twenty-first starts.
    const free = stateOf({ mine: account({ plan: 'free', waiting: 18, inFlight: 2 }) });
    expect(estimate(free)).toEqual({ position: 18, waitMs: 19_000, etaMs: 21_000 });
    // Any plan gets at most three quarters of the pages.
    const business = stateOf({ mine: account({ waiting: 18, inFlight: 6 }) });
    expect(estimate(business)).toMatchObject({ position: 18, waitMs: Math.ceil((19 / 6) * 2_000) });
    expect(estimate(business, 'other').waitMs).toBe(0);
  });

  it('is later for an account that is apart, which has a quarter of the slots while other accounts wait', () => {
    const mine = account({ waiting: 18, inFlight: 2, isApart: true });
    expect(estimate(stateOf({ mine })).waitMs).toBe(Math.ceil((15 / 6) * 2_000));
    expect(estimate(stateOf({ mine, other: account({ inFlight: 1 }) })).waitMs).toBe(19_000);
    expect(estimate(stateOf({ mine, other: account({ inFlight: 1, isApart: true }) })).waitMs).toBe(5_000);
    const withoutWorkers = stateOf({ mine, other: account() }, { pages: 0, itemsWait: true });
    expect(estimate(withoutWorkers)).toEqual({ position: 24, waitMs: null, etaMs: null });
  });

  it('does not wait for the batch of its account, which takes a quarter of its slots', () => {
    const beside = (waiting: number, inFlight: number, itemsInFlight: number, plan = 'free') =>
      estimate(stateOf({ mine: account({ plan, waiting, inFlight, itemsInFlight }) }, { itemsWait: true }));
    // Items hold both slots: when the next item ends, it leaves its slot to the single capture.
    expect(beside(0, 2, 2)).toEqual({ position: 0, waitMs: 1_000, etaMs: 3_000 });
    // Then an item takes one slot again whenever an item ends, and single captures follow one another in the other slot.
    expect(beside(0, 2, 1)).toMatchObject({ position: 0, waitMs: 2_000 });
    expect(beside(18, 2, 1)).toMatchObject({ position: 18 + 18, waitMs: 19 * 2_000 });
    // Of six slots, items take two.
    expect(beside(18, 6, 2, 'business')).toMatchObject({ position: 18 + 9, waitMs: Math.ceil((19 / 4) * 2_000) });
    // With one page, an account has one slot: single captures and items take turns.
    const one = account({ waiting: 3, inFlight: 1, itemsInFlight: 1 });
    expect(estimate(stateOf({ mine: one }, { itemsWait: true, pages: 1 })).waitMs).toBe(7 * 2_000);
    // The last items of a batch run, and no items wait.
    const last = account({ plan: 'free', waiting: 18, inFlight: 2, itemsInFlight: 1 });
    expect(estimate(stateOf({ mine: last })).waitMs).toBe(19_000);
  });

  it('waits for the next page when accounts at their limit use all pages', () => {
    const free = () => account({ plan: 'free', waiting: 9, inFlight: 2 });
    const all = { first: free(), second: free(), third: free(), fourth: free() };
    expect(estimate(stateOf(all))).toEqual({ position: 0, waitMs: 250, etaMs: 2_250 });
    const one = stateOf({ other: account({ inFlight: 1 }) }, { pages: 1 });
    expect(estimate(one)).toEqual({ position: 0, waitMs: 2_000, etaMs: 4_000 });
  });

  it('overtakes an account whose pages all hang', () => {
    const hanging = { captures: 40, totalMs: 40 * 120_000 };
    const ended = new Map([...recent(1_000, 'mine'), ['hanging', hanging]]);
    const accounts = { hanging: account({ waiting: 500, inFlight: 6 }), mine: account({ waiting: 3, inFlight: 2 }) };
    const state = stateOf(accounts, { ended });
    // Five captures of the account and the new capture share the two remaining pages.
    expect(estimate(state)).toEqual({ position: 3, waitMs: 2_000, etaMs: 3_000 });
    expect(estimate(state, 'hanging').waitMs).toBeGreaterThan(1_000_000);
    const onlyHanging = stateOf({ hanging: accounts.hanging }, { ended: new Map([['hanging', hanging]]) });
    expect(estimate(onlyHanging)).toMatchObject({ position: 0, waitMs: 0 });
    expect(estimate(onlyHanging).etaMs).toBeLessThan(10_000);
  });
});

describe('retryAfterS', () => {
  it('is the time by which the queue is too long, rounded up', () => {
    const waiting = stateOf({ mine: account({ plan: 'free', waiting: 48, inFlight: 2 }) });
    expect(estimate(waiting).waitMs).toBe(49_000);
    expect(retryAfterS(estimate(waiting), 30_000)).toBe(19);
    expect(retryAfterS({ position: 0, waitMs: 30_001, etaMs: 0 }, 30_000)).toBe(1);
  });

  it('is the queue wait limit when no worker is alive', () => {
    expect(retryAfterS({ position: 3, waitMs: null, etaMs: null }, 30_000)).toBe(30);
  });

  it('is between one second and five minutes', () => {
    expect(retryAfterS({ position: 0, waitMs: 0, etaMs: 0 }, 30_000)).toBe(1);
    expect(retryAfterS({ position: 0, waitMs: 10_000_000, etaMs: 0 }, 30_000)).toBe(300);
  });
});

it('keeps the durations of rendered captures while others are cancelled, until enough are rendered', async () => {
  const gateway = await startTestGateway();
  try {
    const { pool } = gateway.database;
    const key = await gateway.register('cancels@example.com', 'business');
    const url = 'https://example.com/';
    const estimate = new QueueEstimate(pool, forms.B);
    const etaMs = async () => {
      // A reading is used again for half a second.
      await sleep(600);
      return (await estimate.next('new')).etaMs;
    };
    const submit = (items: number) =>
      gateway
        .as(key)
        .post('/api/v1/batches')
        .send({ items: Array(items).fill({ url }) })
        .expect(202);
    const end = (status: string, durationMs: number) =>
      pool.query(`UPDATE capture SET status = $1, duration_ms = $2, completed_at = now() WHERE status = 'queued'`, [
        status,
        durationMs,
      ]);
    await pool.query(`INSERT INTO worker (id, pages, heartbeat_at) VALUES ('alive', 8, now() + interval '1 hour')`);
    await submit(12);
    await end('completed', 7_000);
    expect(await etaMs()).toBe(7_000);
    await submit(600);
    await end('cancelled', 0);
    expect(await etaMs()).toBe(7_000);
    await submit(1);
    await end('completed', 60_000);
    expect(await etaMs()).toBe(7_000);
    await submit(10);
    await end('completed', 2_000);
    expect(await etaMs()).toBeLessThan(12_000);
    expect(await etaMs()).not.toBe(7_000);
  } finally {
    await gateway.close();
  }
});
