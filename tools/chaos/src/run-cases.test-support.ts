import { quickPostgres } from '@capture/testing/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ChaosCase } from './case.ts';
import { openServers, type Servers } from './harness/servers.ts';
import { runCase } from './run-case.ts';

/** A tenth of the long form. */
const scale = 0.1;

/** A case that fails waits for what does not come, and tells what that is: longer than Jest's usual limit, milliseconds. */
const patienceMs = 240_000;

/** Each case as a test, on servers that this file has for itself. */
export function testCases(cases: readonly ChaosCase[], scales: Readonly<Record<string, number>> = {}): void {
  let servers: Servers;

  beforeAll(async () => {
    servers = await openServers(quickPostgres);
  });

  afterAll(() => servers.close());

  it.each(cases.map((each) => [each.name, each] as const))(
    '%s: nothing is lost',
    async (name, each) => {
      const report = await runCase(each, servers, { scale: scales[name] ?? scale });
      expect(report).toMatchObject({ faults: [], lost: 0, passed: true });
      expect(report.eventsIn + report.captures).toBeGreaterThan(0);
    },
    patienceMs,
  );
}
