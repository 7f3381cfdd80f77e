import { readWaitingAccounts, type WaitingAccounts } from '@capture/database/captures/read-queue-state';
import { type CleanupJobRun, readCleanupJobRuns } from '@capture/database/cleanup/cleanup-runs';
import type { Database } from '@capture/database/database';
import { type EndpointStates, readEndpointStates } from '@capture/database/endpoints/endpoint-health';
import { type QueueLoad, readQueues } from '@capture/database/operator/read-queues';
import type { Registry } from '@capture/runtime/metrics/metrics';
import { type ReadMetric, readMetrics } from '@capture/runtime/metrics/read-metrics';
import { watchRedisServer } from '@capture/runtime/metrics/redis-metrics';

/** What is read at most so often, milliseconds: it needs more of a large database than a look-up. */
const keepMs = 10_000;

/**
 * What there is one of in a platform, however many processes it has: queues, endpoints, cleanup jobs, Redis. Every gateway reads
 * it from the same place and tells the same numbers, so rules and panels take the `max` of them and never the sum.
 */
export function watchPlatform(
  registry: Registry,
  { database: { pool }, redis }: { database: Pick<Database, 'pool'>; redis: { info(): Promise<string> } },
): void {
  readMetrics(registry, () => readQueues(pool, new Date()), queueMetrics, { keepMs });
  readMetrics(registry, () => readWaitingAccounts(pool), accountMetrics, { keepMs });
  readMetrics(registry, () => readEndpointStates(pool), endpointMetrics, { keepMs });
  readMetrics(registry, () => readCleanupJobRuns(pool), cleanupJobMetrics, { keepMs });
  watchRedisServer(registry, redis);
}

const ofQueue = (
  name: string,
  help: string,
  figureOf: (load: QueueLoad) => number | null,
): ReadMetric<readonly QueueLoad[]> => ({
  name,
  help,
  labelNames: ['queue'],
  show: (loads) => loads && known(loads.map((load) => [{ queue: load.name }, figureOf(load)])),
});

const queueMetrics = [
  ofQueue('capture_queue_waiting', 'Captures or deliveries that are due and begun by nobody.', (load) => load.waiting),
  ofQueue('capture_queue_active', 'Captures or deliveries under way.', (load) => load.active),
  ofQueue('capture_queue_delayed', 'Deliveries that are due later: retries, as a rule.', (load) => load.delayed),
  ofQueue(
    'capture_queue_oldest_waiting_seconds',
    'How long the oldest that is due has waited; 0 where nothing does.',
    (load) => load.oldestWaitingS ?? 0,
  ),
  ofQueue('capture_queue_workers', 'Processes that are alive and take from the queue.', (load) => load.workers),
];

const accountMetrics: ReadMetric<WaitingAccounts>[] = [
  {
    name: 'capture_queue_accounts',
    help: 'Accounts that have captures in the queue.',
    show: (waiting) => waiting?.accounts,
  },
  {
    name: 'capture_queue_largest_account',
    help: 'Captures in the queue of the account that has the most.',
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
    help: 'Active endpoints whose attempts have all failed since their last success.',
    show: (states) => states?.failing,
  },
  {
    name: 'capture_webhook_endpoint_failing_seconds',
    help: 'For how long the endpoint has failed that has failed the longest; 0 where none does.',
    show: (states) => states?.longestFailingS,
  },
];

const ofCleanupJob = (
  name: string,
  help: string,
  figureOf: (run: CleanupJobRun) => number | null,
): ReadMetric<readonly CleanupJobRun[]> => ({
  name,
  help,
  labelNames: ['cleanup_job'],
  show: (runs) => runs && known(runs.map((run) => [{ cleanup_job: run.name }, figureOf(run)])),
});

const seconds = (ms: number | null) => (ms === null ? null : ms / 1_000);

const cleanupJobMetrics = [
  ofCleanupJob('capture_cleanup_job_interval_seconds', 'How often a cleanup job runs.', (run) => seconds(run.everyMs)),
  ofCleanupJob(
    'capture_cleanup_job_last_run_timestamp_seconds',
    'When its last run ended, well or not; not there before the first.',
    (run) => seconds(run.lastFinishedAt?.getTime() ?? null),
  ),
  ofCleanupJob('capture_cleanup_job_failing', 'Whether its last run failed.', (run) =>
    run.lastFinishedAt === null ? null : Number(run.lastError !== null),
  ),
  ofCleanupJob('capture_cleanup_job_last_duration_seconds', 'How long its last run took.', (run) =>
    seconds(run.lastDurationMs),
  ),
  ofCleanupJob('capture_cleanup_job_last_rows', 'What its last run removed, found or mended.', (run) => run.lastCount),
];

type Labelled<Value> = [Record<string, string>, Value];

/** Those whose value is known. */
function known(values: Labelled<number | null>[]): Labelled<number>[] {
  return values.filter((entry): entry is Labelled<number> => entry[1] !== null);
}
