import * as schemas from '@capture/contract/api/operator-responses';
import { readCleanupJobRuns } from '@capture/database/cleanup/cleanup-runs';
import type { Database } from '@capture/database/database';
import type { Route } from '../../http/route.ts';

/** The last run of each cleanup job, in any process. */
export function operatorCleanupJobsRoute({ database }: { database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/operator/cleanup-jobs',
    auth: 'operator',
    id: 'listCleanupJobs',
    tag: 'Operator',
    summary: 'List cleanup jobs and their last runs',
    description: 'Background jobs that remove and recover data, each in one process at a time.',
    responses: { 200: { description: 'The cleanup jobs.', json: schemas.cleanupJobList } },
    async handle({ res }) {
      const runs = await readCleanupJobRuns(database.pool);
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
      });
    },
  };
}
