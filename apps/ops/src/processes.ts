import type { processList } from '@capture/contract/api/operator-responses';
import type { Command } from 'commander';
import type { z } from 'zod';
import { duration } from './duration.ts';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { readOperatorApi } from './operator-api.ts';

export type ProcessList = z.output<typeof processList>;
export type ProcessReport = ProcessList['processes'][number];

export function addProcessesCommand(program: Command, { platform, printer }: Surroundings): void {
  withExamples(program.command('processes').alias('workers'), ['processes', '--json processes'])
    .description('show running processes: gateways, workers with their browsers, dispatchers')
    .action(async () => {
      const { redis, processes } = await readOperatorApi<ProcessList>(platform(), '/processes');
      const print = printer();
      if (print.json) return print.rows(processes, []);
      if (redis === 'unavailable') return print.fact('Redis is unavailable: processes cannot be listed', {});
      const columns = ['kind', 'host', 'pid', 'version', 'node', 'up', 'memory', 'busy', 'browser'] as const;
      print.rows(processes.map(toRow), columns);
    });
}

function toRow(report: ProcessReport) {
  return {
    ...report,
    up: duration(Date.parse(report.seen_at) - Date.parse(report.started_at)),
    memory: megabytes(report.memory_bytes),
    busy: describeLoad(report),
    browser: report.kind === 'capture-worker' ? describeBrowser(report.detail.browser) : '',
  };
}

function describeLoad(report: ProcessReport): string {
  if (report.kind === 'capture-worker') return `${report.detail.running} of ${report.detail.concurrency}`;
  return report.kind === 'webhook-dispatcher' ? `${report.detail.in_flight} of ${report.detail.slots}` : '';
}

type BrowserReport = Extract<ProcessReport, { kind: 'capture-worker' }>['detail']['browser'];

function describeBrowser({ version, state, restarts, memory_bytes }: BrowserReport): string {
  const memory = memory_bytes === null ? '' : `, ${megabytes(memory_bytes)}`;
  return `${version ?? 'none'}, ${state}${memory}${restarts > 0 ? `, ${restarts} restarts` : ''}`;
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
