import { type Command, Option } from 'commander';
import type { Surroundings } from '../environment.ts';
import { withExamples } from '../examples.ts';
import type { Platform } from '../find-platform.ts';
import { parseCount, parseMoment } from '../moment.ts';
import { shown } from '../print.ts';
import { callDeliveries } from './call-deliveries.ts';
import { byAccount, byWebhook, times, until } from './delivery-options.ts';
import { addReplayCommand } from './replay.ts';

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

interface DeliveryWithAttempts extends Delivery {
  attempts: {
    number: number;
    trigger: string;
    started_at: string;
    duration_ms: number;
    status: number | null;
    error: string | null;
    response_excerpt: string | null;
  }[];
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

/** The width of the longest field, `next_attempt_at`. */
const fieldWidth = 16;

export function addDeliveryCommands(program: Command, { platform, printer }: Surroundings): void {
  const deliveries = program.command('deliveries').description('list, retry and replay webhook deliveries');
  withExamples(deliveries, ['deliveries list --status failed --since 24h', 'deliveries replay --since 6h']);

  withExamples(
    deliveries.command('list'),
    ['deliveries list --status failed --since 24h', '--json deliveries list --webhook wh_01hx… --limit 1000'],
    times,
  )
    .description('list deliveries, newest first')
    .addOption(
      new Option('--status <status>', 'only deliveries with this status').choices([
        'pending',
        'delivered',
        'failed',
        'paused',
      ]),
    )
    .option('--event <name>', 'only deliveries of this event, such as capture.failed')
    .option(...byAccount)
    .option(...byWebhook)
    .option('--since <time>', 'only deliveries created at or after this time', (text) => parseMoment(text))
    .option(...until, (text) => parseMoment(text))
    .option('--limit <rows>', 'maximum number of rows', parseCount, 100)
    .action(async (options: ListOptions) => {
      const columns = ['id', 'account_id', 'event', 'url', 'status', 'attempt_count', 'last_error'] as const;
      printer().rows(await listDeliveries(platform(), options), [...columns, 'next_attempt_at', 'created_at']);
    });

  withExamples(deliveries.command('show'), ['deliveries show dlv_01hx…', '--json deliveries show dlv_01hx…'])
    .description('show one delivery: its payload, and its attempts with the responses')
    .argument('<delivery>', 'its ID')
    .action(async (id: string) => {
      const path = `/${encodeURIComponent(id)}`;
      const found = await callDeliveries<DeliveryWithAttempts>(platform(), 'GET', path);
      const print = printer();
      if (print.json) return print.fact('', found);
      const { attempts, ...facts } = found;
      for (const [field, value] of Object.entries(facts)) {
        print.fact(`${print.paint('bold', field.padEnd(fieldWidth))} ${shown(value)}`, {});
      }
      print.rows(attempts, ['number', 'trigger', 'started_at', 'duration_ms', 'status', 'error', 'response_excerpt']);
    });

  withExamples(deliveries.command('retry'), ['deliveries retry dlv_01hx…'])
    .description('retry one delivery now, then on a new schedule; replaces a scheduled retry')
    .argument('<delivery>', 'its ID')
    .action(async (id: string) => {
      const path = `/${encodeURIComponent(id)}/retry`;
      const retried = await callDeliveries<Delivery>(platform(), 'POST', path);
      const sentence =
        retried.next_attempt_at === null ? 'is in progress; it is retried if the attempt fails' : 'is due now';
      printer().fact(`${retried.id} ${sentence}`, retried);
    });

  addReplayCommand(deliveries, { platform, printer });
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
