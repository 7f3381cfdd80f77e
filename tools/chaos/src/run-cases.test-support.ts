import { quickPostgres } from '@capture/testing/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CaseReport, ChaosCase } from './case.ts';
import { openServers, type Servers } from './harness/servers.ts';
import { runCase } from './run-case.ts';

/** A tenth of the full run. */
const scale = 0.1;

/** A failing case waits for its own timeouts and reports them: longer than Jest's usual limit, milliseconds. */
const timeoutMs = 240_000;

const nothingLost = (report: CaseReport) => {
  expect(report.lost).toBe(0);
  expect(report.eventsIn + report.captures).toBeGreaterThan(0);
};

/** Runs each case as a test, on servers for this file alone. */
export function testCases(
  cases: readonly ChaosCase[],
  scales: Readonly<Record<string, number>> = {},
  { title = 'nothing is lost', check = nothingLost } = {},
): void {
  let servers: Servers;

  beforeAll(async () => {
    servers = await openServers(quickPostgres);
  });

  afterAll(() => servers.close());

  it.each(cases.map((each) => [each.name, each] as const))(
    `%s: ${title}`,
    async (name, each) => {
      const report = await runCase(each, servers, { scale: scales[name] ?? scale });
      expect(report).toMatchObject({ faults: [], passed: true });
      check(report);
    },
    timeoutMs,
  );
}
