import { readWaitingAccounts, type WaitingAccounts } from '@capture/database/captures/read-queue-state';
import { type CleanupJobRun, readCleanupJobRuns } from '@capture/database/cleanup/cleanup-runs';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import { type EndpointStates, readEndpointStates } from '@capture/database/endpoints/endpoint-health';
import { type QueueLoad, readQueues } from '@capture/database/operator/read-queues';
import type { Registry } from '@capture/runtime/metrics/metrics';
import { type ReadMetric, readMetrics } from '@capture/runtime/metrics/read-metrics';
import { watchRedisServer } from '@capture/runtime/metrics/redis-metrics';

/** How long a reading is reused, milliseconds: on a large database a reading costs more than a look-up. */
const keepMs = 10_000;

/**
 * Registers the metrics of the whole platform: queues, endpoints, cleanup jobs, Redis. Every gateway reports the same
 * numbers, so alert rules and panels use their `max`, never their sum.
 */
export function watchPlatform(
  registry: Registry,
  { database: { pool }, redis }: { database: Pick<Database, 'pool'>; redis: { info(): Promise<string> } },
): void {
  readMetrics(registry, () => readQueues(pool, databaseNow()), queueMetrics, { keepMs });
  readMetrics(registry, () => readWaitingAccounts(pool), accountMetrics, { keepMs });
  readMetrics(registry, () => readEndpointStates(pool), endpointMetrics, { keepMs });
  readMetrics(registry, () => readCleanupJobRuns(pool), cleanupJobMetrics, { keepMs });
  watchRedisServer(registry, redis);
}

const queueMetric = (
  name: string,
  help: string,
  select: (load: QueueLoad) => number | null,
): ReadMetric<readonly QueueLoad[]> => ({
  name,
  help,
  labelNames: ['queue'],
  show: (loads) => loads && known(loads.map((load) => [{ queue: load.name }, select(load)])),
});

const queueMetrics = [
  queueMetric('capture_queue_waiting', 'Captures or deliveries that are due and not claimed.', (load) => load.waiting),
  queueMetric('capture_queue_active', 'Captures or deliveries in progress.', (load) => load.active),
  queueMetric('capture_queue_delayed', 'Deliveries that are due later, usually retries.', (load) => load.delayed),
  queueMetric(
    'capture_queue_oldest_waiting_seconds',
    'Age of the oldest waiting capture or delivery; 0 without any.',
    (load) => load.oldestWaitingS ?? 0,
  ),
  queueMetric('capture_queue_workers', 'Live processes that take work from the queue.', (load) => load.workers),
];

const accountMetrics: ReadMetric<WaitingAccounts>[] = [
  {
    name: 'capture_queue_accounts',
    help: 'Accounts with captures in the queue.',
    show: (waiting) => waiting?.accounts,
  },
  {
    name: 'capture_queue_largest_account',
    help: 'Captures in the queue of the account with the most.',
    show: (waiting) => waiting?.largest,
  },
];

const endpointMetrics: ReadMetric<EndpointStates>[] = [
  {
    name: 'capture_webhook_endpoints',
    help: 'Registered webhook endpoints by status.',
    labelNames: ['status'],
    show: (states) =>
      states && (['active', 'paused', 'disabled'] as const).map((status) => [{ status }, states[status]]),
  },
  {
    name: 'capture_webhook_endpoints_failing',
    help: 'Active endpoints whose attempts have failed since the last success.',
    show: (states) => states?.failing,
  },
  {
    name: 'capture_webhook_endpoint_failing_seconds',
    help: 'How long the endpoint that fails the longest has been failing; 0 without any.',
    show: (states) => states?.longestFailingS,
  },
];

const cleanupJobMetric = (
  name: string,
  help: string,
  select: (run: CleanupJobRun) => number | null,
): ReadMetric<readonly CleanupJobRun[]> => ({
  name,
  help,
  labelNames: ['cleanup_job'],
  show: (runs) => runs && known(runs.map((run) => [{ cleanup_job: run.name }, select(run)])),
});

const seconds = (ms: number | null) => (ms === null ? null : ms / 1_000);

const cleanupJobMetrics = [
  cleanupJobMetric('capture_cleanup_job_interval_seconds', 'How often a cleanup job runs.', (run) =>
    seconds(run.everyMs),
  ),
  cleanupJobMetric(
    'capture_cleanup_job_last_run_timestamp_seconds',
    'When the last run ended, successful or not; missing before the first.',
    (run) => seconds(run.lastFinishedAt?.getTime() ?? null),
  ),
  cleanupJobMetric('capture_cleanup_job_failing', 'Whether the last run failed.', (run) =>
    run.lastFinishedAt === null ? null : Number(run.lastError !== null),
  ),
  cleanupJobMetric('capture_cleanup_job_last_duration_seconds', 'Duration of the last run.', (run) =>
    seconds(run.lastDurationMs),
  ),
  cleanupJobMetric(
    'capture_cleanup_job_last_rows',
    'Number of rows that the last run removed, found or repaired.',
    (run) => run.lastCount,
  ),
];

type Labelled<Value> = [Record<string, string>, Value];

function known(values: Labelled<number | null>[]): Labelled<number>[] {
  return values.filter((entry): entry is Labelled<number> => entry[1] !== null);
}
