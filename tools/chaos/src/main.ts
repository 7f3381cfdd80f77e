import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findOrInstallChromium } from '@capture/provisioning/install-chromium';
import { findOrInstallRedis } from '@capture/provisioning/install-redis';
import { describeMachine, loadNow } from '@capture/testing/processes/machine';
import { makeRunFolder } from '@capture/testing/test-run';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { CaseReport, ChaosCase } from './case.ts';
import { allCases } from './cases/all.ts';
import { openServers, type Servers } from './harness/servers.ts';
import { renderList, renderMarkdown, renderText } from './render-report.ts';
import { type RunOptions, runCase } from './run-case.ts';

/** Exit codes: 0 every case passed, 1 a case failed or could not run, 2 wrong usage. */
const program = new Command('npm run chaos --')
  .description(
    'Chaos tests: real services, on a Postgres and a Redis of their own, are killed, cut off and misled, and a ledger accounts for every capture and every event. The full run takes about an hour.',
  )
  .argument('[case...]', 'cases to run, in this order; all by default')
  .option('--list', 'list the cases without running them')
  .option('--scale <number>', 'factor for the numbers of the full run, over 0 and at most 1', parseScale, 1)
  .option('--seed <number>', 'seed of all chance, to inject the same faults again', parseSeed)
  .option('--json', 'print JSON instead of a table')
  .option('--markdown', 'print the table and the measurements as a section of a document')
  .option('--checkout <folder>', 'test the services of another built checkout', parseCheckout)
  .option('--upgrade-from <folder>', 'the built checkout that rolling-upgrade starts from', parseCheckout)
  .showHelpAfterError()
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  npm run chaos -- --list
  npm run chaos -- redis-unavailable postgres-restarts
  npm run chaos -- --scale 0.1 --json`,
  )
  .action(start);

interface Options {
  list?: boolean;
  scale: number;
  seed?: number;
  json?: boolean;
  markdown?: boolean;
  checkout?: string;
  upgradeFrom?: string;
}

function parseScale(text: string): number {
  const scale = Number(text);
  if (!(scale > 0 && scale <= 1)) throw new InvalidArgumentError('It must be a number over 0 and at most 1.');
  return scale;
}

function parseSeed(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function parseCheckout(folder: string): string {
  const root = path.resolve(folder);
  if (!existsSync(path.join(root, 'apps', 'api-gateway', 'dist', 'main.js'))) {
    throw new InvalidArgumentError('It must be the root of a checkout in which `npm run build` was run.');
  }
  return root;
}

async function start(names: string[], { list, json, markdown, ...options }: Options): Promise<void> {
  const cases = names.length === 0 ? allCases : names.map(findCase);
  if (list) {
    process.stdout.write(json ? `${JSON.stringify(cases, null, 2)}\n` : renderList(cases));
    return;
  }
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const loadBefore = loadNow();
  const reports = await runAll(cases, { ...options, aborted: stopping.signal });
  const load = { before: loadBefore, after: loadNow() };
  const run = { machine: describeMachine(), load, scale: options.scale, cases: reports };
  if (stopping.signal.aborted || reports.some(({ passed }) => !passed)) process.exitCode = 1;
  const render = markdown ? renderMarkdown : renderText;
  const report = json ? `${JSON.stringify(run, null, 2)}\n` : `\n${render(run)}`;
  process.stdout.write(report, () => {
    // An aborted case may be starting another process, which ends with this process.
    if (stopping.signal.aborted) process.exit();
  });
}

function findCase(name: string): ChaosCase {
  const found = allCases.find((each) => each.name === name);
  if (found) return found;
  const known = allCases.map((each) => each.name).join(', ');
  return program.error(`There is no case named ${JSON.stringify(name)}. Cases: ${known}.`);
}

async function runAll(cases: readonly ChaosCase[], options: RunOptions): Promise<CaseReport[]> {
  const folder = makeRunFolder();
  // The testing package writes into this folder.
  process.env.TEST_FOLDER = folder;
  const reports: CaseReport[] = [];
  let servers: Servers | undefined;
  try {
    const chromium = await findOrInstallChromium(process.env, say);
    process.env.TEST_CHROMIUM_PATH = chromium.path;
    await findOrInstallRedis(process.env, say);
    say('starting Postgres and Redis');
    servers = await openServers();
    for (const each of cases) {
      if (options.aborted?.aborted) break;
      say(`${each.name} … (${reports.length + 1} of ${cases.length})`);
      const report = await runCase(each, servers, options);
      say(`${each.name}: ${report.passed ? 'passed' : 'FAILED'} in ${report.durationS} s (seed ${report.seed})`);
      for (const fault of report.faults) say(`  ${fault}`);
      reports.push(report);
    }
  } finally {
    await servers?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  return reports;
}

function say(line: string): void {
  process.stderr.write(`chaos: ${line}\n`);
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
