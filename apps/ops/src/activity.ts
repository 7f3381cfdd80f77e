import type { activity } from '@capture/contract/api/operator-responses';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { parseCount } from './moment.ts';
import { readOperatorApi } from './operator-api.ts';

type Activity = z.output<typeof activity>;

export function addActivityCommand(program: Command, { platform, printer }: Surroundings): void {
  withExamples(program.command('activity'), ['activity', 'activity --minutes 180', '--json activity --minutes 5'])
    .description('show captures and deliveries per minute, the busiest accounts and failing receivers')
    .option('--minutes <count>', 'how many minutes back; a day is 1440', parseCount, 60)
    .action(async (options: { minutes: number }) => {
      const found = await readOperatorApi<Activity>(platform(), `/activity?minutes=${options.minutes}`);
      const print = printer();
      if (print.json) return print.fact('', found);
      print.fact(print.paint('bold', 'Minutes with activity'), {});
      const times = ['p50_ms', 'p95_ms', 'waited_p95_ms'] as const;
      const deliveries = ['deliveries_succeeded', 'deliveries_failed'] as const;
      const active = found.minutes.filter(hasActivity);
      print.rows(active, ['at', 'completed', 'failed', 'cancelled', ...times, ...deliveries]);
      print.fact(print.paint('bold', 'Busiest accounts'), {});
      print.rows(found.accounts, ['email', 'plan', 'open', 'ended', 'used_today', 'id']);
      print.fact(print.paint('bold', 'Failing receivers'), {});
      print.rows(found.receivers, ['host', 'accounts', 'pending', 'oldest_due_at', 'last_error']);
    });
}

function hasActivity(minute: Activity['minutes'][number]): boolean {
  const { completed, failed, cancelled, deliveries_succeeded: succeeded, deliveries_failed: failedDeliveries } = minute;
  return completed + failed + cancelled + (succeeded ?? 0) + (failedDeliveries ?? 0) > 0;
}
