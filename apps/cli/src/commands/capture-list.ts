import type { CaptureClient } from '@capture/sdk/client';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { addConnectFlags, type ConnectFlags } from '../connect/connect-flags.ts';
import { withClient } from '../connect/with-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { ListFolder } from '../list/folder.ts';
import { type Item, itemsOf } from '../list/item.ts';
import { showProgress } from '../list/progress.ts';
import { batchesAtOnce, batchItemsAtMost, runList } from '../list/run-list.ts';
import type { BatchTerms } from '../list/submit-batch.ts';
import { findWorkLeft, type WorkLeft } from '../list/work-left.ts';
import { type Kind, kinds } from '../options/capture-option.ts';
import { addOptionFlags, type GivenOptions } from '../options/option-flags.ts';
import { Interrupted, type Session } from '../session.ts';
import { kindOf } from '../source/listed-fields.ts';
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
  sharePage?: true;
};

/** `capture list`: many pages into one folder. */
export function captureListCommand(session: Session): Command {
  const command = new Command('list')
    .description('many pages into a folder; a second call with the same folder does only what is missing')
    .addArgument(new Argument('<source>', 'a file, - for standard input, or the address of a sitemap'))
    .requiredOption('--out <folder>', 'where the files and manifest.jsonl go')
    .addOption(
      new Option(
        '--type <kind>',
        `what is made of each page: ${Object.values(kinds)
          .map(({ command: name }) => name)
          .join(', ')}`,
      )
        .argParser((text: string) => kindOf(text, '--type'))
        .default('screenshot'),
    )
    .addOption(new Option('--as <form>', 'how the list is written, where that cannot be seen').choices(listFormats))
    .addOption(
      new Option('--columns <names>', 'the columns of a CSV that are read: url,file,width').argParser((text: string) =>
        text.split(',').map((name) => name.trim()),
      ),
    )
    .addOption(
      new Option('--concurrency <captures>', 'how many are under way at once at most')
        .argParser(parseCount)
        .default(batchItemsAtMost * batchesAtOnce),
    )
    .option('--retry-failed', 'try again what failed in an earlier call')
    .option('--verify', 'make again what no longer has the checksum that the manifest tells')
    .option('--share-page', 'let pages of one site use a browser page and its cache in turn');
  addConnectFlags(command);
  const readOptions = addOptionFlags(command, Object.keys(kinds) as Kind[]);
  command.action(async (source: string, flags: Flags) => {
    const { webhook_url, html, ...usual } = readOptions();
    if (html !== undefined) throw new UsageError('--html is one page: a list has URLs');
    const terms: BatchTerms = {
      ...(typeof webhook_url === 'string' && { webhook_url }),
      ...(flags.sharePage && { share_page: true }),
    };
    const { signal } = session;
    const listed = await readList(source, {
      ...(flags.as && { format: flags.as }),
      ...(flags.columns && { columns: flags.columns }),
      signal,
    });
    const items = itemsOf(listed, { type: flags.type, options: usual });
    if (items.length === 0) throw new UsageError(`${source} lists no URL`);
    process.exitCode = await captureAll({ items, usual, terms, flags, session });
  });
  return command;
}

interface Call {
  items: Item[];
  usual: GivenOptions;
  terms: BatchTerms;
  flags: Flags;
  session: Session;
}

/** @returns the exit code. */
async function captureAll({ items, usual, terms, flags, session }: Call): Promise<number> {
  const folder = new ListFolder(flags.out);
  try {
    const { retryFailed = false, verify = false, concurrency } = flags;
    const work = await findWorkLeft(folder, items, { retryFailed, verify });
    const counts = { completed: work.completed, failed: work.failed };
    if (work.todo.length === 0 && folder.unfinished.length === 0) return tellEnd(counts, 0, items.length, session);
    tellBeginning(work, items.length, session);
    const { left } = await withClient(flags, session, async (client: CaptureClient) => {
      const progress = showProgress(items.length, counts);
      const known = new Set(items.map(({ key }) => key));
      const onOutcome = (key: string, status: 'completed' | 'failed') => {
        // An earlier call may have begun what this list does not ask for.
        if (known.has(key)) counts[status] += 1;
        progress.update(counts);
      };
      try {
        const { report, signal } = session;
        return await runList({
          client,
          folder,
          listed: items,
          todo: work.todo,
          usual,
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
        session.report(`${done} of ${items.length} done; the same call goes on from here`);
      }
      throw error;
    });
    return tellEnd(counts, left, items.length, session);
  } finally {
    folder.close();
  }
}

function tellBeginning({ todo, completed, failed }: WorkLeft, total: number, { report }: Session): void {
  if (completed + failed === 0) return;
  const retry = failed > 0 ? `, ${failed} failed (--retry-failed tries them again)` : '';
  report(`${completed} of ${total} are there already${retry}; ${todo.length} to do`);
}

function tellEnd(
  { completed, failed }: { completed: number; failed: number },
  left: number,
  total: number,
  { report }: Session,
): number {
  const parts = [`${completed} of ${total} captured`];
  if (failed > 0) parts.push(`${failed} failed (manifest.jsonl says why; --retry-failed tries them again)`);
  if (left > 0) parts.push(`${left} left; the same call goes on from here when there is quota again`);
  report(parts.join(', '));
  return completed === total ? exitCodes.done : exitCodes.failed;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1.');
  return Number(text);
}
