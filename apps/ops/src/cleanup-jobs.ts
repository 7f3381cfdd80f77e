import type { cleanupJobList } from '@capture/contract/api/operator-responses';
import type { Command } from 'commander';
import type { z } from 'zod';
import { duration } from './duration.ts';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { readOperatorApi } from './operator-api.ts';

export type CleanupJobList = z.output<typeof cleanupJobList>;

export function addCleanupJobsCommand(program: Command, { platform, printer }: Surroundings): void {
  withExamples(program.command('cleanup-jobs'), ['cleanup-jobs', '--json cleanup-jobs'])
    .description('show the last run of each cleanup job')
    .action(async () => {
      const { cleanup_jobs: cleanupJobs } = await readOperatorApi<CleanupJobList>(platform(), '/cleanup-jobs');
      const print = printer();
      if (print.json) return print.rows(cleanupJobs, []);
      const rows = cleanupJobs.map((job) => ({
        name: job.name,
        owner: job.owner,
        every: duration(job.every_s * 1_000),
        ran: job.last_started_at ? `${duration(Date.now() - Date.parse(job.last_started_at))} ago` : 'never',
        took: job.last_duration_ms === null ? '' : `${job.last_duration_ms} ms`,
        count: job.last_count,
        error: job.last_error,
      }));
      print.rows(rows, ['name', 'owner', 'every', 'ran', 'took', 'count', 'error']);
    });
}
