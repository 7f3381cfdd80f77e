import { rmSync, writeFileSync } from 'node:fs';
import { findOrInstallChromium } from '@capture/provisioning/install-chromium';
import { findOrInstallRedis } from '@capture/provisioning/install-redis';
import { openResources } from '@capture/testing/open-resources';
import { makeRunFolder } from '@capture/testing/test-run';
import { Command, InvalidArgumentError } from 'commander';
import { openFilledPlatform } from '../query-plans/filled-platform.ts';
import { unexcused, writeReport } from '../query-plans/report.ts';
import { fillAfterGrowth, grow } from './grow.ts';
import { comparisonTable, daysTable } from './report.ts';
import { capturesAreMultiplesOf } from './seed-day.ts';
import { compareLastWeek, type DaySize } from './size.ts';

function parseNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return number;
}

function parseCaptures(text: string): number {
  const number = parseNumber(text);
  if (number % capturesAreMultiplesOf === 0) return number;
  throw new InvalidArgumentError(`It must be a multiple of ${capturesAreMultiplesOf}.`);
}

interface Options {
  days: number;
  captures: number;
  captureDays: number;
  deliveryDays: number;
  fileDays: number;
  plans?: boolean;
  json?: string;
}

/** As on a platform in use, dead rows are removed, and only analyzed tables have statistics. */
const growingSettings = { autovacuum: 'on', autovacuum_naptime: '10s', max_wal_size: '2GB' };

/** Exit codes: 0 the database stopped growing and all query plans are good, 1 otherwise. */
export const growth = new Command('growth')
  .exitOverride()
  .description(
    'Simulates days of captures with moved time and their retention, and shows whether the database stops growing.',
  )
  .option('--days <number>', 'days', parseNumber, 120)
  .option('--captures <number>', 'captures a day', parseCaptures, 10_000)
  .option('--capture-days <number>', 'CAPTURE_RETENTION_DAYS', parseNumber, 90)
  .option('--delivery-days <number>', 'DELIVERY_RETENTION_DAYS', parseNumber, 30)
  .option('--file-days <number>', 'FILE_RETENTION_DAYS', parseNumber, 30)
  .option('--plans', 'then use every part of the platform, as the command `plans` does, and check each query plan')
  .option('--json <file>', 'write all figures to a file')
  .action(async ({ captures, plans = false, json, ...options }: Options) => {
    const folder = makeRunFolder();
    process.env.TEST_FOLDER = folder;
    try {
      process.env.TEST_CHROMIUM_PATH = (await findOrInstallChromium(process.env, say)).path;
      await findOrInstallRedis(process.env, say);
      let sizes: DaySize[] = [];
      const platform = await openFilledPlatform({
        settings: growingSettings,
        retention: { captures: options.captureDays, deliveries: options.deliveryDays },
        say,
        async fill(target) {
          const growing = { ...options, capturesPerDay: captures };
          sizes = await grow(target, growing);
          if (plans) await fillAfterGrowth(target, growing);
        },
      });
      try {
        const comparisons = compareLastWeek(sizes);
        process.stdout.write(`${daysTable(sizes)}\n${comparisonTable(comparisons)}\n`);
        const findings = plans ? await platform.play() : null;
        if (findings) process.stdout.write(writeReport(findings));
        if (json !== undefined) {
          writeFileSync(json, `${JSON.stringify({ sizes, tables: platform.tables, ...findings }, null, 2)}\n`);
        }
        const isGood = findings === null || unexcused(findings).length + findings.notRun.length === 0;
        process.exitCode = isGood && comparisons.every(({ grows }) => !grows) ? 0 : 1;
      } finally {
        await platform.close();
      }
    } finally {
      for (const { close } of [...openResources()]) await close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

function say(line: string): void {
  process.stderr.write(`growth: ${line}\n`);
}
