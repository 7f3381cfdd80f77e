import type { sweeperList } from '@capture/contract/api/operator-responses';
import type { Command } from 'commander';
import type { z } from 'zod';
import { duration } from './duration.ts';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { readOperatorApi } from './operator-api.ts';

export type SweeperList = z.output<typeof sweeperList>;

export function addSweepersCommand(program: Command, { platform, printer }: Surroundings): void {
  withExamples(program.command('sweepers'), ['sweepers', '--json sweepers'])
    .description('show when each sweeper ran last, and what came of it')
    .action(async () => {
      const { sweepers } = await readOperatorApi<SweeperList>(platform(), '/sweepers');
      const print = printer();
      if (print.json) return print.rows(sweepers, []);
      const rows = sweepers.map((each) => ({
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
