import { quickPostgres } from '@capture/testing/database';
import { keepOpen } from '@capture/testing/open-resources';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CaseReport, ChaosCase } from './case.ts';
import { type SharedInstallation, shareInstallation } from './harness/installation.ts';
import { openServers, openServersInTests, type Servers } from './harness/servers.ts';
import { runCase } from './run-case.ts';

/** A tenth of the full run. */
const scale = 0.1;

/** A failing case waits for its own timeouts and reports them, which exceeds Jest's usual limit. Milliseconds. */
const timeoutMs = 240_000;

const nothingLost = (report: CaseReport) => {
  expect(report.lost).toBe(0);
  expect(report.eventsIn + report.captures).toBeGreaterThan(0);
};

export interface TestedCases {
  title?: string;
  check?(report: CaseReport): void;
  /** Some cases kill Postgres, but the Postgres of the test run must survive. */
  ownPostgres?: boolean;
}

/**
 * Runs each case as a test, on servers for this file alone. Starting processes is most of the work of a short case, so a case
 * takes over the running services of the previous case if it needs the same options. Put cases with the same options next to
 * each other.
 */
export function testCases(
  cases: readonly ChaosCase[],
  scales: Readonly<Record<string, number>> = {},
  { title = 'nothing is lost', check = nothingLost, ownPostgres = false }: TestedCases = {},
): void {
  let servers: Servers;
  let shared: SharedInstallation;

  beforeAll(async () => {
    servers = await (ownPostgres ? openServers(quickPostgres) : openServersInTests());
    shared = shareInstallation(servers);
  });

  afterAll(async () => {
    await shared.close();
    await servers.close();
  });

  it.each(cases.map((each) => [each.name, each] as const))(
    `%s: ${title}`,
    async (name, each) => {
      const report = await runCase(each, servers, { scale: scales[name] ?? scale, shared });
      keepOpen();
      expect(report).toMatchObject({ faults: [], passed: true });
      check(report);
    },
    timeoutMs,
  );
}
