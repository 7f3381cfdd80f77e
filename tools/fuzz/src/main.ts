import { randomInt } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createTestDatabase } from '@capture/testing/database';
import setUp, { tearDown } from '@capture/testing/global-setup';
import { findOwnPort } from '@capture/testing/own-port';
import { startService, type TestProcess } from '@capture/testing/processes';
import { createTestRedis } from '@capture/testing/redis';
import { makeTestFolder } from '@capture/testing/test-run';
import type { Target } from './arrange.ts';
import { readRss, settledFootprint } from './footprint.ts';
import { runFuzz } from './run-fuzz.ts';

const help = `Sends generated requests, wrong in one place or more, to every route of a gateway of its own.
  npm run fuzz -- [--requests 10000] [--seed number] [--form A|B] [--at-once 16]
Exit codes: 0 all was well, 1 an answer was not as it should be, 2 the call itself is wrong.`;

/** Of JavaScript's objects; some 80 are there before anything is asked. */
const heapMebibytes = 192;

/** What is left after the requests over what was there after the first of them, bytes: caches and the heap's own ways. */
const growthAtMost = 100 * 1024 * 1024;

/** The first of them tell enough. */
const faultsShown = 20;

interface Options {
  requests: number;
  seed: number;
  form: string;
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
    return { requests: count, seed: start, form, atOnce: together };
  } catch {
    return null;
  }
}

async function run(options: Options): Promise<boolean> {
  const database = await createTestDatabase();
  const redis = await createTestRedis();
  const target: Target = { port: await findOwnPort(), operatorKey: 'the-operator-key-of-the-fuzz-alone' };
  const gateway = await startService('api-gateway', {
    PORT: String(target.port),
    CONTRACT_FORM: options.form,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    STORAGE_URL: pathToFileURL(makeTestFolder('fuzz')).href,
    SECRET_KEY: 'the-secret-key-of-the-fuzz-alone-and-of-nobody-else',
    OPERATOR_KEY: target.operatorKey,
    REGISTRATIONS_PER_HOUR: '1000000',
    // Requests name all sorts of receivers; none of them is reached.
    EGRESS_DENY: '0.0.0.0/0,::/0',
    LOG_LEVEL: 'error',
    // Node lets garbage lie while there is room for it, which is not what is looked for; too little room ends the process.
    NODE_OPTIONS: `--max-old-space-size=${heapMebibytes}`,
  });
  try {
    const faults = await fuzz(gateway, target, options);
    for (const fault of faults.slice(0, faultsShown)) process.stdout.write(`\nFAULT ${fault}\n`);
    const decision = faults.length === 0 ? 'all was well' : `${faults.length} faults; again: --seed ${options.seed}`;
    process.stdout.write(`${decision}\n`);
    return faults.length === 0;
  } finally {
    await gateway.stop();
    await redis.close();
    await database.drop();
  }
}

/** @returns what was not as it should be. */
async function fuzz(gateway: TestProcess, target: Target, options: Options): Promise<string[]> {
  const { requests, seed, form, atOnce } = options;
  say(`seed ${seed}, form ${form}`);
  // What is loaded and kept with the first requests is no leak.
  const { operations } = await runFuzz(target, { perOperation: 10, seed: seed + 1, atOnce });
  const before = await settledFootprint(gateway.pid, target);
  const startedAt = performance.now();
  const perOperation = Math.ceil(requests / operations);
  const report = await runFuzz(target, { perOperation, seed, atOnce, onProgress: tellProgress });
  const seconds = (performance.now() - startedAt) / 1_000;
  const busiest = readRss(gateway.pid);
  const after = await settledFootprint(gateway.pid, target);
  const statuses = Object.entries(report.statuses).map(
    ([status, count]) => `${status === '0' ? 'none' : status}: ${count}`,
  );
  process.stdout.write(
    `${report.sent} requests to ${operations} operations in ${seconds.toFixed(1)} s\n` +
      `answers by status: ${statuses.join(', ')}\n` +
      `memory of the gateway, MiB: ${mebibytes(before.rssBytes)} before, ${mebibytes(busiest)} at the end, ${mebibytes(after.rssBytes)} at rest\n` +
      `its sockets: ${before.sockets} before, ${after.sockets} after\n`,
  );
  const grown = after.rssBytes - before.rssBytes;
  return [
    ...(grown > growthAtMost ? [`the gateway holds ${mebibytes(grown)} MiB more than before`] : []),
    ...(after.sockets > before.sockets ? [`${after.sockets - before.sockets} connections are left open`] : []),
    ...(/uncaught|unhandled/.test(gateway.output()) ? ['the gateway met an error that nobody caught'] : []),
    ...report.faults.map(
      ({ fault, operation, number, request }) => `${operation} number ${number}: ${fault}\n${request}`,
    ),
  ];
}

const mebibytes = (bytes: number) => Math.round(bytes / 1_048_576);

function tellProgress(sent: number): void {
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
