import { describe, expect, it } from '@jest/globals';
import { type DueReceiver, type InFlightDeliveries, nothingBlocked, slotRules } from './share-slots.ts';

const slots = 256;
const receiver = (accountId: string, host = 'a', prompt: boolean | null = true): DueReceiver => ({
  accountId,
  host,
  prompt,
});
const holding = (key: DueReceiver, count: number): InFlightDeliveries => ({ ...key, count });
const share = (due: DueReceiver[], inFlight: InFlightDeliveries[] = [], total = slots) =>
  slotRules.share(total, inFlight, due).map((each) => each.slots);
const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);

describe('a receiver', () => {
  it('gets 32 slots, or 2 if it did not respond in time or has not been tried', () => {
    expect(share([receiver('one'), receiver('two', 'b', false), receiver('three', 'c', null)])).toEqual([32, 2, 2]);
    expect(slotRules.share(slots, [], [receiver('one')])).toEqual([{ slots: 32, atLimit: true }]);
  });

  it('gets only slots that it does not hold already', () => {
    const [one, two] = [receiver('one'), receiver('two', 'b', false)];
    expect(share([one, two], [holding(one, 30), holding(two, 2)])).toEqual([2, 0]);
    expect(slotRules.share(slots, [holding(two, 2)], [two])).toEqual([{ slots: 0, atLimit: true }]);
    // The same host of another account is another receiver.
    expect(share([receiver('three')], [holding(one, 30)])).toEqual([32]);
  });
});

it('an account gets a quarter of the slots for all its hosts, and is blocked while it holds them', () => {
  const hosts = Array.from({ length: 10 }, (_, i) => receiver('one', `host-${i}`));
  const shares = share([...hosts, receiver('two')]);
  expect(sum(shares.slice(0, 10))).toBe(64);
  expect(shares[10]).toBe(32);
  expect(slotRules.share(slots, [], hosts).some(({ atLimit }) => atLimit)).toBe(false);
  const held = hosts.slice(0, 2).map((host) => holding(host, 32));
  expect(slotRules.blocked(slots, held)).toEqual({ ...nothingBlocked, accountIds: ['one'] });
  expect(slotRules.blocked(slots, held.slice(1))).toEqual(nothingBlocked);
});

it('receivers that do not respond get a quarter of the slots, however many accounts they belong to', () => {
  const hanging = Array.from({ length: 200 }, (_, i) => receiver(`account-${i}`, 'a', false));
  const shares = share([...hanging, receiver('good'), receiver('another', 'b', null)]);
  expect(sum(shares.slice(0, 200))).toBe(64);
  expect(shares.slice(200)).toEqual([32, 2]);
  const held = hanging.slice(0, 32).map((each) => holding(each, 2));
  expect(slotRules.blocked(slots, held)).toEqual({ ...nothingBlocked, allSlow: true });
});

it('new receivers get another quarter, at most four slots per account', () => {
  const hosts = Array.from({ length: 100 }, (_, i) => receiver('one', `host-${i}`, null));
  expect(sum(share(hosts))).toBe(4);
  expect(
    slotRules.blocked(slots, [holding(receiver('one', 'a', null), 2), holding(receiver('one', 'b', null), 2)]),
  ).toEqual({ ...nothingBlocked, newOf: ['one'] });
  const many = Array.from({ length: 100 }, (_, i) => receiver(`account-${i}`, 'a', null));
  expect(sum(share(many))).toBe(64);
  const held = many.slice(0, 32).map((each) => holding(each, 2));
  expect(slotRules.blocked(slots, held)).toEqual({ ...nothingBlocked, allNew: true });
});

it('scarce slots go to each account in turn', () => {
  const due = ['one', 'two', 'three'].map((account) => receiver(account));
  expect(share(due, [holding(receiver('four'), 252)])).toEqual([2, 1, 1]);
  expect(share(due, [holding(receiver('four'), 254)])).toEqual([1, 1, 0]);
  expect(share(due, [holding(receiver('four'), 300)])).toEqual([0, 0, 0]);
});

it('the free slot goes to the account that holds the fewest', () => {
  const [old, late] = [receiver('one', 'c', null), receiver('two', 'a', null)];
  const held = [
    holding(receiver('one', 'a', null), 2),
    holding(receiver('one', 'b', null), 1),
    ...Array.from({ length: 15 }, (_, i) => holding(receiver(`other-${i}`, 'a', null), 4)),
  ];
  expect(share([old, late], held)).toEqual([0, 1]);
  expect(share([old], held)).toEqual([1]);
});

it('a dispatcher with one or two slots still serves every receiver', () => {
  expect(share([receiver('one'), receiver('two', 'b', false)], [], 2)).toEqual([1, 1]);
  for (const prompt of [true, false, null]) expect(share([receiver('one', 'a', prompt)], [], 1)).toEqual([1]);
});
