import { setTimeout as sleep } from 'node:timers/promises';
import type { CaseContext, ChaosCase } from '../../case.ts';
import { restartPostgres, slotsOfTwoDispatchers } from '../../harness/injected-faults.ts';
import { shortTimes } from '../../harness/platform.ts';

/** Short runs have one kill less, because each takes time. */
const killsOf = ({ hurried }: CaseContext) => (hurried ? 2 : 3);
const accounts = 4;

export const postgresRestarts: ChaosCase = {
  name: 'postgres-restarts',
  promise:
    'Postgres is killed with -9 three times under load and recovers: every event whose commit was acknowledged is delivered, and no other one.',
  async run(context) {
    const platform = await context.open(context.hurried ? shortTimes : { ...shortTimes, timeoutMs: 5_000 });
    const { receiver } = platform;
    await platform.startDispatcher();
    await platform.startDispatcher();
    const ids = await platform.newAccounts(accounts);
    const webhookUrl = receiver.url({ delayMs: 20 });
    const kills = killsOf(context);
    let over = false;
    const producing = platform.produce((index) => ({ accountId: ids[index % accounts]!, webhookUrl }), {
      count: Number.MAX_SAFE_INTEGER,
      ratePerS: context.isShort ? 50 : 150,
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
    await platform.settleDeliveries({ unrecorded: true });
    const ledger = await platform.checkDeliveries({ duplicates: kills * slotsOfTwoDispatchers });
    context.note(`${platform.produced.uncertain.size} events were not acknowledged`);
    return ledger;
  },
};
