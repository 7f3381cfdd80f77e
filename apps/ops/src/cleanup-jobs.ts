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
    .description('show when each cleanup job ran last, and what came of it')
    .action(async () => {
      const { cleanup_jobs: cleanupJobs } = await readOperatorApi<CleanupJobList>(platform(), '/cleanup-jobs');
      const print = printer();
      if (print.json) return print.rows(cleanupJobs, []);
      const rows = cleanupJobs.map((each) => ({
        name: each.name,
        owner: each.owner,
        every: duration(each.every_s * 1_000),
        ran: each.last_started_at ? `${duration(Date.now() - Date.parse(each.last_started_at))} ago` : 'never',
        took: each.last_duration_ms === null ? '' : `${each.last_duration_ms} ms`,
        count: each.last_count,
        error: each.last_error,
      }));
      print.rows(rows, ['name', 'owner', 'every', 'ran', 'took', 'count', 'error']);
    });
}
