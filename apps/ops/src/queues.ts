import type { Command } from 'commander';
import type { Platform } from './find-platform.ts';
import { callOperatorApi } from './operator-api.ts';
import type { Printer } from './print.ts';

interface Queue {
  name: string;
  waiting: number;
  active: number;
  delayed: number;
  oldest_waiting_s: number | null;
  workers: number;
}

/** Adds `queues`. @param platform found when the command runs, so that `--help` needs no platform. */
export function addQueueCommand(program: Command, platform: () => Platform, printer: () => Printer): void {
  program
    .command('queues')
    .description('show what there is to do, and how many processes are at it')
    .addHelpText('after', '\nExamples:\n  npm run ops -- queues\n  npm run ops -- --json queues')
    .action(async () => {
      const { queues } = await callOperatorApi<{ queues: Queue[] }>(platform(), 'GET', '/queues');
      printer().rows(queues, ['name', 'waiting', 'active', 'delayed', 'oldest_waiting_s', 'workers']);
    });
}
