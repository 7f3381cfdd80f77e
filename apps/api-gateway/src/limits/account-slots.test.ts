import { describe, expect, it } from '@jest/globals';
import { createAccountSlots } from './account-slots.ts';

/** Work that ends when the test says so. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end };
}

describe('account slots', () => {
  it('run as much of one account at once as there are slots, the rest in its order', async () => {
    const slots = createAccountSlots(2);
    const started: number[] = [];
    const holds = [held(), held(), held(), held()];
    const runs = holds.map(({ work }, index) =>
      slots.run('a', () => {
        started.push(index);
        return work();
      }),
    );
    await new Promise(setImmediate);
    expect(started).toEqual([0, 1]);
    holds[1]?.end();
    await runs[1];
    await new Promise(setImmediate);
    expect(started).toEqual([0, 1, 2]);
    for (const { end } of holds) end();
    await Promise.all(runs);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  it('keep no other account waiting', async () => {
    const slots = createAccountSlots(1);
    const release = await slots.take('a');
    expect(await slots.run('b', async () => 'done')).toBe('done');
    release();
  });

  it('are free again after work that fails', async () => {
    const slots = createAccountSlots(1);
    await expect(slots.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await slots.run('a', async () => 'done')).toBe('done');
  });

  it('refuse more waiting work than fits into memory', async () => {
    const slots = createAccountSlots(1);
    const release = await slots.take('a');
    const waiting = Array.from({ length: 1_000 }, () => slots.run('a', async () => 'done'));
    await expect(slots.take('a')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    release();
    expect(await Promise.all(waiting)).toEqual(Array(1_000).fill('done'));
  });
});

it('keeps the work of an account that rests waiting, and starts it in its order afterwards', async () => {
  let restMs = 1;
  const slots = createAccountSlots(8, 2, { restMs: (accountId) => (accountId === 'flood' ? restMs : 0) });
  const started: string[] = [];
  const run = (accountId: string, name: string) => slots.run(accountId, async () => void started.push(name));
  const runs = [run('flood', 'first'), run('flood', 'second')];
  await run('ordinary', 'other');
  expect(started).toEqual(['other']);
  restMs = 0;
  await Promise.all(runs);
  expect(started).toEqual(['other', 'first', 'second']);
});
