import { describe, expect, it } from '@jest/globals';
import { chooseCaptures, type InFlightCapture, type WaitingAccount, windowOf } from './choose-captures.ts';
import { fairRules } from './schedule-captures.ts';

const ids = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);
const account = (accountId: string, more: Partial<WaitingAccount> = {}): WaitingAccount => ({
  accountId,
  concurrency: 100,
  lastScheduledAt: 0,
  lastWasItem: false,
  singles: [],
  batches: [],
  ...more,
});
const batch = (name: string, count: number, lastScheduledAt = 0) => ({
  batchId: name,
  lastScheduledAt,
  items: ids(name, count),
});

/** Runs the queue until it is empty. Captures end one at a time, the oldest in flight first. @returns their ids in that order. */
function runAll(
  pages: number,
  accounts: { accountId: string; concurrency?: number; singles?: string[]; batches?: [string, string[]][] }[],
): string[] {
  const owner = new Map<string, { accountId: string; batchId: string | null }>();
  const scheduledAt = new Map<string, number>();
  const lastWasItem = new Map<string, boolean>();
  let clock = 0;
  const state = accounts.map(({ accountId, concurrency = 100, singles = [], batches = [] }) => {
    for (const id of singles) owner.set(id, { accountId, batchId: null });
    for (const [batchId, items] of batches) for (const id of items) owner.set(id, { accountId, batchId });
    return {
      accountId,
      concurrency,
      singles: [...singles],
      batches: batches.map(([batchId, items]) => ({ batchId, items: [...items] })),
    };
  });
  const inFlight: string[] = [];
  const ended: string[] = [];
  for (;;) {
    const { chosen } = chooseCaptures(
      pages,
      inFlight.map((id) => owner.get(id)!),
      state.map((each) =>
        account(each.accountId, {
          concurrency: each.concurrency,
          lastScheduledAt: scheduledAt.get(each.accountId) ?? 0,
          lastWasItem: lastWasItem.get(each.accountId) ?? false,
          singles: each.singles,
          batches: each.batches.map((one) => ({ ...one, lastScheduledAt: scheduledAt.get(one.batchId) ?? 0 })),
        }),
      ),
    );
    for (const id of chosen) {
      const { accountId, batchId } = owner.get(id)!;
      clock += 1;
      scheduledAt.set(accountId, clock);
      lastWasItem.set(accountId, batchId !== null);
      if (batchId !== null) scheduledAt.set(batchId, clock);
      const each = state.find((one) => one.accountId === accountId)!;
      for (const list of [each.singles, ...each.batches.map((one) => one.items)]) {
        if (list.includes(id)) list.splice(list.indexOf(id), 1);
      }
      inFlight.push(id);
    }
    const done = inFlight.shift();
    if (done === undefined) return ended;
    ended.push(done);
  }
}

it.each([1, 2, 3, 5, 7, 8])('two accounts with a backlog use all of %i pages', (pages) => {
  const backlog = ['a', 'b'].map((name) => account(name, { singles: ids(name, 50) }));
  expect(chooseCaptures(pages, [], backlog).chosen.length).toBeGreaterThanOrEqual(pages);
});

describe('chooseCaptures', () => {
  it('fills the window and no more', () => {
    expect(
      chooseCaptures(
        4,
        [],
        ['a', 'b', 'c'].map((name) => account(name, { singles: ids(name, 50) })),
      ).chosen,
    ).toHaveLength(windowOf(4));
    expect(chooseCaptures(4, [], []).chosen).toEqual([]);
  });

  it('never gives one account all slots, nor more than its plan allows', () => {
    const alone = chooseCaptures(8, [], [account('a', { singles: ids('s', 50) })]).chosen;
    expect(alone).toHaveLength(6);
    expect(chooseCaptures(8, [], [account('a', { singles: ids('s', 50), concurrency: 2 })]).chosen).toHaveLength(2);
    expect(chooseCaptures(1, [], [account('a', { singles: ids('s', 50) })]).chosen).toHaveLength(1);
  });

  it('keeps half of the pages free of one account while others are served, or were a moment ago', () => {
    const slow = account('slow', { singles: ids('s', 50) });
    expect(chooseCaptures(8, [], [slow], new Map([['other', 0]])).chosen).toHaveLength(4);
    expect(chooseCaptures(8, [{ accountId: 'other', batchId: null }], [slow]).chosen).toHaveLength(4);
    const rules = fairRules();
    rules.choose(8, [{ accountId: 'other', batchId: null }], [slow]);
    expect(rules.choose(8, [], [slow])).toHaveLength(4);
  });

  it('keeps most pages free of accounts that are apart while others are served', () => {
    const waiting = (names: string[]) => names.map((name) => account(name, { singles: ids(name, 50) }));
    const apart = new Set(['one', 'two', 'three']);
    const choose = (pages: number, inFlight: InFlightCapture[], names: string[]) =>
      chooseCaptures(pages, inFlight, waiting(names), new Map(), apart).chosen.length;
    const other: InFlightCapture = { accountId: 'other', batchId: null };
    expect(choose(8, [other], ['one'])).toBe(2);
    expect(choose(8, [other], ['one', 'two', 'three'])).toBe(4);
    expect(choose(2, [other], ['one', 'two'])).toBe(1);
    // Accounts that flood make no room for each other, neither for captures in flight nor for those of a moment ago.
    expect(choose(8, [{ accountId: 'two', batchId: null }], ['one'])).toBe(4);
    const rules = fairRules();
    rules.choose(8, [{ accountId: 'two', batchId: null }], [], apart);
    expect(rules.choose(8, [], waiting(['one']), new Set(['one']))).toHaveLength(4);
    expect(choose(8, [], ['one'])).toBe(6);
    expect(choose(8, [], ['one', 'two'])).toBe(8);
  });

  it('lets accounts that are apart take turns, also one with single captures beside those with batches', () => {
    const other: InFlightCapture = { accountId: 'other', batchId: null };
    const batches = ['two', 'three'].map((name) =>
      account(name, { batches: [batch(name, 50, 5)], lastScheduledAt: 5 }),
    );
    const single = account('one', { singles: ['single'], lastScheduledAt: 1 });
    const inFlight = [other, { accountId: 'two', batchId: 'two' }];
    const apart = new Set(['one', 'two', 'three']);
    expect(chooseCaptures(4, inFlight, [...batches, single], new Map(), apart).chosen).toEqual(['single']);
  });

  it('lets an account that had less in flight lately have more than half of the pages for a while', () => {
    const other: InFlightCapture = { accountId: 'other', batchId: null };
    const few = account('few', { singles: ids('f', 50) });
    expect(chooseCaptures(8, [other], [few], new Map([['few', 3.9]])).chosen).toHaveLength(4);
    expect(chooseCaptures(8, [other], [few], new Map([['few', 3]])).chosen).toHaveLength(6);
    expect(chooseCaptures(8, [other], [{ ...few, concurrency: 5 }], new Map([['few', 3]])).chosen).toHaveLength(5);

    // Together, two such accounts leave a slot to a third account.
    const two = [few, account('more', { singles: ids('m', 50) })];
    const lately = new Map(two.map(({ accountId }) => [accountId, 1]));
    expect(chooseCaptures(4, [], two, lately).chosen).toHaveLength(windowOf(4) - 1);

    let now = 0;
    const rules = fairRules(() => now);
    const others = Array.from({ length: 2 }, () => other);
    const holding = (count: number) =>
      Array.from({ length: count }, (): InFlightCapture => ({ accountId: 'few', batchId: null }));
    // The first captures of a new account do not show yet whether it uses its share.
    expect(rules.choose(8, others, [few])).toHaveLength(4);
    now += 30_000;
    expect(rules.choose(8, [...others, ...holding(1)], [])).toHaveLength(0);
    now += 10_000;
    expect(rules.choose(8, [...others, ...holding(1)], [few])).toHaveLength(5);
    // By now the account has used its share.
    now += 30_000;
    expect(rules.choose(8, [...others, ...holding(3)], [few])).toHaveLength(1);
  });

  it('forgets an account that has sent nothing for half a minute', () => {
    let now = 0;
    const rules = fairRules(() => now);
    const slow = account('slow', { singles: ids('s', 50) });
    rules.choose(8, [{ accountId: 'other', batchId: null }], [slow]);
    now = 30_001;
    expect(rules.choose(8, [], [slow])).toHaveLength(6);
  });

  it('lets accounts take turns: fewest in flight first, then longest wait', () => {
    const waiting = [
      account('a', { singles: ids('a', 9), lastScheduledAt: 2 }),
      account('b', { singles: ids('b', 9), lastScheduledAt: 1 }),
      account('c', { singles: ids('c', 9), lastScheduledAt: 3 }),
    ];
    expect(chooseCaptures(2, [], waiting).chosen).toEqual(['b0', 'a0', 'c0']);
    const inFlight: InFlightCapture[] = [{ accountId: 'b', batchId: null }];
    expect(chooseCaptures(2, inFlight, waiting).chosen).toEqual(['a0', 'c0']);
  });

  it('takes single captures first and keeps a quarter of the slots for batch items', () => {
    const both = [
      account('a', { singles: ids('s', 50) }),
      account('b', { batches: [batch('x', 50)] }),
      account('c', { singles: ids('t', 50) }),
      account('d', { singles: ids('u', 50) }),
    ];
    const { chosen } = chooseCaptures(8, [], both);
    expect(chosen.filter((id) => id.startsWith('x'))).toHaveLength(Math.ceil(windowOf(8) / 4));
    expect(chosen).toHaveLength(windowOf(8));
  });

  it.each([
    [2, 1],
    [3, 1],
    [6, 2],
  ])('takes items for a quarter of the %i slots of an account with waiting single captures', (concurrency, items) => {
    const singles = { concurrency, singles: ids('s', 50) };
    const other: InFlightCapture = { accountId: 'other', batchId: 'y' };
    const both = account('a', { ...singles, batches: [batch('x', 1_000)] });
    const itemsOf = (chosen: string[]) => chosen.filter((id) => id.startsWith('x')).length;
    const fresh = chooseCaptures(20, [], [both]).chosen;
    expect([fresh.length, itemsOf(fresh)]).toEqual([concurrency, items]);
    // The other accounts' items, and single captures that never end, do not keep the batch from these slots.
    const held = Array.from({ length: concurrency - 1 }, (): InFlightCapture => ({ accountId: 'a', batchId: null }));
    expect(chooseCaptures(20, [...Array(15).fill(other), ...held], [both]).chosen).toEqual(['x0']);
    // A single capture that arrives while the batch holds all slots starts when the next capture ends.
    const full = Array.from({ length: concurrency }, (): InFlightCapture => ({ accountId: 'a', batchId: 'x' }));
    expect(chooseCaptures(20, full, [both]).chosen).toEqual([]);
    expect(chooseCaptures(20, full.slice(1), [both]).chosen).toEqual(['s0']);
  });

  it('lets single captures and items of an account with one slot take turns', () => {
    const both = { concurrency: 1, singles: ids('s', 50), batches: [batch('x', 1_000)] };
    for (const pages of [1, 20]) {
      expect(chooseCaptures(pages, [], [account('a', { ...both, lastWasItem: true })]).chosen).toEqual(['s0']);
      expect(chooseCaptures(pages, [], [account('a', { ...both, lastWasItem: false })]).chosen).toEqual(['x0']);
    }
    const order = runAll(1, [
      { accountId: 'a', singles: ids('s', 20), batches: [['x', ids('x', 1_000)]] },
      { accountId: 'b', batches: [['y', ids('y', 1_000)]] },
    ]);
    const ofA = order.filter((id) => !id.startsWith('y'));
    for (const turn of [0, 9, 18]) {
      expect(ofA.slice(2 * turn, 2 * turn + 2).toSorted()).toEqual([`s${turn}`, `x${turn}`]);
    }
  });

  it("serves an account's batch beside its single captures, and another account's batch", () => {
    const order = runAll(4, [
      { accountId: 'both', concurrency: 2, singles: ids('s', 100), batches: [['x', ids('x', 100)]] },
      { accountId: 'items', concurrency: 2, batches: [['y', ids('y', 100)]] },
    ]);
    for (const kind of ['s', 'x', 'y']) expect(order.indexOf(`${kind}49`)).toBeLessThan(210);
  });

  it('keeps a quarter of the slots for accounts that have only batch items, whatever the others have', () => {
    const both = ['a', 'b', 'c'].map((name) =>
      account(name, { concurrency: 2, singles: ids(name, 50), batches: [batch(`${name}x`, 50)] }),
    );
    const inFlight = ['a', 'b', 'c'].flatMap((accountId): InFlightCapture[] => [
      { accountId, batchId: null },
      { accountId, batchId: 'x' },
    ]);
    const waiting = [...both, account('items', { batches: [batch('y', 50)] })];
    expect(chooseCaptures(4, inFlight.slice(1), waiting).chosen).toEqual(['y0']);
  });

  it("lets an account's batches take turns", () => {
    const waiting = [account('a', { batches: [batch('x', 9, 1), batch('y', 9, 2), batch('z', 9, 0)] })];
    expect(chooseCaptures(8, [], waiting).chosen.slice(0, 4)).toEqual(['z0', 'x0', 'y0', 'z1']);
  });

  it('finishes a batch of one soon beside a batch of a thousand', () => {
    const order = runAll(4, [
      { accountId: 'big', batches: [['x', ids('x', 1_000)]] },
      { accountId: 'small', batches: [['y', ['y0']]] },
    ]);
    expect(order).toHaveLength(1_001);
    expect(order.indexOf('y0')).toBeLessThanOrEqual(windowOf(4));
  });

  it('finishes one batch in its turn beside a hundred batches of another account', () => {
    const many = Array.from({ length: 100 }, (_, i): [string, string[]] => [`b${i}_`, ids(`b${i}_`, 10)]);
    const order = runAll(4, [
      { accountId: 'many', batches: many },
      { accountId: 'one', batches: [['y', ids('y', 10)]] },
    ]);
    // Two accounts take turns: the batch is reached after 10 captures of each account and those already in flight.
    expect(order.indexOf('y9')).toBeLessThanOrEqual(20 + windowOf(4));
  });

  it('serves every account, however few slots there are', () => {
    const accounts = ['a', 'b', 'c', 'd', 'e'].map((accountId) => ({ accountId, singles: ids(accountId, 20) }));
    const order = runAll(1, accounts);
    for (const { accountId } of accounts)
      expect(order.indexOf(`${accountId}3`)).toBeLessThanOrEqual(5 * 4 + windowOf(1));
  });
});
