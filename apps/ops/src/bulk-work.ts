import { countedAtMost } from '@capture/contract/counted-at-most';
import type { Command } from 'commander';
import type { CleanupJobList } from './cleanup-jobs.ts';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { readOperatorApi } from './operator-api.ts';
import { shown } from './print.ts';
import type { EncryptedCount } from './secrets.ts';

const labelWidth = 28;

export function addBulkWorkCommand(program: Command, { platform, printer }: Surroundings): void {
  withExamples(program.command('bulk-work'), ['bulk-work', '--json bulk-work'])
    .description(
      'show the work on many rows that is in progress: changed endpoints, deleted accounts, replays, re-encryption',
    )
    .action(async () => {
      const { bulk_work: work } = await readOperatorApi<CleanupJobList>(platform(), '/cleanup-jobs');
      const { previous } = await readOperatorApi<EncryptedCount>(platform(), '/secrets');
      const print = printer();
      if (print.json) return print.fact('', { ...work, secrets_to_reencrypt: previous });
      const counts = {
        'changed endpoints': work.changed_endpoints,
        'deliveries left to change': work.deliveries_to_change,
        'accounts being deleted': work.deleted_accounts,
        'captures left to delete': work.captures_to_delete,
        'deliveries left to delete': work.deliveries_to_delete,
        'secrets left to re-encrypt': previous,
        'replays running': work.replays?.length ?? 'unknown: Redis is unavailable',
      };
      for (const [label, count] of Object.entries(counts)) {
        const more = label !== 'secrets left to re-encrypt' && count === countedAtMost ? ' or more' : '';
        print.fact(`${print.paint('bold', label.padEnd(labelWidth))} ${shown(count)}${more}`, {});
      }
      const columns = ['account_id', 'webhook_id', 'since', 'until', 'started_at', 'replayed', 'reached_at'] as const;
      if (work.replays && work.replays.length > 0) print.rows(work.replays, columns);
    });
}
