import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '@capture/testing/processes/process-usage';
import type { ChaosCase } from '../../case.ts';
import { explainClaim } from '../../harness/explain-claim.ts';
import { onRedis } from '../../harness/servers.ts';
import { countOpenDeliveries } from '../../harness/settle.ts';

/** Generous limits, which only reveal growth with the backlog. The notes have the measurements. Megabytes. */
const dispatcherMbAtMost = 512;
const redisGrowthMbAtMost = 64;

const sampleEveryMs = 500;

/** The number of events for another receiver, recorded after the backlog. */
const neighborEvents = 10;

export const backlog: ChaosCase = {
  name: 'backlog',
  promise:
    'One receiver has 100,000 queued deliveries: they are delivered while the memory of dispatcher and Redis stays flat, each claim finds its rows by an index, and deliveries to other receivers do not wait behind them.',
  async run(context) {
    const platform = await context.open({ without: ['webhook-dispatcher'] });
    const { database, servers, receiver } = platform;
    const count = context.scaled(100_000);
    const destination = { accountId: await platform.newAccount(), webhookUrl: receiver.url({ delayMs: 2 }) };
    await platform.produceMany(destination, count);
    const [neighbor] = await receiver.listen(1);
    const behind = { accountId: await platform.newAccount(), webhookUrl: `https://127.0.0.1:${neighbor}/200/0/0` };
    await platform.produceMany(behind, neighborEvents);
    await database.pool.query('ANALYZE delivery, receiver');
    const plan = await explainClaim(platform);
    const lines = plan.join('\n');
    context.note(lines);
    context.expect(
      /Scan using delivery_\w*(receiver|next_attempt_at)_idx/.test(lines),
      'the claim finds deliveries by their index',
    );
    context.expect(!/Seq Scan on delivery(?!_default)/.test(lines), 'the claim does not read the whole table');

    const redisBefore = await redisMb(servers.redis.url);
    const dispatcher = await platform.startDispatcher();
    const startedAt = Date.now();
    const samples: number[] = [];
    const redisSamples: number[] = [];
    let over = false;
    const sampling = (async () => {
      while (!over) {
        samples.push(residentMb(dispatcher.process.pid) ?? 0);
        redisSamples.push(await redisMb(servers.redis.url));
        await sleep(sampleEveryMs);
      }
    })();
    try {
      await platform.settleDeliveries({ timeoutMs: 1_800_000 });
    } finally {
      over = true;
      await sampling;
    }
    const seconds = (Date.now() - startedAt) / 1_000;
    context.note(
      `${Math.round(count / seconds)} deliveries per second, ${await countOpenDeliveries(platform)} still open`,
    );
    const halfway = samples[Math.floor(samples.length / 2)] ?? 0;
    context.note(`dispatcher: ${samples[0]} MB at first, ${halfway} MB halfway, ${Math.max(...samples)} MB at most`);
    const growth = Math.max(...redisSamples) - redisBefore;
    context.note(`Redis: ${redisBefore.toFixed(1)} MB before, ${growth.toFixed(1)} MB more at most`);
    context.expect(Math.max(...samples) < dispatcherMbAtMost, `the dispatcher stays under ${dispatcherMbAtMost} MB`);
    context.expect(growth < redisGrowthMbAtMost, `Redis grows by less than ${redisGrowthMbAtMost} MB`);
    const ledger = await platform.checkDeliveries();
    const last = ledger.hits.findLastIndex(({ port }) => port === neighbor);
    context.note(
      `the other receiver had its ${neighborEvents} events when ${last + 1 - neighborEvents} of the backlog were delivered`,
    );
    context.expect(last < count / 2, 'deliveries to another receiver do not wait behind the backlog');
    return ledger;
  },
};

async function redisMb(url: string): Promise<number> {
  const memory = await onRedis(url, (redis) => redis.info('memory'));
  return Number(/^used_memory:(\d+)/m.exec(memory)?.[1]) / 1024 ** 2;
}
