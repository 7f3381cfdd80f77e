import { rmSync, writeFileSync } from 'node:fs';
import { findOrInstallChromium } from '@capture/provisioning/install-chromium';
import { findOrInstallRedis } from '@capture/provisioning/install-redis';
import { openResources } from '@capture/testing/open-resources';
import { makeRunFolder } from '@capture/testing/test-run';
import { Command, InvalidArgumentError } from 'commander';
import { fill } from './fill.ts';
import { openFilledPlatform } from './filled-platform.ts';
import { unexcused, writeReport } from './report.ts';

/** In a smaller table, a scan is as fast as an index. */
const rowsAtLeast = 100_000;

function parseRows(text: string): number {
  const rows = Number(text);
  if (!Number.isInteger(rows) || rows < rowsAtLeast) {
    throw new InvalidArgumentError(`It must be a whole number of at least ${rowsAtLeast}.`);
  }
  return rows;
}

/** Exit codes: 0 every statement finds its rows by an index, 1 a statement does not, or was not run. */
export const plans = new Command('plans')
  .exitOverride()
  .description(
    'Fills a database with captures and their data, uses every part of the platform, and shows by which indexes each statement found its rows. Ten million captures take nine minutes and 25 GB of disk.',
  )
  .option('--rows <number>', 'captures', parseRows, 1_000_000)
  .option('--json <file>', 'write all figures to a file')
  .action(async ({ rows, json }: { rows: number; json?: string }) => {
    const folder = makeRunFolder();
    process.env.TEST_FOLDER = folder;
    try {
      process.env.TEST_CHROMIUM_PATH = (await findOrInstallChromium(process.env, say)).path;
      await findOrInstallRedis(process.env, say);
      const platform = await openFilledPlatform({ fill: (target) => fill(target, rows), say });
      try {
        const findings = await platform.play();
        const tables = platform.tables;
        if (json !== undefined) writeFileSync(json, `${JSON.stringify({ rows, tables, ...findings }, null, 2)}\n`);
        process.stdout.write(writeReport(findings));
        process.exitCode = unexcused(findings).length + findings.notRun.length === 0 ? 0 : 1;
      } finally {
        await platform.close();
      }
    } finally {
      for (const { close } of [...openResources()]) await close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

function say(line: string): void {
  process.stderr.write(`plans: ${line}\n`);
}
