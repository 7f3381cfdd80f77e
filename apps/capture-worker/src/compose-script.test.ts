import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { composeScript } from './compose-script.ts';

/** Runs a script from its text alone, as a page does. */
const run = (script: unknown, input: unknown): unknown => runInNewContext(`(${script})(${JSON.stringify(input)})`);

const doubled = ({ input }: { input: { amount: number } }) => ({ amount: input.amount * 2 });
function labels({ doubled: { amount } }: { doubled: { amount: number } }) {
  return { label };

  function label(): string {
    return `twice: ${amount}`;
  }
}

it('runs the last function with the input and the parts before it', () => {
  const script = composeScript<{ amount: number }>()
    .part('doubled', doubled)
    .part('labels', labels)
    .main(({ input, labels: { label } }) => `${input.amount}, ${label()}`);
  expect(run(script, { amount: 3 })).toBe('3, twice: 6');
});

it('makes the parts in each run', () => {
  const script = composeScript<null>()
    .part('counter', () => ({ count: 0 }))
    .main(({ counter }) => {
      counter.count += 1;
      return counter.count;
    });
  expect([run(script, null), run(script, null)]).toEqual([1, 1]);
});

it('returns the promise of a function that waits', async () => {
  const script = composeScript<number>().main(async ({ input }) => (await Promise.resolve(input)) + 1);
  await expect(run(script, 1)).resolves.toBe(2);
});

it('refuses to run outside a page', () => {
  const script = composeScript<null>().main(() => 1);
  expect(() => script(null)).toThrow('runs in a page only');
});
