import { randomNumbers } from '@capture/testing/random';
import { Command, InvalidArgumentError } from 'commander';
import { expectedOf, workersFor } from './simulate.ts';

/** A fixed seed gives the same result each time. */
const seed = 2_026;

const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number over 0.');
  return value;
};

interface Options {
  rate: number;
  p95: number;
  alone: number;
  processor: number;
  pages: number;
  cores: number;
}

/** Simulates how many workers meet a target time. The defaults are measurements of the page mix. */
export const plan = new Command('plan')
  .exitOverride()
  .description('Simulates workers under random arrivals, and prints how many meet a target time.')
  .requiredOption('--rate <number>', 'captures a second, at the busiest time', positive)
  .option('--p95 <ms>', 'target time at p95', positive, 3_000)
  .option('--alone <ms>', 'duration of one capture when nothing else runs', positive, 250)
  .option('--processor <ms>', 'of that, processor time', positive, 270)
  .option('--pages <number>', 'concurrent captures of one worker', positive, 4)
  .option('--cores <number>', 'cores of one worker', positive, 2)
  .addHelpText(
    'after',
    `
Examples:
  npm run bench -- plan --rate 35
  npm run bench -- plan --rate 35 --p95 5000 --alone 1800 --processor 600`,
  )
  .action(({ rate, p95, alone, processor, pages, cores }: Options) => {
    const demand = { ratePerS: rate, work: [{ aloneMs: alone, processorMs: processor }], pages, cores };
    const workers = workersFor(demand, p95, randomNumbers(seed));
    if (workers === null) {
      process.stdout.write(`No number of workers holds ${p95} ms: one capture alone takes ${alone}.\n`);
      process.exitCode = 1;
      return;
    }
    const found = expectedOf(demand, workers, randomNumbers(seed));
    process.stdout.write(
      `${workers} workers of ${cores} cores and ${pages} pages: half of the captures within ${Math.round(found.p50Ms)} ms, ` +
        `all but one in twenty within ${Math.round(found.p95Ms)} ms, cores busy to ${Math.round(found.busy * 100)} %\n`,
    );
  });
