import { accessSync, constants, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { content } from './content/command.ts';
import { medians } from './medians.ts';
import { plans } from './query-plans/command.ts';
import {
  type BenchRecord,
  drawMarkdown,
  drawTerminal,
  renderSection,
  renderSummary,
  type SectionRecord,
} from './report.ts';
import { runSections } from './run.ts';
import type { Section } from './section.ts';
import { allSections } from './sections/all.ts';

/** Exit codes: 0 measured (whatever the figures), 1 not measured, 2 wrong usage. */
const program = new Command('npm run bench --')
  .description(
    'Measures the platform, started as `npm start` does, beside other screenshot tools: on the same pages, with the same Chromium, in turn. Takes about 20 minutes.',
  )
  .option('--quick', 'fewer repetitions, in two minutes')
  .option('--only <names>', 'some sections only, separated by commas', parseSections)
  .option('--list', 'list the sections without running them')
  .option('--long', 'also the long sections: 10,000 captures')
  .option('--runs <number>', 'number of repetitions', parseRuns)
  .option('--cases <text>', 'of `fidelity`, only the cases whose name or group contains this')
  .option('--json <file>', 'write all figures to a file, after each section', parseFile)
  .option('--markdown', 'print Markdown, for a document')
  .showHelpAfterError()
  // Options after a command belong to the command.
  .enablePositionalOptions()
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  npm run bench -- --quick
  npm run bench -- --only latency,throughput --runs 30
  npm run bench -- --json bench.json --markdown > bench.md`,
  )
  .action(start)
  .addCommand(plans)
  .addCommand(medians)
  .addCommand(content);

interface Options {
  quick?: boolean;
  only?: Section[];
  list?: boolean;
  long?: boolean;
  runs?: number;
  cases?: string;
  json?: string;
  markdown?: boolean;
}

function parseSections(text: string): Section[] {
  return text.split(',').map((name) => {
    const found = allSections.find((each) => each.name === name);
    if (found) return found;
    const known = allSections.map((each) => each.name).join(', ');
    throw new InvalidArgumentError(`There is no section ${JSON.stringify(name)}. Sections: ${known}.`);
  });
}

function parseRuns(text: string): number {
  const runs = Number(text);
  if (!Number.isInteger(runs) || runs < 1) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return runs;
}

async function start({ quick = false, only, list, long, runs, cases, json, markdown }: Options): Promise<void> {
  if (list) {
    process.stdout.write(allSections.map(({ name, measures }) => `${name}\n    ${measures}\n`).join(''));
    return;
  }
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const sections = only ?? allSections.filter((each) => long || !each.long);
  const args = process.argv.slice(2);
  try {
    const draw = markdown ? drawMarkdown : drawTerminal;
    const onSection = (section: SectionRecord, known: BenchRecord) => {
      process.stdout.write(`\n${renderSection(section, draw)}\n`);
      if (json !== undefined) writeRecord(json, known);
    };
    const record = await runSections({ sections, quick, runs, cases, args, aborted: stopping.signal, say, onSection });
    process.stdout.write(`\n${renderSummary(record, draw)}\n`);
  } catch (error) {
    say(stopping.signal.aborted ? 'stopped' : `not measured: ${(error as Error).stack}`);
    // An aborted section may be starting another process, which ends with this process.
    process.exit(1);
  }
}

/** Replaces the file as a whole. A full disk costs only the file, because the figures of the other sections are printed. */
function writeRecord(file: string, record: BenchRecord): void {
  try {
    writeFileSync(`${file}.part`, `${JSON.stringify(record, null, 2)}\n`);
    renameSync(`${file}.part`, file);
  } catch (error) {
    say(`not written: ${(error as Error).message}`);
  }
}

function parseFile(file: string): string {
  try {
    accessSync(path.dirname(file), constants.W_OK);
    return file;
  } catch (error) {
    throw new InvalidArgumentError(`The file cannot be written: ${(error as Error).message}.`);
  }
}

function say(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
