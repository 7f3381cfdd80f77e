import { expect, it } from '@jest/globals';
import { OwnerTurns } from './owner-turns.ts';

it('gives each owner a turn, and long work delays other owners only briefly', async () => {
  const turns = new OwnerTurns(1);
  const order: string[] = [];
  let finish: (value: string) => void = () => undefined;
  const slow = turns.run('one', 200, () => new Promise<string>((resolve) => (finish = resolve)));
  const run = (owner: string, name: string) =>
    turns.run(owner, 200, async () => {
      order.push(name);
      return name;
    });
  const failing = turns.run('one', 200, () => run('one', 'later').then(() => Promise.reject(new Error('not drawn'))));
  failing.catch(() => undefined);
  const others = [run('one', 'second'), run('one', 'third'), run('two', 'first of two'), run('two', 'second of two')];
  expect(order).toEqual([]);
  expect(turns.isActive).toBe(true);
  expect(await Promise.all(others)).toEqual(['second', 'third', 'first of two', 'second of two']);
  expect(order.indexOf('first of two')).toBeLessThan(order.indexOf('second'));
  expect(order.indexOf('second of two')).toBeLessThan(order.indexOf('third'));
  await expect(failing).rejects.toThrow('not drawn');
  finish('slow');
  expect(await slow).toBe('slow');
});
