import { quantile } from '@capture/testing/statistics';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { latencies } from '../../harness/check-deliveries.ts';
import { nothingProduced, produce } from '../../harness/produce-events.ts';
import { deliveredTo } from './hanging-receiver.ts';

const accounts = 20;
const eventsOfHost = 2;
const tricklePerS = 10;

export const manyHanging: ChaosCase = {
  name: 'many-hanging',
  promise:
    'A thousand hosts of twenty accounts hang, beside one prompt receiver with ten events a second: it gets each event before the first timeout of the hanging hosts.',
  async run(context) {
    // The full run takes a third of the published timeout, so that many hosts are retried meanwhile.
    const timeoutMs = context.hurried ? 30_000 : 10_000;
    const platform = await context.open({ timeoutMs, retryDelaysMs: [20_000, 20_000, 20_000, 20_000, 20_000] });
    const { receiver } = platform;
    await platform.startDispatcher();
    const steady = { accountId: await platform.newAccount(), webhookUrl: receiver.url() };
    await platform.warmUp(steady);
    // So many hosts fill all slots of a dispatcher.
    const ports = await receiver.listen(context.scaled(accounts * 50, 200));
    const ids = await platform.newAccounts(accounts);
    for (const [index, port] of ports.entries()) {
      const webhookUrl = `https://127.0.0.1:${port}/hang/all/0`;
      await platform.produceMany({ accountId: ids[index % accounts]!, webhookUrl }, eventsOfHost);
    }
    await waitUntil(async () => (await receiver.count()).open >= 50, { what: 'many of them to hang' });

    const trickle = nothingProduced();
    const count = context.scaled(300);
    await produce(platform, () => steady, trickle, {
      count,
      ratePerS: tricklePerS,
    });
    await waitUntil(async () => (await deliveredTo(platform, steady.accountId)) === count + 1, {
      what: 'the trickle to be delivered',
    });
    await receiver.heal();
    await platform.settleDeliveries();

    for (const [id, at] of trickle.acknowledged) platform.produced.acknowledged.set(id, at);
    const ledger = await platform.checkDeliveries();
    const times = latencies(ledger, trickle, ({ requestId }) => trickle.acknowledged.has(requestId ?? ''));
    context.note(
      `beside ${ports.length} hanging hosts: p50 ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms, maximum ${quantile(times, 1)} ms`,
    );
    context.expect(quantile(times, 1) < timeoutMs, 'each event of the prompt receiver arrives before a timeout');
    return ledger;
  },
};
