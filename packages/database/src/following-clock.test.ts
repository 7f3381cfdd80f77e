import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { FollowingClock } from './following-clock.ts';

const minuteMs = 60_000;
const differenceMs = (clock: FollowingClock) => clock.now().getTime() - Date.now();

it('follows a clock that is ahead or behind', async () => {
  const clock = new FollowingClock();
  for (const aheadMs of [minuteMs, -minuteMs]) {
    await clock.follow(async () => new Date(Date.now() + aheadMs));
    expect(Math.abs(differenceMs(clock) - aheadMs)).toBeLessThan(1_000);
  }
});

it('ignores what a round trip may account for', async () => {
  const clock = new FollowingClock();
  await clock.follow(async () => new Date(Date.now() + 50));
  expect(differenceMs(clock)).toBeLessThan(50);
});

it('ignores what a slow round trip may account for', async () => {
  const clock = new FollowingClock();
  await clock.follow(async () => {
    const read = new Date();
    await sleep(400);
    return read;
  });
  expect(Math.abs(differenceMs(clock))).toBeLessThan(50);
});
