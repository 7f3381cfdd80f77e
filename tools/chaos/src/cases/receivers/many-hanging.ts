import type { ChaosCase } from '../../case.ts';
import { balance, latencies } from '../../harness/check-deliveries.ts';
import { quantile } from '../../harness/machine.ts';
import { until } from '../../harness/platform.ts';
import { nothingProduced, produce, produceMany } from '../../harness/produce-events.ts';
import { settle } from '../../harness/settle.ts';
import { warmUp } from '../../harness/warm-up.ts';
import { deliveredTo } from './hanging-receiver.ts';

const accounts = 20;
const eventsOfHost = 2;
const tricklePerS = 10;

export const manyHanging: ChaosCase = {
  name: 'many-hanging',
  promise:
    'A thousand hosts of twenty accounts hang, beside one receiver that has answered before and gets ten events a second: it gets each of them before the first time-out of those that hang.',
  async run(context) {
    // In the long form a third of the published one, so that many of them come round again meanwhile.
    const timeoutMs = context.hurried ? 30_000 : 10_000;
    const platform = await context.open({ timeoutMs, retryDelaysMs: [20_000, 20_000, 20_000, 20_000, 20_000] });
    const { receiver } = platform;
    await platform.startDispatcher();
    const produced = nothingProduced();
    const steady = { accountId: await platform.newAccount(), webhookUrl: receiver.url() };
    await warmUp(platform, steady, produced);
    // Never less than would fill all places of a dispatcher.
    const ports = await receiver.listen(context.scaled(accounts * 50, 200));
    const ids = await Promise.all(Array.from({ length: accounts }, () => platform.newAccount()));
    for (const [index, port] of ports.entries()) {
      const webhookUrl = `https://127.0.0.1:${port}/hang/all/0`;
      await produceMany(platform, { accountId: ids[index % accounts]!, webhookUrl }, produced, eventsOfHost);
    }
    await until('many of them to hang', async () => (await receiver.count()).open >= 50);

    const trickle = nothingProduced();
    const count = context.scaled(300);
    await produce(platform, () => steady, trickle, {
      count,
      ratePerS: tricklePerS,
    });
    await until(
      'the trickle to be delivered',
      async () => (await deliveredTo(platform, steady.accountId)) === count + 1,
    );
    await receiver.heal();
    await settle(platform, context);

    for (const [id, at] of trickle.acknowledged) produced.acknowledged.set(id, at);
    const ledger = await balance(platform, { produced, duplicates: 0 });
    const times = latencies(ledger, trickle, ({ requestId }) => trickle.acknowledged.has(requestId ?? ''));
    context.note(
      `beside ${ports.length} hosts that hang: half within ${quantile(times, 0.5)} ms, 95 % within ${quantile(times, 0.95)} ms, all within ${quantile(times, 1)} ms`,
    );
    context.expect(quantile(times, 1) < timeoutMs, 'each event of the receiver that answers came before a time-out');
    return ledger;
  },
};
