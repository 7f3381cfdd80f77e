import { readSweeperRuns } from '@capture/database/cleanup/cleanup-runs';
import type { Dependencies } from '../../dependencies.ts';
import type { Route } from '../../http/route.ts';

/** The last run of each sweeper, whichever process made it. */
export function operatorSweepersRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path: '/api/operator/sweepers',
    auth: 'operator',
    cost: 'none',
    async handle({ res }) {
      const runs = await readSweeperRuns(database.pool);
      res.json({
        sweepers: runs.map((run) => ({
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
