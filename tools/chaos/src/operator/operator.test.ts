import { quickPostgres } from '@capture/testing/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openServers, type Servers } from '../harness/servers.ts';
import { runCase } from '../run-case.ts';
import { operatorCases } from './all.ts';
import { readMetric } from './read-metric.ts';

let servers: Servers;

beforeAll(async () => {
  servers = await openServers(quickPostgres);
});

afterAll(() => servers.close());

/** A case that fails waits for what does not come, and tells what that is: longer than Jest's usual limit, milliseconds. */
const patienceMs = 240_000;

it.each(operatorCases.map((each) => [each.name, each] as const))(
  '%s: the desk leads to the cause',
  async (_, each) => {
    const report = await runCase(each, servers, { scale: 0.1 });
    expect(report).toMatchObject({ faults: [], passed: true });
    expect(report.notes.length).toBeGreaterThan(1);
  },
  patienceMs,
);

it('a metric is read by its name and labels, and is not there where it is not', () => {
  const told =
    '# HELP a_total x\na_total{queue="one",service="x"} 2\na_total{queue="two",service="x"} 3\na_total_more 7\nb 1e+3\n';
  expect(readMetric(told, 'a_total')).toBe(5);
  expect(readMetric(told, 'a_total', { queue: 'two' })).toBe(3);
  expect(readMetric(told, 'a_total', { queue: 'three' })).toBeUndefined();
  expect(readMetric(told, 'b')).toBe(1_000);
});
