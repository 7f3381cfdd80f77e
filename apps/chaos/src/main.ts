import { rmSync } from 'node:fs';
import { findOrInstallRedis } from '@capture/provisioning/install-redis';
import { makeRunFolder } from '@capture/testing/test-run';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { CaseReport, ChaosCase } from './case.ts';
import { allCases } from './cases/all.ts';
import { describeMachine } from './harness/machine.ts';
import { openServers, type Servers } from './harness/servers.ts';
import { renderList, renderReport } from './report.ts';
import { runCase } from './run-case.ts';

/** Exit codes: 0 every case held, 1 one did not or could not be run, 2 the call itself is wrong. */
const program = new Command('npm run chaos --')
  .description(
    'Fault tests of the webhooks: real services, on a Postgres and a Redis of their own, are killed, cut off and misled, and a ledger says what became of every event. The long form takes about half an hour.',
  )
  .argument('[case...]', 'which ones, in the order given; all of them unless named')
  .option('--list', 'say what there is, and run nothing')
  .option('--scale <number>', 'times the numbers of the long form, over 0 and at most 1', parseScale, 1)
  .option('--json', 'print JSON instead of a table')
  .showHelpAfterError()
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  npm run chaos -- --list
  npm run chaos -- redis-away postgres-restarts
  npm run chaos -- --scale 0.1 --json`,
  )
  .action(start);

interface Options {
  list?: boolean;
  scale: number;
  json?: boolean;
}

function parseScale(text: string): number {
  const scale = Number(text);
  if (!(scale > 0 && scale <= 1)) throw new InvalidArgumentError('It must be a number over 0 and at most 1.');
  return scale;
}

async function start(names: string[], { list, scale, json }: Options): Promise<void> {
  const cases = names.length === 0 ? allCases : names.map(findCase);
  if (list) {
    process.stdout.write(json ? `${JSON.stringify(cases, null, 2)}\n` : renderList(cases));
    return;
  }
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const reports = await runAll(cases, scale, stopping.signal);
  const machine = describeMachine();
  if (stopping.signal.aborted || reports.some(({ passed }) => !passed)) process.exitCode = 1;
  const report = json
    ? `${JSON.stringify({ machine, scale, cases: reports }, null, 2)}\n`
    : `\n${renderReport(machine, reports, scale)}`;
  process.stdout.write(report, () => {
    // A case that was broken off may be about to start something again: what it has goes with this process.
    if (stopping.signal.aborted) process.exit();
  });
}

function findCase(name: string): ChaosCase {
  const found = allCases.find((each) => each.name === name);
  if (found) return found;
  const known = allCases.map((each) => each.name).join(', ');
  return program.error(`There is no case named ${JSON.stringify(name)}; there are ${known}.`);
}

async function runAll(cases: readonly ChaosCase[], scale: number, aborted: AbortSignal): Promise<CaseReport[]> {
  const folder = makeRunFolder();
  // Where the packages for tests put what they write.
  process.env.TEST_FOLDER = folder;
  const reports: CaseReport[] = [];
  let servers: Servers | undefined;
  try {
    await findOrInstallRedis(process.env, say);
    say('starting Postgres and Redis');
    servers = await openServers();
    for (const each of cases) {
      if (aborted.aborted) break;
      say(`${each.name} …`);
      const report = await runCase(each, servers, { scale, aborted });
      say(`${each.name}: ${report.passed ? 'passed' : 'FAILED'} in ${report.durationS} s`);
      for (const fault of report.faults) say(`  ${fault}`);
      reports.push(report);
    }
  } finally {
    await servers?.close();
    rmSync(folder, { recursive: true, force: true });
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
