import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosCase } from '../../case.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';

const accounts = 10;

/** Response time of the receiver, milliseconds, so that kills hit attempts in progress. */
const responseMs = 20;

export const dispatcherKills: ChaosCase = {
  name: 'dispatcher-kills',
  promise:
    'One of two dispatchers, chosen at random, is killed with -9 every 2 s while 10,000 events arrive: every event is delivered, and only attempts that were in progress in a killed dispatcher are repeated, with the same id.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    const { receiver } = platform;
    await platform.startDispatcher();
    await platform.startDispatcher();
    const ids = await platform.newAccounts(accounts);
    const webhookUrl = receiver.url({ delayMs: responseMs });
    const producing = platform
      .produce((index) => ({ accountId: ids[index % accounts]!, webhookUrl }), {
        count: context.scaled(10_000),
        ratePerS: 250,
      })
      .then(() => true);

    const everyMs = context.hurried ? 1_000 : 2_000;
    for (let over = false; !over; ) {
      over = await Promise.race([producing, sleep(everyMs, false)]);
      const victim = context.random.pick(platform.dispatchers);
      await platform.killDispatcher(victim);
      await platform.startDispatcher();
    }
    const lastKillAt = Date.now();
    await platform.settleDeliveries();
    context.note(`all delivered ${Math.round((Date.now() - lastKillAt) / 1_000)} s after the last kill`);
    context.note(`${platform.lostAttempts} attempts were in progress in killed dispatchers`);
    return platform.checkDeliveries({ duplicates: platform.lostAttempts });
  },
};
