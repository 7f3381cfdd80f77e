import { quantile } from '@capture/testing/statistics';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { checkDeliveries, latencies } from '../../harness/check-deliveries.ts';
import type { Platform } from '../../harness/platform.ts';
import { nothingProduced, produceMany, warmUp } from '../../harness/produce-events.ts';
import { settleDeliveries } from '../../harness/settle.ts';

export const hangingReceiver: ChaosCase = {
  name: 'hanging-receiver',
  promise:
    'A receiver with 1,000 queued events hangs, and 100 events arrive for another one: all of those are delivered before the first timeout of the hanging one.',
  async run(context) {
    const platform = await context.open();
    const { receiver } = platform;
    await platform.startDispatcher();
    const [port] = await receiver.listen(1);
    const other = { accountId: await platform.newAccount(), webhookUrl: `https://127.0.0.1:${port}/200/0/0` };
    const hanging = {
      accountId: await platform.newAccount(),
      webhookUrl: receiver.url({ kind: 'hang', times: 'all' }),
    };
    const produced = nothingProduced();
    // It has been prompt before, so it holds all slots that one receiver can have.
    await warmUp(platform, { ...hanging, webhookUrl: receiver.url() }, produced);
    // Never fewer than all slots of a dispatcher: otherwise this would prove nothing.
    const waiting = context.scaled(1_000, 400);
    await produceMany(platform, hanging, produced, waiting);
    await waitUntil(async () => (await receiver.count()).open >= 32, { what: 'it to hang' });
    const count = context.scaled(100);
    await produceMany(platform, other, produced, count);
    await waitUntil(
      async () => {
        return (await deliveredTo(platform, other.accountId)) === count || (await countTimeouts(platform)) > 0;
      },
      { what: 'the other one to get all its events, or the first timeout' },
    );
    const timeouts = await countTimeouts(platform);
    context.expect(timeouts === 0, 'all events of the other receiver are delivered before the first timeout');
    await receiver.heal();
    await settleDeliveries(platform, context);

    const ledger = await checkDeliveries(platform, { produced, duplicates: 0 });
    const times = latencies(ledger, produced, (hit) => hit.port === port);
    context.note(`the other's ${count} events: p50 ${quantile(times, 0.5)} ms, maximum ${quantile(times, 1)} ms`);
    return ledger;
  },
};

export async function deliveredTo({ database }: Platform, accountId: string): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS delivered FROM delivery WHERE account_id = $1 AND status = 'delivered'`,
    [accountId],
  );
  return rows[0].delivered;
}

async function countTimeouts({ database }: Platform): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS timeouts FROM delivery_attempt WHERE error = 'timeout'`,
  );
  return rows[0].timeouts;
}
