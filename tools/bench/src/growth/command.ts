import { rmSync } from 'node:fs';
import { openResources } from '@capture/testing/open-resources';
import { makeRunFolder } from '@capture/testing/test-run';
import { Command, InvalidArgumentError } from 'commander';
import { grow } from './grow.ts';

function parseNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return number;
}

interface Options {
  days: number;
  captures: number;
  captureDays: number;
  deliveryDays: number;
}

/** Exit codes: 0 the database stopped growing, 1 it did not. */
export const growth = new Command('growth')
  .exitOverride()
  .description(
    'Simulates days of captures with moved time and their retention, and shows whether the database stops growing.',
  )
  .option('--days <number>', 'days', parseNumber, 130)
  .option('--captures <number>', 'captures a day', parseNumber, 10_000)
  .option('--capture-days <number>', 'CAPTURE_RETENTION_DAYS', parseNumber, 90)
  .option('--delivery-days <number>', 'DELIVERY_RETENTION_DAYS', parseNumber, 30)
  .action(async ({ days, captures, captureDays, deliveryDays }: Options) => {
    const folder = makeRunFolder();
    process.env.TEST_FOLDER = folder;
    const say = (line: string) => void process.stderr.write(`growth: ${line}\n`);
    try {
      const sizes = await grow({ days, capturesPerDay: captures, captureDays, deliveryDays, say });
      // Rows stay for up to a week longer, and the last two weeks are compared.
      const before = Math.max(...sizes.slice(0, -14).map(({ bytes }) => bytes));
      const after = Math.max(...sizes.slice(-14).map(({ bytes }) => bytes));
      process.stdout.write(
        `${Math.round(before / 1e6)} MB at most before the last 14 days, ${Math.round(after / 1e6)} MB in them\n`,
      );
      process.exitCode = after <= before * 1.05 ? 0 : 1;
    } finally {
      for (const { close } of [...openResources()]) await close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
