import type { Database } from '@capture/database/database';
import { openDatabase } from '@capture/database/open-database';
import { processTree } from '@capture/testing/processes/process-list';
import { proportionalMb } from '@capture/testing/processes/process-usage';
import type { Platform } from '../platform/platform.ts';
import type { Section } from '../section.ts';
import { drawing } from './memory.ts';

const concurrency = 4;
const perStep = 1_000;

/** The cost of a capture, averaged over a thousand. */
interface Cost {
  ms: number;
  /** Transactions in the database. A statement outside of a transaction counts as one. */
  transactions: number;
  /** Rows that the database read. A growing scan shows here first. */
  rows: number;
  /** The memory after the thousand captures: of the worker with its browser, and of the gateway. */
  workerMb: number;
  gatewayMb: number;
}

export const flatness: Section = {
  name: 'flatness',
  measures:
    '10,000 captures of `tiny`, and whether the last thousand cost what the first did: time, memory, work of the database',
  long: true,
  figures: ['flatness'],
  async run(bench) {
    const platform = await bench.platform();
    const database = openDatabase({ url: platform.databaseUrl, connections: 1, onIdleError: () => {} });
    const tasks = Array.from({ length: perStep }, () => ({ url: bench.corpus.url('tiny') }));
    const costs: Cost[] = [];
    try {
      await platform.service.takeAll(tasks.slice(0, 50), concurrency);
      for (let step = 1; step <= bench.amount(10, 3); step += 1) {
        bench.checkpoint();
        const before = await databaseWork(database);
        const { ms } = await platform.service.takeAll(tasks, concurrency);
        const after = await databaseWork(database);
        costs.push({
          ms: ms / perStep,
          transactions: (after.transactions - before.transactions) / perStep,
          rows: (after.rows - before.rows) / perStep,
          workerMb: measureMemory(platform, drawing),
          gatewayMb: measureMemory(platform, ['api-gateway']),
        });
        bench.progress(`flatness: ${step},000 captures, the last thousand at ${(ms / perStep).toFixed(0)} ms each`);
      }
    } finally {
      await database.close();
    }
    const [first, last] = [costs[0], costs.at(-1)];
    const growth = (name: keyof Cost) => (first && last ? (last[name] / first[name] - 1) * 100 : Number.NaN);
    const names = ['ms', 'transactions', 'rows', 'workerMb', 'gatewayMb'] as const;
    return {
      figures: { flatness: Math.max(...names.map(growth)) },
      tables: [
        {
          title: 'What a capture costs, thousand by thousand',
          head: ['thousand', 'ms', 'transactions', 'rows read', 'worker and browser, MB', 'gateway, MB'],
          rows: [
            ...costs.map((cost, index) => [index + 1, ...names.map((name) => cost[name].toFixed(1))]),
            ['last against first', ...names.map((name) => `${growth(name).toFixed(1)} %`)],
          ],
        },
      ],
    };
  },
};

function measureMemory(platform: Platform, services: readonly string[]): number {
  return proportionalMb(platform.pidsOf(services).flatMap(processTree));
}

async function databaseWork({ pool }: Database): Promise<{ transactions: number; rows: number }> {
  const { rows } = await pool.query(
    `SELECT (xact_commit + xact_rollback)::float8 AS transactions, (tup_returned + tup_fetched)::float8 AS rows
       FROM pg_stat_database WHERE datname = current_database()`,
  );
  return rows[0];
}
