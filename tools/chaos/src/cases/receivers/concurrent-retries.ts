import { transaction } from '@capture/database/database';
import { retryDelivery } from '@capture/database/deliveries/retry-delivery';
import { sendSignal } from '@capture/queue/signals';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { countOpenDeliveries } from '../../harness/settle.ts';

/** The number of clients that request retries at once. */
const clients = 8;

export const concurrentRetries: ChaosCase = {
  name: 'concurrent-retries',
  promise:
    'Eight clients retry deliveries manually while their automatic retries come due: two attempts of one delivery are never in progress at once, and each manual retry causes at most one more attempt.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: [300, 300, 300, 300, 300] });
    const { database, receiver, redis } = platform;
    await platform.startDispatcher();
    await platform.startDispatcher();
    const accountId = await platform.newAccount();
    const webhookUrl = receiver.url({ kind: 500, times: 'all', delayMs: 50 });
    const count = context.scaled(200);
    await platform.produceMany({ accountId, webhookUrl }, count);
    const { rows } = await database.pool.query('SELECT id FROM delivery');
    const ids: string[] = rows.map((row) => row.id);
    const retry = async (id: string) => {
      const work = (connection: Parameters<typeof retryDelivery>[0]) =>
        retryDelivery(connection, { id, accountId }, new Date());
      const { outcome } = await transaction(database.pool, work);
      await sendSignal(redis, 'deliveriesDue');
      return outcome;
    };

    const outcomes = new Map<string, number>();
    const endAt = Date.now() + (context.hurried ? 1_000 : 30_000);
    const insist = async () => {
      while (Date.now() < endAt) {
        const outcome = await retry(context.random.pick(ids));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: clients }, insist));
    await waitUntil(async () => (await countOpenDeliveries(platform)) === 0, {
      what: 'all deliveries to have failed',
    });
    await receiver.heal();
    let requested = [...outcomes.values()].reduce((sum, times) => sum + times, 0);
    for (const id of ids) {
      await retry(id);
      requested += 1;
    }
    const ledger = await platform.finishDeliveries();
    const manual = await platform.count(`FROM delivery_attempt WHERE trigger = 'manual'`);
    context.expect(manual <= requested, `${requested} manual retries cause at most as many attempts (${manual})`);
    context.expect(ledger.hits.length === ledger.attempts, 'every request is an attempt in the log, and the reverse');
    const summary = [...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(', ');
    context.note(`${requested} retries requested (${summary}), ${manual} of ${ledger.attempts} attempts were manual`);
    return ledger;
  },
};
