import { rmSync } from 'node:fs';
import path from 'node:path';
import { findOrInstallAdLists } from '@capture/provisioning/install-ad-lists';
import { findOrInstallChromium } from '@capture/provisioning/install-chromium';
import { findOrInstallRedis } from '@capture/provisioning/install-redis';
import { openResources } from '@capture/testing/open-resources';
import { makeRunFolder } from '@capture/testing/test-run';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { Case } from './case.ts';
import { allCases } from './cases/all.ts';
import { compare, findPairs } from './compare/compare.ts';
import { writeSheets } from './report/sheet.ts';
import { summary, wrongCases } from './report/summary.ts';
import { type Drawer, openReference, runCases, startPlatform, useService } from './run.ts';
import { installLibraries, startServer } from './server.ts';

interface Options {
  only?: string;
  quick?: boolean;
  runs: number;
  concurrency: number;
  out?: string;
  compare?: string;
  against?: string;
  key?: string;
  reference?: boolean;
  strict?: boolean;
  list?: boolean;
}

/** Exit codes: 0 reported; 1 not run, or with `--strict` a case was wrong; 2 wrong usage. */
const program = new Command('npm run corpus --')
  .description(
    'Captures realistic pages with the platform, and checks each result against what a patient visitor sees.',
  )
  .option('--only <text>', 'cases whose name or group contains one of these texts, separated by commas')
  .option('--quick', 'only the cases that `npm test` runs')
  .option('--runs <number>', 'captures of each case; it is right if all are', wholeNumber, 1)
  .option('--concurrency <number>', 'captures at a time', wholeNumber, 1)
  .option('--out <folder>', 'write all files, contact sheets and an index.html there')
  .option('--compare <folder>', 'only write images there that show Puppeteer beside the platform, for docs/captures.md')
  .option('--against <url>', 'use this running platform, which must be allowed to reach 127.0.0.1')
  .option('--key <key>', 'an API key of that platform')
  .option('--reference', 'draw with a patient visitor instead of the platform: slow; checks the cases themselves')
  .option('--strict', 'exit with 1 if a case is wrong')
  .option('--list', 'list the cases without running them')
  .showHelpAfterError()
  .exitOverride()
  .action(start);

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return number;
}

function chosen({ only, quick, compare: compared }: Options): Case[] {
  const texts = only?.split(',');
  const cases = compared === undefined ? allCases : findPairs(allCases).map(({ each }) => each);
  return cases.filter(
    (each) =>
      (!quick || each.quick) && (!texts || texts.some((text) => each.name.includes(text) || each.group.includes(text))),
  );
}

async function start(options: Options): Promise<void> {
  const cases = chosen(options);
  if (options.list) {
    process.stdout.write(cases.map(({ name, group, what }) => `${name} (${group})\n    ${what}\n`).join(''));
    return;
  }
  if (cases.length === 0) throw new CommanderError(2, 'corpus.none', `no case matches ${options.only}`);
  const folder = makeRunFolder();
  // The testing package writes into this folder.
  process.env.TEST_FOLDER = folder;
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const closings: (() => Promise<unknown>)[] = [];
  try {
    const server = await startServer(
      cases.some(({ group }) => group === 'libraries') ? await installLibraries(say) : undefined,
    );
    closings.push(server.close);
    const drawer = await openDrawer(options, server.port);
    closings.push(drawer.close);
    if (options.compare !== undefined) {
      const { path: chromium } = await findOrInstallChromium(process.env, say);
      const out = path.resolve(options.compare);
      const where = { out, chromium, folder };
      await compare({ cases, draw: drawer.draw, url: server.url, ...where, aborted: stopping.signal, progress: say });
      return;
    }
    const { runs, concurrency } = options;
    const out = options.out === undefined ? undefined : path.resolve(options.out);
    const done = await runCases({
      cases,
      drawer,
      url: server.url,
      runs,
      concurrency,
      out,
      aborted: stopping.signal,
      progress: ({ case: { name }, ms, wrong }) =>
        say(`${wrong.length > 0 ? 'WRONG' : 'right'} ${name} (${(ms / 1_000).toFixed(1)} s)`),
    });
    process.stdout.write(`\n${summary(done)}`);
    if (out !== undefined) say(`written: ${(await writeSheets(out, done)).join(', ')}`);
    if (options.strict && wrongCases(done).length > 0) process.exitCode = 1;
  } catch (error) {
    say(stopping.signal.aborted ? 'stopped' : `not run: ${(error as Error).stack}`);
    process.exitCode = 1;
  } finally {
    for (let next = closings.pop(); next; next = closings.pop()) await next();
    for (const { close } of [...openResources()]) await close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

async function openDrawer({ against, key = '', reference }: Options, port: number): Promise<Drawer> {
  if (against !== undefined) return useService({ url: against.replace(/\/$/, ''), key });
  const chromium = await findOrInstallChromium(process.env, say);
  if (reference) return openReference(chromium.path);
  process.env.TEST_CHROMIUM_PATH = chromium.path;
  await findOrInstallRedis(process.env, say);
  await findOrInstallAdLists(process.env, say);
  say('starting the platform');
  return startPlatform(port);
}

function say(line: string): void {
  process.stderr.write(`corpus: ${line}\n`);
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
