import { SingleBar } from 'cli-progress';
import { type Command, Option } from 'commander';
import { type Platform, UsageError } from './find-platform.ts';
import { parseCount, parseMoment } from './moment.ts';
import { callOperatorApi, OperatorApiError } from './operator-api.ts';
import type { Printer } from './print.ts';
import { type ReplayProgress, replayInSlices } from './replay-slices.ts';

interface Delivery {
  id: string;
  account_id: string;
  event: string;
  url: string;
  status: string;
  attempt_count: number;
  last_error: string | null;
  next_attempt_at: string | null;
  created_at: string;
}

interface DeliveryPage {
  deliveries: Delivery[];
  next_cursor: string | null;
}

interface ListOptions {
  status?: string;
  event?: string;
  account?: string;
  webhook?: string;
  since?: Date;
  until?: Date;
  limit: number;
}

interface ReplayOptions {
  status: string;
  account?: string;
  webhook?: string;
  since: Date;
  until?: Date;
}

const byAccount = ['--account <id>', 'only those of this account'] as const;
const byWebhook = ['--webhook <id>', 'only those to this registered endpoint'] as const;
const until = ['--until <time>', 'only those created before then'] as const;
const times = 'Times are like 2026-11-20T10:00:00Z, or how long ago: 90m, 24h, 7d.';

/** Adds `deliveries …`. @param platform found when a command runs, so that `--help` needs no platform. */
export function addDeliveryCommands(program: Command, platform: () => Platform, printer: () => Printer): void {
  const deliveries = program.command('deliveries').description('look at webhook deliveries and send them again');

  deliveries
    .command('list')
    .description('list deliveries, newest first')
    .addOption(new Option('--status <status>', 'only those').choices(['pending', 'delivered', 'failed', 'paused']))
    .option('--event <name>', 'only those of this event, such as capture.failed')
    .option(...byAccount)
    .option(...byWebhook)
    .option('--since <time>', 'only those created from then on', (text) => parseMoment(text))
    .option(...until, (text) => parseMoment(text))
    .option('--limit <rows>', 'how many at most', parseCount, 100)
    .addHelpText(
      'after',
      `
${times}

Examples:
  npm run ops -- deliveries list --status failed --since 24h
  npm run ops -- --json deliveries list --webhook wh_01hx… --limit 1000`,
    )
    .action(async (options: ListOptions) => {
      const columns = ['id', 'account_id', 'event', 'url', 'status', 'attempt_count', 'last_error'] as const;
      printer().rows(await listDeliveries(platform(), options), [...columns, 'next_attempt_at', 'created_at']);
    });

  deliveries
    .command('retry')
    .description('send one delivery again now, then on a fresh schedule; a waiting retry is replaced')
    .argument('<delivery>', 'its id')
    .addHelpText('after', '\nExample:\n  npm run ops -- deliveries retry dlv_01hx…')
    .action(async (id: string) => {
      const path = `/${encodeURIComponent(id)}/retry`;
      const retried = await callDeliveries<Delivery>(platform(), 'POST', path);
      const sentence = retried.next_attempt_at === null ? 'is under way; if it fails, it is sent again' : 'is due now';
      printer().fact(`${retried.id} ${sentence}`, retried);
    });

  deliveries
    .command('replay')
    .description('send again all deliveries that ended in a time; those of a paused endpoint go out when it is active')
    .requiredOption('--since <time>', 'those created from then on', (text) => parseMoment(text))
    .option(...until, (text) => parseMoment(text))
    .addOption(
      new Option('--status <status>', 'those that ended so').choices(['failed', 'delivered', 'all']).default('failed'),
    )
    .option(...byAccount)
    .option(...byWebhook)
    .addHelpText(
      'after',
      `
${times}

Examples:
  npm run ops -- deliveries replay --since 6h
  npm run ops -- deliveries replay --since 2026-11-20T10:00:00Z --until 2026-11-20T12:00:00Z --status all --account acc_01hx…`,
    )
    .action(async (options: ReplayOptions) => {
      const replayed = await replay(platform(), options);
      printer().fact(`${replayed} ${replayed === 1 ? 'delivery is' : 'deliveries are'} sent again`, { replayed });
    });
}

async function listDeliveries(platform: Platform, options: ListOptions): Promise<Delivery[]> {
  const filters = Object.entries({
    status: options.status,
    event: options.event,
    account_id: options.account,
    webhook_id: options.webhook,
    since: options.since?.toISOString(),
    until: options.until?.toISOString(),
  });
  const rows: Delivery[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(Math.min(100, options.limit - rows.length)) });
    for (const [name, value] of filters) if (value !== undefined) query.set(name, value);
    if (cursor !== null) query.set('cursor', cursor);
    const page: DeliveryPage = await callDeliveries(platform, 'GET', `?${query}`);
    rows.push(...page.deliveries);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < options.limit);
  return rows;
}

async function replay(platform: Platform, options: ReplayOptions): Promise<number> {
  const span = { since: options.since, until: options.until ?? new Date() };
  if (span.until <= span.since) throw new UsageError('--until must be later than --since');
  const bar = startBar();
  let last: ReplayProgress | undefined;
  try {
    return await replayInSlices(
      span,
      async (slice) => {
        const { replayed } = await callDeliveries<{ replayed: number }>(platform, 'POST', '/replay', {
          status: options.status,
          since: slice.since.toISOString(),
          until: slice.until.toISOString(),
          ...(options.account !== undefined && { account_id: options.account }),
          ...(options.webhook !== undefined && { webhook_id: options.webhook }),
        });
        return replayed;
      },
      (progress) => {
        last = progress;
        bar?.update(Math.floor(progress.share * 100), { replayed: progress.replayed });
      },
    );
  } catch (error) {
    if (!(error instanceof OperatorApiError) || last === undefined || last.share === 0) throw error;
    const rest = `--since ${last.upTo.toISOString()} --until ${span.until.toISOString()}`;
    throw new OperatorApiError(`${error.message}\n${last.replayed} were sent again before; the rest: ${rest}`, {
      cause: error,
    });
  } finally {
    bar?.stop();
  }
}

/** @param path below `/deliveries`. @throws {OperatorApiError} which says so where there are none at all. */
async function callDeliveries<Answer>(
  platform: Platform,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Answer> {
  try {
    return await callOperatorApi(platform, method, `/deliveries${path}`, body);
  } catch (error) {
    if (!isNotFound(error) || (await keepsDeliveries(platform))) throw error;
    const message =
      'the platform serves form A, which keeps no deliveries: only the log of its dispatcher tells of them';
    throw new OperatorApiError(message, { cause: error });
  }
}

async function keepsDeliveries(platform: Platform): Promise<boolean> {
  try {
    await callOperatorApi(platform, 'GET', '/deliveries?limit=1');
    return true;
  } catch (error) {
    return !isNotFound(error);
  }
}

const isNotFound = (error: unknown) => error instanceof OperatorApiError && error.code === 'NOT_FOUND';

/** A bar for whoever watches; a script that keeps the output gets none. */
function startBar(): SingleBar | null {
  if (!process.stderr.isTTY) return null;
  const bar = new SingleBar({
    stream: process.stderr,
    format: '{bar} {percentage}% of the time | {replayed} sent again',
    clearOnComplete: true,
  });
  bar.start(100, 0, { replayed: 0 });
  return bar;
}
