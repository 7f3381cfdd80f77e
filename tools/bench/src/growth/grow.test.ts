import { expect, it } from '@jest/globals';
import { openFilledPlatform } from '../query-plans/filled-platform.ts';
import { grow } from './grow.ts';
import { compareLastWeek, type DaySize } from './size.ts';

it('a database with retention stops growing, in rows, partitions and bytes', async () => {
  const options = { days: 35, capturesPerDay: 1_000, captureDays: 14, deliveryDays: 4, fileDays: 7 };
  let sizes: DaySize[] = [];
  const platform = await openFilledPlatform({
    settings: { autovacuum: 'on' },
    say: () => {},
    async fill(target) {
      sizes = await grow(target, options);
    },
  });
  await platform.close();
  const settled = sizes.slice(21);
  for (const { captures, deliveries } of settled) {
    // Partitions are weeks, so captures stay up to seven days longer than the retention, held deliveries twice as long.
    expect(captures).toBeLessThanOrEqual(22 * 1_000);
    // The captures of a day end an hour before the day does, so a week that was just removed leaves an hour less.
    expect(captures).toBeGreaterThanOrEqual((14 - 1 / 24) * 1_000 - 1);
    expect(deliveries).toBeLessThanOrEqual(16 * 1_100);
  }
  expect(compareLastWeek(sizes).filter(({ grows }) => grows)).toEqual([]);
  const partitions = settled.map((size) => size.partitions);
  expect(Math.max(...partitions.slice(-7))).toBeLessThanOrEqual(Math.max(...partitions.slice(0, -7)));
}, 180_000);
