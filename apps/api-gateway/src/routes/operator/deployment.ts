import * as accountSchemas from '@capture/contract/api/account-responses';
import * as schemas from '@capture/contract/api/operator-responses';
import type { ContractForm } from '@capture/contract/forms/forms';
import { readCleanupJobRuns } from '@capture/database/cleanup/cleanup-runs';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import { readBulkWork } from '@capture/database/operator/read-bulk-work';
import { readQueues } from '@capture/database/operator/read-queues';
import { readProcesses } from '@capture/queue/process-reports';
import { askDatabase, useOf } from '@capture/runtime/metrics/database-metrics';
import { factsOf } from '@capture/runtime/metrics/redis-metrics';
import { withTimeout } from '@capture/runtime/timeout';
import type { Redis } from 'ioredis';
import type { Route } from '../../http/route.ts';
import { operatorActivityRoute } from './activity.ts';

type DeploymentDependencies = { database: Database; form: ContractForm; redis: Redis };

export function operatorDeploymentRoutes(dependencies: DeploymentDependencies): Route[] {
  return [
    queuesRoute(dependencies),
    processesRoute(dependencies),
    operatorActivityRoute(dependencies),
    cleanupJobsRoute(dependencies),
    deploymentRoute(dependencies),
  ];
}

function queuesRoute({ database }: DeploymentDependencies): Route {
  return {
    method: 'GET',
    path: '/api/operator/queues',
    auth: 'operator',
    id: 'readQueues',
    tag: 'Operator',
    summary: 'Get the queues',
    description: 'From the database, the source of truth; also available while Redis is not.',
    responses: { 200: { description: 'The queues.', json: accountSchemas.queueList } },
    async handle({ res }) {
      const queues = await readQueues(database.pool, databaseNow());
      res.json({
        queues: queues.map(({ name, waiting, active, delayed, oldestWaitingS, workers }) => ({
          name,
          waiting,
          active,
          delayed,
          oldest_waiting_s: oldestWaitingS,
          workers,
        })),
      });
    },
  };
}

/** A healthy database always responds within this time, and an operator waits no longer for a page, milliseconds. */
const timeoutMs = 2_000;

/**
 * Lists the running processes as they report themselves, and the health of the two servers that all of them need. Reports are in
 * Redis: while Redis is unavailable, the list is empty.
 */
function processesRoute({ redis, database }: DeploymentDependencies): Route {
  return {
    method: 'GET',
    path: '/api/operator/processes',
    auth: 'operator',
    id: 'listProcesses',
    tag: 'Operator',
    summary: 'List running processes',
    description:
      'Gateways, workers with their browsers, and dispatchers, as each reports itself every 5 s. Reports are stored in Redis only.',
    responses: { 200: { description: 'The processes.', json: schemas.processList } },
    async handle({ res }) {
      const [processes, databaseState] = await Promise.all([
        askRedis(redis).catch(() => null),
        withTimeout(timeoutMs, askDatabase(database.pool), () => null).catch(() => null),
      ]);
      const { most, inUse, waiting } = useOf(database.pool);
      res.json({
        at: databaseNow().toISOString(),
        redis: processes?.redis ?? 'unavailable',
        database: {
          response_ms: databaseState && Math.round(databaseState.seconds * 1_000),
          clock_offset_ms: databaseState && Math.round(databaseState.clockOffset * 1_000),
          connections: most,
          connections_in_use: inUse,
          waiting,
        },
        processes: processes?.found ?? [],
      });
    },
  };
}

async function askRedis(redis: Redis) {
  const [found, info] = await Promise.all([readProcesses(redis), redis.info('memory')]);
  const { policy } = factsOf(info);
  return { found, redis: policy === 'noeviction' ? 'ok' : 'evicting' };
}

/** Lists the replays in progress from the reports of the gateways. */
async function readReplays(redis: Redis) {
  const processes = await readProcesses(redis);
  return processes.flatMap(({ kind, detail }) => (kind === 'api-gateway' ? (detail.replays ?? []) : []));
}

/** Lists the last run of each cleanup job, in any process, and the bulk work in progress. */
function cleanupJobsRoute({ database, redis }: DeploymentDependencies): Route {
  return {
    method: 'GET',
    path: '/api/operator/cleanup-jobs',
    auth: 'operator',
    id: 'listCleanupJobs',
    tag: 'Operator',
    summary: 'List cleanup jobs and their last runs',
    description:
      'Background jobs that remove and recover data, each in one process at a time; and the bulk work in progress.',
    responses: { 200: { description: 'The cleanup jobs.', json: schemas.cleanupJobList } },
    async handle({ res }) {
      const [runs, work, replays] = await Promise.all([
        readCleanupJobRuns(database.pool),
        readBulkWork(database.pool),
        withTimeout(timeoutMs, readReplays(redis), () => null).catch(() => null),
      ]);
      res.json({
        cleanup_jobs: runs.map((run) => ({
          name: run.name,
          owner: run.owner,
          every_s: run.everyMs / 1_000,
          last_started_at: run.lastStartedAt?.toISOString() ?? null,
          last_finished_at: run.lastFinishedAt?.toISOString() ?? null,
          last_duration_ms: run.lastDurationMs,
          last_count: run.lastCount,
          last_error: run.lastError,
        })),
        bulk_work: {
          changed_endpoints: work.changedEndpoints,
          deliveries_to_change: work.deliveriesToChange,
          deleted_accounts: work.deletedAccounts,
          captures_to_delete: work.capturesToDelete,
          deliveries_to_delete: work.deliveriesToDelete,
          replays,
        },
      });
    },
  };
}

function deploymentRoute({ form }: DeploymentDependencies): Route {
  return {
    method: 'GET',
    path: '/api/operator/deployment',
    auth: 'operator',
    id: 'getDeployment',
    tag: 'Operator',
    summary: 'Get the API profile and plans',
    description: 'The API profile and its plans, for the operator console.',
    responses: { 200: { description: 'The form and plans.', json: schemas.deployment } },
    async handle({ res }) {
      res.json({
        form: form.name,
        new_account_plan: form.newAccountPlan,
        plans: Object.entries(form.plans).map(([name, plan]) => ({
          name,
          monthly_limit: plan.monthlyLimit,
          per_second: plan.perSecond,
        })),
      });
    },
  };
}
