import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@capture/testing/process-list';
import type { ChaosCase } from '../../case.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { restartRedis } from '../../harness/injected-faults.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';
import { nothingProduced, produce } from '../../harness/produce-events.ts';
import { settleDeliveries } from '../../harness/settle.ts';

const ratePerS = 100;

/** Before and after the outage, milliseconds. */
const aroundMs = 5_000;

/** The shortest useful outage: queue workers were seen to hang after more than six seconds. */
const shortestMs = 7_000;

export const redisUnavailable: ChaosCase = {
  name: 'redis-unavailable',
  promise:
    'Redis is killed and unavailable for 15 s while events arrive: nothing is lost, and delivery resumes by itself afterwards, without a restart.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    const { receiver } = platform;
    const started = [await platform.startDispatcher(), await platform.startDispatcher()];
    const accountId = await platform.newAccount();
    const outageMs = context.scaled(15_000, shortestMs);
    const beforeMs = context.scaled(aroundMs, 1_000);
    const produced = nothingProduced();
    const producing = produce(platform, () => ({ accountId, webhookUrl: receiver.url({ delayMs: 20 }) }), produced, {
      count: Math.round(((outageMs + 2 * beforeMs) / 1_000) * ratePerS),
      ratePerS,
    });
    await sleep(beforeMs);
    await restartRedis(platform, () => sleep(outageMs));
    const backAt = Date.now();
    const waiting = produced.acknowledged.size - (await receiver.count()).delivered;
    await producing;
    await settleDeliveries(platform, context);

    const ledger = await checkDeliveries(platform, { produced, duplicates: 0 });
    const first = Math.min(...ledger.hits.filter(({ at }) => at > backAt).map(({ at }) => at));
    context.note(`unavailable for ${outageMs / 1_000} s; ${waiting} events were waiting afterwards`);
    context.note(`the first of them was delivered ${first - backAt} ms later`);
    const running = platform.dispatchers.map(({ process }) => process.pid);
    context.expect(
      started.every(({ process }) => running.includes(process.pid) && isAlive(process.pid)),
      'no dispatcher was restarted',
    );
    return ledger;
  },
};
