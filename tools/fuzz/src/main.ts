import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createTestDatabase } from '@capture/testing/database';
import setUp, { tearDown } from '@capture/testing/global-setup';
import { openServices, operatorKey } from '@capture/testing/processes/platform';
import { residentBytes } from '@capture/testing/processes/process-usage';
import type { TestProcess } from '@capture/testing/processes/processes';
import { createTestRedis } from '@capture/testing/redis';
import type { Target } from './create-data.ts';
import { settledFootprint } from './footprint.ts';
import { runFuzz } from './run-fuzz.ts';

const help = `Sends generated requests, each invalid in one place or more, to every route of a gateway of its own.
  npm run fuzz -- [--requests 10000] [--seed number] [--form A|B] [--at-once 16]
Exit codes: 0 every response was right, 1 a response was wrong, 2 wrong usage.`;

/** The heap limit. Some 80 MiB are in use before the first request. */
const heapMebibytes = 192;

/** The allowed growth at rest in bytes, from after the first requests to after the last. Caches and heap fragmentation grow. */
const growthAtMost = 100 * 1024 * 1024;

const faultsShown = 20;

interface Options {
  requests: number;
  seed: number;
  form: 'A' | 'B';
  atOnce: number;
}

function readOptions(): Options | null {
  try {
    const { values } = parseArgs({
      options: {
        requests: { type: 'string', default: '10000' },
        seed: { type: 'string', default: String(randomInt(2 ** 31)) },
        form: { type: 'string', default: 'B' },
        'at-once': { type: 'string', default: '16' },
        help: { type: 'boolean' },
      },
    });
    const { requests, seed, form, 'at-once': atOnce } = values;
    const numbers = [requests, seed, atOnce].map(Number);
    if (values.help || !/^[AB]$/.test(form) || !numbers.every((one) => Number.isSafeInteger(one) && one > 0))
      return null;
    const [count = 0, start = 0, together = 0] = numbers;
    return { requests: count, seed: start, form: form as Options['form'], atOnce: together };
  } catch {
    return null;
  }
}

async function run(options: Options): Promise<boolean> {
  const database = await createTestDatabase();
  const redis = await createTestRedis();
  const services = await openServices({
    databaseUrl: database.url,
    redisUrl: redis.url,
    form: options.form,
    env: {
      // Requests name all kinds of receivers, and must not reach any.
      EGRESS_ALLOW: '',
      EGRESS_DENY: '0.0.0.0/0,::/0',
      LOG_LEVEL: 'error',
      // Node collects garbage late while it has space, which is not a leak, but too little space ends the process.
      NODE_OPTIONS: `--max-old-space-size=${heapMebibytes}`,
    },
  });
  try {
    const { process: gateway, url } = await services.start('api-gateway');
    const faults = await fuzz(gateway, { port: Number(new URL(url).port), operatorKey }, options);
    for (const fault of faults.slice(0, faultsShown)) process.stdout.write(`\nFAULT ${fault}\n`);
    const result = faults.length === 0 ? 'no faults' : `${faults.length} faults; repeat with --seed ${options.seed}`;
    process.stdout.write(`${result}\n`);
    return faults.length === 0;
  } finally {
    await services.close();
    await redis.close();
    await database.drop();
  }
}

/** @returns the faults. */
async function fuzz(gateway: TestProcess, target: Target, options: Options): Promise<string[]> {
  const { requests, seed, form, atOnce } = options;
  say(`seed ${seed}, form ${form}`);
  // Memory that the first requests load and keep is no leak.
  const { operations } = await runFuzz(target, { perOperation: 10, seed: seed + 1, atOnce });
  const before = await settledFootprint(gateway.pid, target);
  const startedAt = performance.now();
  const perOperation = Math.ceil(requests / operations);
  const report = await runFuzz(target, { perOperation, seed, atOnce, onProgress: reportProgress });
  const seconds = (performance.now() - startedAt) / 1_000;
  const busiest = residentBytes(gateway.pid);
  const after = await settledFootprint(gateway.pid, target);
  const statuses = Object.entries(report.statuses).map(
    ([status, count]) => `${status === '0' ? 'none' : status}: ${count}`,
  );
  process.stdout.write(
    `${report.sent} requests to ${operations} operations in ${seconds.toFixed(1)} s\n` +
      `responses by status: ${statuses.join(', ')}\n` +
      `memory of the gateway, MiB: ${mebibytes(before.rssBytes)} before, ${mebibytes(busiest)} at the end, ${mebibytes(after.rssBytes)} at rest\n` +
      `sockets: ${before.sockets} before, ${after.sockets} after\n`,
  );
  const grown = after.rssBytes - before.rssBytes;
  return [
    ...(grown > growthAtMost ? [`the gateway holds ${mebibytes(grown)} MiB more than before`] : []),
    ...(after.sockets > before.sockets ? [`${after.sockets - before.sockets} connections are left open`] : []),
    ...(/uncaught|unhandled/.test(gateway.output()) ? ['the gateway had an uncaught error'] : []),
    ...report.faults.map(
      ({ fault, operation, number, request }) => `${operation} number ${number}: ${fault}\n${request}`,
    ),
  ];
}

const mebibytes = (bytes: number) => Math.round(bytes / 1_048_576);

function reportProgress(sent: number): void {
  if (sent % 1_000 === 0) say(`${sent} sent`);
}

function say(line: string): void {
  process.stderr.write(`fuzz: ${line}\n`);
}

const options = readOptions();
if (options === null) {
  process.stderr.write(`${help}\n`);
  process.exitCode = 2;
} else {
  await setUp();
  try {
    if (!(await run(options))) process.exitCode = 1;
  } finally {
    await tearDown();
  }
}
