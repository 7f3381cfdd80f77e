import type { Activity } from '../../../api/responses.ts';

type Minute = Activity['minutes'][number];

/** The most points of a chart that can still be hovered one by one. */
const maxPoints = 72;

/** Several minutes as one point: counts are added, durations are those of the worst minute. */
export type Bucket = Minute;

export function bucketsOf(minutes: readonly Minute[]): { buckets: Bucket[]; bucketMinutes: number } {
  const bucketMinutes = Math.max(1, Math.ceil(minutes.length / maxPoints));
  const buckets: Bucket[] = [];
  for (let from = 0; from < minutes.length; from += bucketMinutes) {
    const some = minutes.slice(from, from + bucketMinutes);
    const [first, ...others] = some;
    if (first) buckets.push(others.reduce(merge, first));
  }
  return { buckets, bucketMinutes };
}

function merge(one: Bucket, other: Minute): Bucket {
  return {
    at: one.at,
    completed: one.completed + other.completed,
    failed: one.failed + other.failed,
    cancelled: one.cancelled + other.cancelled,
    p50_ms: worse(one.p50_ms, other.p50_ms),
    p95_ms: worse(one.p95_ms, other.p95_ms),
    waited_p95_ms: worse(one.waited_p95_ms, other.waited_p95_ms),
    deliveries_succeeded: sum(one.deliveries_succeeded, other.deliveries_succeeded),
    deliveries_failed: sum(one.deliveries_failed, other.deliveries_failed),
  };
}

const worse = (one: number | null, other: number | null) =>
  one === null ? other : other === null ? one : Math.max(one, other);

const sum = (one: number | null, other: number | null) => (one === null || other === null ? null : one + other);
