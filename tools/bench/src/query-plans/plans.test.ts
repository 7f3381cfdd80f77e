import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fill } from './fill.ts';
import { type FilledPlatform, openFilledPlatform } from './filled-platform.ts';
import type { Findings } from './findings.ts';
import { unexcused } from './report.ts';
import { writtenStatements } from './statement-sources.ts';

/** Few rows for a platform, but ten times as many as may be read for one row. */
const rows = 100_000;

/** Describes the faults of a run. */
const faultsOf = (findings: Findings) =>
  unexcused(findings).map(({ source, parameters, faults }) => [source, faults.map(({ what }) => what), parameters]);

describe('the statements of the platform on large tables', () => {
  let platform: FilledPlatform;
  let findings: Findings;

  beforeAll(async () => {
    platform = await openFilledPlatform({ fill: (target) => fill(target, rows), say: () => {} });
    findings = await platform.play();
  }, 600_000);

  afterAll(() => platform?.close());

  it('fill every table', () => {
    const empty = platform.tables.filter((table) => table.rows === 0).map(({ name }) => name);
    // The services fill these tables.
    const ofServices = [
      'account_turn',
      'deployment',
      'dispatcher',
      'endpoint_backlog',
      'sweeper_run',
      'waiting_account',
    ];
    expect(empty.sort()).toEqual(ofServices);
    const rowsOf = (name: string) => platform.tables.find((table) => table.name === name)?.rows;
    expect(rowsOf('capture')).toBeGreaterThan(rows);
    expect(rowsOf('delivery')).toBeGreaterThan(rows / 4);
  });

  it('all run, and each that reads rows has a source', () => {
    expect(findings.notRun).toEqual([]);
    expect(new Set(writtenStatements().map(({ file }) => file)).size).toBeGreaterThan(40);
    const unknown = findings.statements.filter(({ source, rowsRead }) => source === '(services)' && rowsRead > 0);
    expect(unknown.map(({ text }) => text)).toEqual([]);
  });

  it('find their rows by an index', () => {
    expect(faultsOf(findings)).toEqual([]);
  });

  it('are reported where an index is missing', async () => {
    await platform.run('DROP INDEX capture_file_expiry_idx, capture_file_idx');
    const faults = faultsOf(await platform.playCleanupJobs());
    expect(faults.map(([source]) => source)).toContain('release-files');
    expect(JSON.stringify(faults)).toContain('scans capture');
  });
});
