import { forms } from '@capture/contract/forms/forms';
import type { AccountEstimate, QueueState } from '@capture/database/captures/read-queue-state';
import { describe, expect, it } from '@jest/globals';
import { estimateOf, retryAfterS } from './queue-estimate.ts';

const account = (more: Partial<AccountEstimate> = {}): AccountEstimate => ({
  plan: 'business',
  waiting: 0,
  inFlight: 0,
  ...more,
});

const lately = (durationMs: number, name = 'somebody', captures = 10): QueueState['ended'] =>
  new Map([[name, { captures, totalMs: captures * durationMs }]]);

/** Eight pages, of which one account gets six at most, and captures that take two seconds. */
function stateOf(accounts: Record<string, AccountEstimate>, more: Partial<QueueState> = {}): QueueState {
  const known = new Map(Object.entries(accounts));
  return { enqueued: 0, accounts: known, itemsWait: false, pages: 8, ended: lately(2_000), ...more };
}

const outlook = (state: QueueState, accountId = 'mine', cameIn?: ReadonlyMap<string, number>) =>
  estimateOf(forms.B, state, accountId, cameIn);

describe('the outlook of a capture', () => {
  it('is what a capture takes where a page is free, and unknown without pages', () => {
    expect(outlook(stateOf({}))).toEqual({ position: 0, waitMs: 0, etaMs: 2_000 });
    expect(outlook(stateOf({ other: account({ inFlight: 7 }) }))).toMatchObject({ waitMs: 0, etaMs: 2_000 });
    expect(outlook(stateOf({}, { ended: new Map() })).etaMs).toBeGreaterThan(0);
    expect(outlook(stateOf({}, { pages: 0 }))).toEqual({ position: 0, waitMs: null, etaMs: null });
  });

  it('is the time until a page is free where all are taken', () => {
    const full = { first: account({ inFlight: 4 }), second: account({ inFlight: 4 }) };
    expect(outlook(stateOf(full))).toEqual({ position: 0, waitMs: 250, etaMs: 2_250 });
    const queued = {
      first: account({ inFlight: 5 }),
      second: account({ inFlight: 5 }),
      third: account({ inFlight: 2 }),
    };
    expect(outlook(stateOf(queued, { enqueued: 4 }))).toEqual({ position: 4, waitMs: 1_250, etaMs: 3_250 });
  });

  it('counts of another account no more than its own turn', () => {
    const state = stateOf({ other: account({ waiting: 1_000, inFlight: 5 }), third: account({ inFlight: 3 }) });
    expect(outlook(state)).toMatchObject({ position: 1, waitMs: 500 });
    expect(outlook(state, 'other').position).toBe(1_000);
    expect(outlook(state, 'mine', new Map([['mine', 3]])).position).toBe(3 + 4);
    expect(outlook(stateOf({}), 'mine', new Map([['other', 3]])).position).toBe(1);
  });

  it('leaves batch items their quarter', () => {
    const accounts = { mine: account({ waiting: 6 }) };
    expect(outlook(stateOf(accounts)).position).toBe(6);
    expect(outlook(stateOf(accounts, { itemsWait: true })).position).toBe(8);
  });

  it('is later for an account that holds all the places it may', () => {
    // Two of the plan free, though six pages are idle: 19 must end before the twenty-first begins.
    const free = stateOf({ mine: account({ plan: 'free', waiting: 18, inFlight: 2 }) });
    expect(outlook(free)).toEqual({ position: 18, waitMs: 19_000, etaMs: 21_000 });
    // Three quarters of the pages of any plan.
    const business = stateOf({ mine: account({ waiting: 18, inFlight: 6 }) });
    expect(outlook(business)).toMatchObject({ position: 18, waitMs: Math.ceil((19 / 6) * 2_000) });
    expect(outlook(business, 'other').waitMs).toBe(0);
  });

  it('is that of the next page where accounts that hold all they may hold all pages', () => {
    const free = () => account({ plan: 'free', waiting: 9, inFlight: 2 });
    const all = { first: free(), second: free(), third: free(), fourth: free() };
    expect(outlook(stateOf(all))).toEqual({ position: 0, waitMs: 250, etaMs: 2_250 });
    const one = stateOf({ other: account({ inFlight: 1 }) }, { pages: 1 });
    expect(outlook(one)).toEqual({ position: 0, waitMs: 2_000, etaMs: 4_000 });
  });

  it('passes an account whose pages all hang', () => {
    const hanging = { captures: 40, totalMs: 40 * 120_000 };
    const ended = new Map([...lately(1_000, 'mine'), ['hanging', hanging]]);
    const accounts = { hanging: account({ waiting: 500, inFlight: 6 }), mine: account({ waiting: 3, inFlight: 2 }) };
    const state = stateOf(accounts, { ended });
    // Five of its own and the new one take turns on the two pages that are left.
    expect(outlook(state)).toEqual({ position: 3, waitMs: 2_000, etaMs: 3_000 });
    expect(outlook(state, 'hanging').waitMs).toBeGreaterThan(1_000_000);
    const nobodyElse = stateOf({ hanging: accounts.hanging }, { ended: new Map([['hanging', hanging]]) });
    expect(outlook(nobodyElse)).toMatchObject({ position: 0, waitMs: 0 });
    expect(outlook(nobodyElse).etaMs).toBeLessThan(10_000);
  });
});

describe('the seconds to wait before coming again', () => {
  it('are those by which the queue is too long, rounded up', () => {
    const waiting = stateOf({ mine: account({ plan: 'free', waiting: 48, inFlight: 2 }) });
    expect(outlook(waiting).waitMs).toBe(49_000);
    expect(retryAfterS(outlook(waiting), 30_000)).toBe(19);
    expect(retryAfterS({ position: 0, waitMs: 30_001, etaMs: 0 }, 30_000)).toBe(1);
  });

  it('are the time that was waited in vain where no worker is alive', () => {
    expect(retryAfterS({ position: 3, waitMs: null, etaMs: null }, 30_000)).toBe(30);
  });

  it('are at least one, and no more than five minutes', () => {
    expect(retryAfterS({ position: 0, waitMs: 0, etaMs: 0 }, 30_000)).toBe(1);
    expect(retryAfterS({ position: 0, waitMs: 10_000_000, etaMs: 0 }, 30_000)).toBe(300);
  });
});
