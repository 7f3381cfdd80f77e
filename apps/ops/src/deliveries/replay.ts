import { countedAtMost } from '@capture/contract/counted-at-most';
import { type Command, Option } from 'commander';
import type { Surroundings } from '../environment.ts';
import { withExamples } from '../examples.ts';
import { FailedError, UnreachableError, UsageError } from '../exit-codes.ts';
import type { Platform } from '../find-platform.ts';
import { parseMoment } from '../moment.ts';
import { startBar } from '../progress-bar.ts';
import { callDeliveries } from './call-deliveries.ts';
import { byAccount, byWebhook, times, until } from './delivery-options.ts';
import { type ReplayProgress, replayInSlices, type Span } from './replay-slices.ts';

interface ReplayOptions {
  status: string;
  account?: string;
  webhook?: string;
  since: Date;
  until?: Date;
  dryRun?: true;
}

export function addReplayCommand(
  deliveries: Command,
  { platform, printer }: Pick<Surroundings, 'platform' | 'printer'>,
): void {
  withExamples(
    deliveries.command('replay'),
    [
      'deliveries replay --since 6h',
      'deliveries replay --since 6h --dry-run',
      'deliveries replay --since 2026-11-20T10:00:00Z --until 2026-11-20T12:00:00Z --status all --account acc_01hx…',
    ],
    times,
  )
    .description(
      'replay the deliveries that were created in a period and have ended; deliveries of a paused endpoint are sent when it is active again, deliveries of a deleted endpoint are left out',
    )
    .requiredOption('--since <time>', 'only deliveries created at or after this time', (text) => parseMoment(text))
    .option(...until, (text) => parseMoment(text))
    .addOption(
      new Option('--status <status>', 'only deliveries with this status')
        .choices(['failed', 'delivered', 'all'])
        .default('failed'),
    )
    .option(...byAccount)
    .option(...byWebhook)
    .option('--dry-run', 'only count them')
    .action(async (options: ReplayOptions) => {
      if (options.dryRun) {
        const query = new URLSearchParams(replayRequest(options, readSpan(options)));
        const counted = await callDeliveries<{ replayable: number }>(platform(), 'GET', `/replay?${query}`);
        const count = countDeliveries(counted.replayable, counted.replayable === countedAtMost ? ' or more' : '');
        return printer().fact(`${count} would be replayed; deliveries of deleted endpoints are left out`, counted);
      }
      const replayed = await replay(platform(), options);
      printer().fact(`${countDeliveries(replayed)} replayed`, { replayed });
    });
}

function readSpan({ since, until = new Date() }: ReplayOptions): Span {
  if (until <= since) throw new UsageError('--until must be later than --since');
  return { since, until };
}

function replayRequest({ status, account, webhook }: ReplayOptions, { since, until }: Span): Record<string, string> {
  return {
    status,
    since: since.toISOString(),
    until: until.toISOString(),
    ...(account !== undefined && { account_id: account }),
    ...(webhook !== undefined && { webhook_id: webhook }),
  };
}

const countDeliveries = (count: number, more = '') => `${count}${more} ${count === 1 ? 'delivery' : 'deliveries'}`;

async function replay(platform: Platform, options: ReplayOptions): Promise<number> {
  const span = readSpan(options);
  const bar = startBar(100, '{bar} {percentage}% of the period | {replayed} replayed', { replayed: 0 });
  let last: ReplayProgress | undefined;
  try {
    return await replayInSlices(
      span,
      async (slice) => {
        const request = replayRequest(options, slice);
        return (await callDeliveries<{ replayed: number }>(platform, 'POST', '/replay', request)).replayed;
      },
      (progress) => {
        last = progress;
        bar.update(Math.floor(progress.share * 100), { replayed: progress.replayed });
      },
    );
  } catch (error) {
    if (last === undefined || last.share === 0) throw error;
    const rest = `--since ${last.upTo.toISOString()} --until ${span.until.toISOString()}`;
    const message = `${(error as Error).message}\n${last.replayed} were replayed before; for the rest: ${rest}`;
    if (error instanceof UnreachableError) throw new UnreachableError(message, { cause: error });
    throw new FailedError(message, { cause: error });
  } finally {
    bar.stop();
  }
}
