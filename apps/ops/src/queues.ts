import type { Command } from 'commander';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { readOperatorApi } from './operator-api.ts';

/** What of one kind of work is to be done, as the operator API tells it. */
export interface Queue {
  name: string;
  waiting: number;
  active: number;
  delayed: number;
  oldest_waiting_s: number | null;
  workers: number;
}

export function addQueueCommand(program: Command, { platform, printer }: Surroundings): void {
  withExamples(program.command('queues'), ['queues', '--json queues'])
    .description('show what there is to do, and how many processes are at it')
    .action(async () => {
      const { queues } = await readOperatorApi<{ queues: Queue[] }>(platform(), '/queues');
      printer().rows(queues, ['name', 'waiting', 'active', 'delayed', 'oldest_waiting_s', 'workers']);
    });
}
