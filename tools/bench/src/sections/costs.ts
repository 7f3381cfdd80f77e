import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@capture/database/database';
import { openDatabase } from '@capture/database/open-database';
import { connectRedis } from '@capture/queue/connect-redis';
import { processTree } from '@capture/testing/processes/process-list';
import { machineMs, processorMs, proportionalMb } from '@capture/testing/processes/process-usage';
import { sum } from '@capture/testing/statistics';
import type { Redis } from 'ioredis';
import { mixedTasks } from '../corpus/corpus.ts';
import { sitePages } from '../corpus/site.ts';
import { viewport } from '../peers/contender.ts';
import type { Platform } from '../platform/platform.ts';
import type { Bench, Section } from '../section.ts';
import { type ServerWork, serverWork, workCells, workHead, workOfEach } from '../server-work.ts';
import { runBatch } from './run-batch.ts';

/** Pages at a time: as many as our worker takes by default on two cores. */
const concurrency = 4;

/** Long-lived processes. The remaining processor time is that of the worker, whose browser processes come and go. */
const staying = ['api-gateway', 'webhook-dispatcher', 'postgres', 'redis'] as const;
const parts = [...staying, 'capture-worker'] as const;
type Part = (typeof parts)[number];

/** The cost of one item. */
interface Cost extends ServerWork {
  of: string;
  processor: Record<Part, number>;
}

/** Time for the work after a capture: preparing pages, reporting counters. */
const afterMs = 2_000;

export const costs: Section = {
  name: 'costs',
  measures:
    'the cost of a single capture, a batch item with a new renderer, and a batch item in a warm page: processor time by process, writes of Postgres, commands of Redis; and the memory of each process',
  figures: [],
  async run(bench) {
    const platform = await bench.platform();
    const database = openDatabase({ url: platform.databaseUrl, connections: 1, onIdleError: () => {} });
    const redis = connectRedis({ url: platform.redisUrl });
    try {
      const singles = bench.amount(200, 20);
      const tasks = mixedTasks(bench.corpus, singles);
      const items = bench.amount(sitePages, 20);
      const urls = Array.from({ length: items }, (_, index) => bench.corpus.url(`site/page-${index}`));
      const options = { ...viewport };
      // This warms up the platform, with the caches of all statements.
      await platform.service.takeAll(tasks.slice(0, 10), concurrency);
      const servers = { database, redis };
      const idle = await idleWork(servers, platform, bench);
      const found = [
        await measure(bench, platform, servers, idle, {
          of: 'a capture (the mix)',
          count: singles,
          make: () => platform.service.takeAll(tasks, concurrency),
        }),
        await measure(bench, platform, servers, idle, {
          of: 'an item of a batch (the site), with a new renderer',
          count: items,
          make: () => runBatch(bench, platform.service, { urls, options: { ...options, isolation: 'strict' } }),
        }),
        await measure(bench, platform, servers, idle, {
          of: 'an item of a batch in a warm page',
          count: items,
          make: () => runBatch(bench, platform.service, { urls, options }),
        }),
      ];
      return {
        figures: {},
        tables: [
          {
            title: `Processor time of one capture, milliseconds, of ${concurrency} at a time`,
            head: ['', ...parts, 'all'],
            rows: found.map(({ of, processor }) => [
              of,
              ...parts.map((part) => processor[part].toFixed(1)),
              parts.reduce((all, part) => all + processor[part], 0).toFixed(0),
            ]),
          },
          {
            title: 'Work of the servers for one',
            head: ['', ...workHead],
            rows: found.map((cost) => [cost.of, ...workCells(cost)]),
          },
          {
            title: 'Memory of each process after that, MB (PSS); the worker with its browser and pages made ahead',
            head: [...parts],
            rows: [parts.map((part) => Math.round(proportionalMb(platform.pidsOf([part]).flatMap(processTree))))],
          },
        ],
      };
    } finally {
      redis.disconnect();
      await database.close();
    }
  },
};

interface Servers {
  database: Database;
  redis: Redis;
}

/** Measures the work per second without requests: heartbeats and cleanup jobs. */
async function idleWork(servers: Servers, platform: Platform, bench: Bench): Promise<ServerWork> {
  const seconds = bench.amount(20, 5);
  await sleep(afterMs);
  const before = await serverWork(servers.database.pool, servers.redis);
  await sleep(seconds * 1_000);
  const after = await serverWork(servers.database.pool, servers.redis);
  bench.progress(`costs: the idle work of ${platform.url} is known`);
  return workOfEach(before, after, seconds);
}

async function measure(
  bench: Bench,
  platform: Platform,
  { database, redis }: Servers,
  idleSecond: ServerWork,
  { of, count, make }: { of: string; count: number; make(): Promise<unknown> },
): Promise<Cost> {
  bench.checkpoint();
  await sleep(afterMs);
  const usedBy = (part: Part) => processorMs(platform.pidsOf([part]).flatMap(processTree));
  const used = () => [...staying.map(usedBy), machineMs([process.pid, bench.corpus.pid])];
  const startedAt = performance.now();
  const usedBefore = used();
  const before = await serverWork(database.pool, redis);
  await make();
  await sleep(afterMs);
  const after = await serverWork(database.pool, redis);
  const each = used().map((ms, i) => (ms - (usedBefore[i] ?? 0)) / count);
  const all = each.pop() ?? 0;
  const processor = Object.fromEntries(parts.map((part, i) => [part, each[i] ?? all - sum(each)]));
  const seconds = (performance.now() - startedAt) / 1_000;
  const work = workOfEach(before, after, count);
  // This subtracts the work that happens without requests.
  for (const name of Object.keys(work) as (keyof ServerWork)[]) {
    work[name] = Math.max(0, work[name] - (idleSecond[name] * seconds) / count);
  }
  bench.progress(`costs: ${of} is measured`);
  return { of, processor: processor as Record<Part, number>, ...work };
}
