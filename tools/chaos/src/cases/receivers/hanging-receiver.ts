import { quantile } from '@capture/testing/statistics';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { latencies } from '../../harness/check-deliveries.ts';
import type { TestedPlatform } from '../../harness/tested-platform.ts';

export const hangingReceiver: ChaosCase = {
  name: 'hanging-receiver',
  promise:
    'A receiver with 1,000 queued events hangs, and 100 events arrive for another one: all of those are delivered before the first timeout of the hanging one.',
  async run(context) {
    const platform = await context.open();
    const { receiver } = platform;
    const countTimeouts = () => platform.count(`FROM delivery_attempt WHERE error = 'timeout'`);
    await platform.startDispatcher();
    const [port] = await receiver.listen(1);
    const other = { accountId: await platform.newAccount(), webhookUrl: `https://127.0.0.1:${port}/200/0/0` };
    const hanging = {
      accountId: await platform.newAccount(),
      webhookUrl: receiver.url({ kind: 'hang', times: 'all' }),
    };
    // The receiver has been prompt before, so it holds all slots that one receiver can have.
    await platform.warmUp({ ...hanging, webhookUrl: receiver.url() });
    // The test would prove nothing with fewer deliveries than a dispatcher has slots.
    const waiting = context.scaled(1_000, 400);
    await platform.produceMany(hanging, waiting);
    await waitUntil(async () => (await receiver.count()).open >= 32, { what: 'the receiver to hang' });
    const count = context.scaled(100);
    await platform.produceMany(other, count);
    await waitUntil(
      async () => (await deliveredTo(platform, other.accountId)) === count || (await countTimeouts()) > 0,
      { what: 'the other receiver to get all its events, or the first timeout' },
    );
    const timeouts = await countTimeouts();
    context.expect(timeouts === 0, 'all events of the other receiver are delivered before the first timeout');
    await receiver.heal();
    const ledger = await platform.finishDeliveries();
    const times = latencies(ledger, platform.produced, (hit) => hit.port === port);
    context.note(`the other's ${count} events: p50 ${quantile(times, 0.5)} ms, maximum ${quantile(times, 1)} ms`);
    return ledger;
  },
};

export const deliveredTo = (platform: TestedPlatform, accountId: string): Promise<number> =>
  platform.count(`FROM delivery WHERE account_id = $1 AND status = 'delivered'`, [accountId]);
