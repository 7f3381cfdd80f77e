import { expect, it, jest } from '@jest/globals';
import { Lifecycle } from './lifecycle.ts';

function openLifecycle() {
  const error = jest.fn<(facts: object, message: string) => void>();
  return { lifecycle: new Lifecycle({ error }), error };
}

it('closes in the reverse order of opening, one after the other', async () => {
  const { lifecycle } = openLifecycle();
  const seen: string[] = [];
  for (const name of ['database', 'redis', 'server']) {
    lifecycle.closing(name, async () => {
      seen.push(`${name}…`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(name);
    });
  }
  await lifecycle.close();
  expect(seen).toEqual(['server…', 'server', 'redis…', 'redis', 'database…', 'database']);
});

it('continues after a close that fails, synchronously or not, and logs it', async () => {
  const { lifecycle, error } = openLifecycle();
  const closed = jest.fn();
  lifecycle.closing('database', closed);
  lifecycle.closing('redis', () => Promise.reject(new Error('later')));
  lifecycle.closing('server', () => {
    throw new Error('at once');
  });
  await lifecycle.close();
  expect(closed).toHaveBeenCalledTimes(1);
  expect(error.mock.calls.map(([facts]) => facts)).toEqual([
    { err: new Error('at once'), resource: 'server' },
    { err: new Error('later'), resource: 'redis' },
  ]);
});

it('closes once; later calls wait for the first', async () => {
  const { lifecycle } = openLifecycle();
  const closed = jest.fn();
  let release = () => {};
  lifecycle.closing('first', closed);
  lifecycle.closing('slow', () => new Promise<void>((resolve) => (release = resolve)));
  const both = Promise.all([lifecycle.close(), lifecycle.close()]);
  expect(closed).not.toHaveBeenCalled();
  release();
  await both;
  expect(closed).toHaveBeenCalledTimes(1);
});

it('closes resources that are opened while it closes or afterwards', async () => {
  const { lifecycle } = openLifecycle();
  const seen: string[] = [];
  lifecycle.closing('first', () => {
    lifecycle.closing('opened meanwhile', () => seen.push('meanwhile'));
    seen.push('first');
  });
  await lifecycle.close();
  lifecycle.closing('opened afterwards', () => seen.push('afterwards'));
  await lifecycle.close();
  expect(seen).toEqual(['first', 'meanwhile', 'afterwards']);
});
