import { beforeEach, describe, expect, it } from '@jest/globals';
import { Deadline } from '../deadline.ts';
import { Suspects } from './suspects.ts';

const minute = 60_000;
const deadline = new Deadline(minute);

describe('Suspects', () => {
  let now = 0;
  let suspects = new Suspects();
  beforeEach(() => {
    now = 10 * minute;
    suspects = new Suspects(() => now);
  });

  /** How many captures of the account must be completed alone before the next one need not. */
  async function countAlone(): Promise<number> {
    for (let captures = 0; ; captures += 1) {
      const gone = await suspects.enter('account', {}, deadline);
      if (!gone) return captures;
      gone();
      suspects.completedAlone('account');
    }
  }

  it('suspects an account until as many captures are completed alone as it was suspected for, five at most', async () => {
    expect(await countAlone()).toBe(0);
    for (const captures of [1, 2, 3, 4, 5, 5]) {
      suspects.note('account');
      expect(await countAlone()).toBe(captures);
      now += minute;
    }
    now += 60 * minute;
    suspects.note('account');
    expect(await countAlone()).toBe(1);
  });

  it('suspects no account for longer than ten minutes', async () => {
    suspects.note('account');
    now += 9 * minute;
    const gone = await suspects.enter('account', {}, deadline);
    expect(gone).not.toBeNull();
    gone?.();
    now += 2 * minute;
    expect(await countAlone()).toBe(0);
  });

  it('has one capture of an account alone at a time, with all its pages', async () => {
    suspects.note('account');
    suspects.note('other');
    const capture = {};
    const gone = await suspects.enter('account', capture, deadline);
    const again = await suspects.enter('account', capture, deadline);
    expect(await suspects.enter('other', {}, deadline)).not.toBeNull();
    const entered: unknown[] = [];
    const entering = [1, 2].map(async () => entered.push(await suspects.enter('account', {}, deadline)));
    gone?.();
    // A wait that is shorter than that of a capture.
    expect(await suspects.enter('account', {}, new Deadline(50))).not.toBeNull();
    expect(entered).toEqual([]);
    suspects.completedAlone('account');
    again?.();
    await Promise.all(entering);
    expect(entered).toEqual([null, null]);
  });
});
