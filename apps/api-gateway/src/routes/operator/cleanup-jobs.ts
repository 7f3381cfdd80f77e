import { readCleanupJobRuns } from '@capture/database/cleanup/cleanup-runs';
import type { Dependencies } from '../../dependencies.ts';
import type { Route } from '../../http/route.ts';

/** The last run of each cleanup job, whichever process made it. */
export function operatorCleanupJobsRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path: '/api/operator/cleanup-jobs',
    auth: 'operator',
    cost: 'none',
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
