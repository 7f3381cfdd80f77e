import { beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsApart } from './accounts-apart.ts';

const minute = 60_000;

describe('an account that is apart', () => {
  let now: number;
  let accounts: AccountsApart;
  beforeEach(() => {
    now = 0;
    accounts = new AccountsApart(() => now);
  });

  it('stays apart for ten minutes after a cell with one of its pages fails', () => {
    expect(accounts.isApart('a')).toBe(false);
    expect(accounts.note('a')).toBe(false);
    expect([accounts.isApart('a'), accounts.isForLong('a'), accounts.isApart('b')]).toEqual([true, false, false]);
    now += 10 * minute;
    expect(accounts.isApart('a')).toBe(false);
  });

  it('is released when it completes a capture alone, but not after a second failure', () => {
    accounts.note('a');
    accounts.release('a');
    expect(accounts.isApart('a')).toBe(false);
    now += 59 * minute;
    expect(accounts.note('a')).toBe(true);
    accounts.release('a');
    expect(accounts.isForLong('a')).toBe(true);
    now += 60 * minute;
    expect(accounts.isApart('a')).toBe(false);
  });

  it('stays apart for ten minutes again if the last failure was more than an hour ago', () => {
    accounts.note('a');
    now += 61 * minute;
    expect(accounts.note('a')).toBe(false);
  });

  it('stays apart for an hour at once if only its page can be at fault', () => {
    accounts.noteForLong('a');
    now += 59 * minute;
    expect(accounts.isForLong('a')).toBe(true);
  });
});
