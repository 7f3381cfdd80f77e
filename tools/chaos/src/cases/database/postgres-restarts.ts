import { setTimeout as sleep } from 'node:timers/promises';
import type { CaseContext, ChaosCase } from '../../case.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { restartPostgres, slotsOfTwoDispatchers } from '../../harness/injected-faults.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';
import { nothingProduced, produce } from '../../harness/produce-events.ts';
import { settleDeliveries } from '../../harness/settle.ts';

/** One fewer in short runs: each takes time. */
const killsOf = ({ hurried }: CaseContext) => (hurried ? 2 : 3);
const accounts = 4;

export const postgresRestarts: ChaosCase = {
  name: 'postgres-restarts',
  promise:
    'Postgres is killed with -9 three times under load and recovers: every event whose commit was acknowledged is delivered, and no other one.',
  async run(context) {
    const platform = await context.open({
      retryDelaysMs: shortRetryDelaysMs,
      timeoutMs: context.hurried ? 3_000 : 5_000,
    });
    const { receiver } = platform;
    await platform.startDispatcher();
    await platform.startDispatcher();
    const ids = await Promise.all(Array.from({ length: accounts }, () => platform.newAccount()));
    const webhookUrl = receiver.url({ delayMs: 20 });
    const produced = nothingProduced();
    const kills = killsOf(context);
    let over = false;
    const producing = produce(platform, (index) => ({ accountId: ids[index % accounts]!, webhookUrl }), produced, {
      count: Number.MAX_SAFE_INTEGER,
      ratePerS: 150,
      stopped: () => over,
    });
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(context.scaled(10_000, 1_500));
      await restartPostgres(platform);
      platform.lostAttempts += slotsOfTwoDispatchers;
    }
    await sleep(context.scaled(10_000, 1_500));
    over = true;
    await producing;
    await settleDeliveries(platform, { ...context, unrecorded: true });
    const ledger = await checkDeliveries(platform, { produced, duplicates: kills * slotsOfTwoDispatchers });
    context.note(`${produced.uncertain.size} commits broke off without an acknowledgment`);
    return ledger;
  },
};
