import { expect, it } from '@jest/globals';
import { SlotRelease } from './slot-release.ts';

/** Work that ends when `end` is called. */
function openWork() {
  let end = () => {};
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work, end };
}

it('a slot is free at once when its pages are tidied in time', async () => {
  const { work, end } = openWork();
  const free = new SlotRelease(0, 60_000).whenFree(work);
  end();
  await free;
});

it('frees slots whose pages take long, up to the bound; the next waits for one of them or for its own', async () => {
  const release = new SlotRelease(1, 0);
  const [first, second, third] = [openWork(), openWork(), openWork()];
  await release.whenFree(first.work);
  let freed = 0;
  const isFree = () => {
    freed += 1;
  };
  const waiting = [second, third].map(({ work }) => release.whenFree(work).then(isFree));
  // Long after the time limit of both.
  await release.whenFree(Promise.resolve());
  expect(freed).toBe(0);
  third.end();
  await waiting[1];
  expect(freed).toBe(1);
  first.end();
  await waiting[0];
  second.end();
});
