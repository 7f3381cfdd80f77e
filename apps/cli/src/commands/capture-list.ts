import type { CaptureClient } from '@capture-platform/sdk/client';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { addConnectFlags, type ConnectFlags } from '../connect/connect-flags.ts';
import { withClient } from '../connect/with-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { ListFolder } from '../list/folder.ts';
import { type Item, listItems } from '../list/item.ts';
import { showProgress } from '../list/progress.ts';
import { findRemainingWork, type RemainingWork } from '../list/remaining-work.ts';
import { concurrentBatches, maxBatchItems, runList } from '../list/run-list.ts';
import type { BatchTerms } from '../list/submit-batch.ts';
import { type Kind, kinds } from '../options/capture-option.ts';
import { addOptionFlags, type OptionValues } from '../options/option-flags.ts';
import { Interrupted, type Session } from '../session.ts';
import { parseKind } from '../source/listed-fields.ts';
import { listFormats, readList } from '../source/read-list.ts';
import { UsageError } from '../usage-error.ts';

type Flags = ConnectFlags & {
  out: string;
  type: Kind;
  format?: string;
  as?: (typeof listFormats)[number];
  columns?: string[];
  concurrency: number;
  retryFailed?: true;
  verify?: true;
};

/** `capture list` captures many pages into one folder. */
export function captureListCommand(session: Session): Command {
  const command = new Command('list')
    .description('capture many pages into a folder; running it again captures only what is missing')
    .addArgument(new Argument('<source>', 'a file, - for standard input, or the URL of a sitemap'))
    .requiredOption('--out <folder>', 'folder for the files and manifest.jsonl')
    .addOption(
      new Option(
        '--type <kind>',
        `kind of capture: ${Object.values(kinds)
          .map(({ command: name }) => name)
          .join(', ')}`,
      )
        .argParser((text: string) => parseKind(text, '--type'))
        .default('screenshot'),
    )
    .addOption(new Option('--as <format>', 'format of the list, detected by default').choices(listFormats))
    .addOption(
      new Option('--columns <names>', 'columns of a CSV to read, such as url,file,width').argParser((text: string) =>
        text.split(',').map((name) => name.trim()),
      ),
    )
    .addOption(
      new Option('--concurrency <captures>', 'maximum number of captures in progress')
        .argParser(parseCount)
        .default(maxBatchItems * concurrentBatches),
    )
    .option('--retry-failed', 'retry captures that failed in earlier runs')
    .option('--verify', 'capture files again whose checksum differs from the manifest');
  addConnectFlags(command);
  const readOptions = addOptionFlags(command, Object.keys(kinds) as Kind[]);
  command.action(async (source: string, flags: Flags) => {
    const { webhook_url, html, ...defaults } = readOptions();
    if (html !== undefined) throw new UsageError('--html is for one page: a list consists of URLs');
    const terms: BatchTerms = { ...(typeof webhook_url === 'string' && { webhook_url }) };
    const { signal } = session;
    const listed = await readList(source, {
      ...(flags.as && { format: flags.as }),
      ...(flags.columns && { columns: flags.columns }),
      signal,
    });
    const items = listItems(listed, { type: flags.type, options: defaults });
    if (items.length === 0) throw new UsageError(`${source} contains no URL`);
    process.exitCode = await captureAll({ items, defaults, terms, flags, session });
  });
  return command;
}

/** The maximum number of failed captures that are named at the end. */
const namedFailures = 10;

interface ListCall {
  items: Item[];
  defaults: OptionValues;
  terms: BatchTerms;
  flags: Flags;
  session: Session;
}

/** @returns the exit code. */
async function captureAll({ items, defaults, terms, flags, session }: ListCall): Promise<number> {
  const folder = new ListFolder(flags.out);
  try {
    const { retryFailed = false, verify = false, concurrency } = flags;
    const work = await findRemainingWork(folder, items, { retryFailed, verify });
    const counts = { completed: work.completed, failed: work.failed };
    if (work.todo.length === 0 && folder.unfinished.length === 0) return reportEnd(counts, 0, items.length, session);
    reportStart(work, items.length, session);
    const { remaining } = await withClient(flags, session, async (client: CaptureClient) => {
      const progress = showProgress(items.length, counts);
      const listedKeys = new Set(items.map(({ key }) => key));
      const onOutcome = (key: string, status: 'completed' | 'failed') => {
        // A batch of an earlier run may contain captures that are not in this list.
        if (listedKeys.has(key)) counts[status] += 1;
        progress.update(counts);
      };
      try {
        const { report, signal } = session;
        return await runList({
          client,
          folder,
          listed: items,
          todo: work.todo,
          defaults,
          terms,
          concurrency,
          signal,
          report,
          onOutcome,
        });
      } finally {
        progress.stop();
      }
    }).catch((error: unknown) => {
      if (error instanceof Interrupted) {
        const done = counts.completed + counts.failed;
        session.report(`${done} of ${items.length} done; run the same command again to continue`);
      }
      throw error;
    });
    reportFailures(folder, items, session);
    return reportEnd(counts, remaining, items.length, session);
  } finally {
    folder.close();
  }
}

function reportStart({ todo, completed, failed }: RemainingWork, total: number, { report }: Session): void {
  if (completed + failed === 0) return;
  const retry = failed > 0 ? `, ${failed} failed (use --retry-failed to retry)` : '';
  report(`${completed} of ${total} already captured${retry}; ${todo.length} to do`);
}

/** Names the first captures that failed, and why. */
function reportFailures(folder: ListFolder, items: readonly Item[], { report }: Session): void {
  const failed = items.flatMap(({ key }) => {
    const outcome = folder.outcomeOf(key);
    return outcome?.status === 'failed' ? [outcome] : [];
  });
  for (const { url, error_message: message } of failed.slice(0, namedFailures)) report(`${url}: ${message}`);
  if (failed.length > namedFailures) report(`and ${failed.length - namedFailures} more`);
}

function reportEnd(
  { completed, failed }: { completed: number; failed: number },
  remaining: number,
  total: number,
  { report }: Session,
): number {
  const parts = [`${completed} of ${total} captured`];
  if (failed > 0) parts.push(`${failed} failed (see manifest.jsonl; use --retry-failed to retry)`);
  if (remaining > 0) parts.push(`${remaining} remaining; run the same command again when there is quota`);
  report(parts.join(', '));
  return completed === total ? exitCodes.done : exitCodes.failed;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Use a whole number of at least 1.');
  return Number(text);
}
