import { expect, it } from '@jest/globals';
import { bucketsOf } from './buckets.ts';

const minute = (i: number) => ({
  at: new Date(Date.UTC(2026, 10, 20, 10, i)).toISOString(),
  completed: 1,
  failed: i % 2,
  cancelled: 0,
  p50_ms: null,
  p95_ms: i === 7 ? 900 : i,
  waited_p95_ms: i === 3 ? 0 : null,
  deliveries_succeeded: 2,
  deliveries_failed: null,
});

it('shows an hour by minute, and a day in buckets of 20 minutes with total counts and worst durations', () => {
  const hour = Array.from({ length: 60 }, (_, i) => minute(i));
  expect(bucketsOf(hour)).toEqual({ buckets: hour, bucketMinutes: 1 });
  const day = bucketsOf(Array.from({ length: 1_440 }, (_, i) => minute(i)));
  expect([day.bucketMinutes, day.buckets.length]).toEqual([20, 72]);
  expect(day.buckets[0]).toEqual({
    ...minute(0),
    completed: 20,
    failed: 10,
    p95_ms: 900,
    waited_p95_ms: 0,
    deliveries_succeeded: 40,
  });
});
