import type { Command } from 'commander';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { readOperatorApi } from './operator-api.ts';

/** A queue in the response of the operator API. */
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
    .description('show how much work is queued, and how many processes take it')
    .action(async () => {
      const { queues } = await readOperatorApi<{ queues: Queue[] }>(platform(), '/queues');
      printer().rows(queues, ['name', 'waiting', 'active', 'delayed', 'oldest_waiting_s', 'workers']);
    });
}
