import { expect, it } from '@jest/globals';
import { grow } from './grow.ts';

it('a database with retention stops growing, in rows, partitions and bytes', async () => {
  const options = { days: 70, capturesPerDay: 400, captureDays: 21, deliveryDays: 14, say: () => {} };
  const sizes = await grow(options);
  const settled = sizes.slice(42);
  for (const { captures, deliveries } of settled) {
    // Whole weeks: up to seven days more than the retention. Files are kept for 30 days, so their captures are too.
    expect(captures).toBeLessThanOrEqual(38 * 400);
    expect(deliveries).toBeLessThanOrEqual((22 * 400) / 3 + 100);
  }
  const largest = (days: typeof sizes) => Math.max(...days.map(({ bytes }) => bytes));
  expect(largest(sizes.slice(-14))).toBeLessThan(largest(sizes.slice(42, -14)) * 1.05);
  const partitions = settled.map((size) => size.partitions);
  expect(Math.max(...partitions.slice(-7))).toBeLessThanOrEqual(Math.max(...partitions.slice(0, 14)));
}, 120_000);
