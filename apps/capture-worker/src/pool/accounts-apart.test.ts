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

  it('is so for ten minutes after a cell has failed in which it had a page', () => {
    expect(accounts.isApart('a')).toBe(false);
    expect(accounts.note('a')).toBe(false);
    expect([accounts.isApart('a'), accounts.isForLong('a'), accounts.isApart('b')]).toEqual([true, false, false]);
    now += 10 * minute;
    expect(accounts.isApart('a')).toBe(false);
  });

  it('is released when it has completed a capture alone, but not once this was a repeat', () => {
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

  it('is so for ten minutes again if the last time was more than an hour ago', () => {
    accounts.note('a');
    now += 61 * minute;
    expect(accounts.note('a')).toBe(false);
  });

  it('is so for an hour at once if only its page can have been at fault', () => {
    accounts.noteForLong('a');
    now += 59 * minute;
    expect(accounts.isForLong('a')).toBe(true);
  });
});
