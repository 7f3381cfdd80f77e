import { expect, it } from '@jest/globals';
import { readMetric } from './read-metric.ts';

it('sums the samples of a metric that have the labels, and returns undefined where there is none', () => {
  const text =
    '# HELP a_total x\na_total{queue="one",service="x"} 2\na_total{queue="two",service="x"} 3\na_total_more 7\nb 1e+3\n';
  expect(readMetric(text, 'a_total')).toBe(5);
  expect(readMetric(text, 'a_total', { queue: 'two' })).toBe(3);
  expect(readMetric(text, 'a_total', { queue: 'three' })).toBeUndefined();
  expect(readMetric(text, 'b')).toBe(1_000);
});
