import { setTimeout as sleep } from 'node:timers/promises';
import type { CaseContext, ChaosCase } from '../../case.ts';
import { restartRedis } from '../../harness/injected-faults.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';

/** Each event takes 8 ms of processor time. */
const rateOf = ({ isShort }: CaseContext) => (isShort ? 30 : 100);

/** The time before and after the outage, milliseconds. */
const aroundMs = 5_000;

/** The shortest useful outage. Queue workers were seen to hang after more than six seconds. */
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
    const ratePerS = rateOf(context);
    const outageMs = context.scaled(15_000, shortestMs);
    const beforeMs = context.scaled(aroundMs, 1_000);
    const producing = platform.produce(() => ({ accountId, webhookUrl: receiver.url({ delayMs: 20 }) }), {
      count: Math.round(((outageMs + 2 * beforeMs) / 1_000) * ratePerS),
      ratePerS,
    });
    await sleep(beforeMs);
    await restartRedis(platform, () => sleep(outageMs));
    const backAt = Date.now();
    const waiting = platform.produced.acknowledged.size - (await receiver.count()).delivered;
    await producing;
    const ledger = await platform.finishDeliveries();
    const first = Math.min(...ledger.hits.filter(({ at }) => at > backAt).map(({ at }) => at));
    context.note(`unavailable for ${outageMs / 1_000} s; ${waiting} events were waiting afterwards`);
    context.note(`the first of them was delivered ${first - backAt} ms later`);
    context.expectRunning(started, 'no dispatcher was restarted');
    return ledger;
  },
};
