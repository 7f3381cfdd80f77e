import { waitUntil } from '@capture/testing/wait-until';
import type { CaseContext, ChaosCase } from '../../case.ts';
import { checkDeliveries, type Ledger } from '../../harness/check-deliveries.ts';
import type { Platform } from '../../harness/platform.ts';
import { nothingProduced, type Produced, produceMany, warmUp } from '../../harness/produce-events.ts';
import { expireDeliveryLeases, settleDeliveries } from '../../harness/settle.ts';

/** Slots of a prompt receiver. */
const atOnce = 32;

export const killAfterPost: ChaosCase = {
  name: 'kill-after-post',
  promise:
    'A dispatcher is killed after its POSTs have arrived and before their outcomes are recorded. Form B repeats each, with the same id and bytes, and counts the attempts correctly; form A drops them, and none is repeated.',
  async run(context) {
    await checkDropped(context);
    return checkRepeated(context);
  },
};

/** Delivers events to a receiver that holds their first requests, and kills the dispatcher when all have arrived. */
async function killDuringDelivery(platform: Platform, count: number, produced: Produced): Promise<void> {
  const { receiver } = platform;
  const accountId = await platform.newAccount();
  const dispatcher = await platform.startDispatcher();
  await warmUp(platform, { accountId, webhookUrl: receiver.url() }, produced);
  const webhookUrl = receiver.url({ kind: 'hang', times: 1 });
  await produceMany(platform, { accountId, webhookUrl }, produced, count);
  await waitUntil(async () => (await receiver.count()).open === count, { what: 'the requests to arrive' });
  await platform.killDispatcher(dispatcher);
  await platform.startDispatcher();
}

async function checkRepeated(context: CaseContext): Promise<Ledger> {
  const platform = await context.open({ timeoutMs: 10_000 });
  const produced = nothingProduced();
  const count = context.scaled(atOnce, 10);
  await killDuringDelivery(platform, count, produced);
  await settleDeliveries(platform, context);
  const ledger = await checkDeliveries(platform, { produced, duplicates: 0 });
  const { rows } = await platform.database.pool.query(
    `SELECT count(*)::int AS right FROM delivery
      WHERE status = 'delivered' AND attempt = 2 AND attempt_count = 1 AND retries_used = 0`,
  );
  context.expect(rows[0].right === count, 'each counts two claims, one recorded attempt and no retry of the schedule');
  const again = ledger.hits.filter(({ number }) => number === 2);
  context.expect(again.length === count, 'each arrives exactly twice');
  context.note(`form B: ${count} attempts were lost with their dispatcher, ${again.length} were repeated`);
  return ledger;
}

async function checkDropped(context: CaseContext): Promise<void> {
  const platform = await context.open({ form: 'A' });
  const count = context.scaled(atOnce, 10);
  await killDuringDelivery(platform, count, nothingProduced());
  await waitUntil(
    async () => {
      if (context.hurried) await expireDeliveryLeases(platform, platform.killed);
      const { rows } = await platform.database.pool.query('SELECT count(*)::int AS kept FROM delivery');
      return rows[0].kept === 0;
    },
    { what: 'the lost attempts to be dropped', timeoutMs: 90_000 },
  );
  const hits = await platform.receiver.hits();
  context.expect(hits.length === count + 1 && hits.every(({ number }) => number === 1), 'form A repeats nothing');
  const { rows } = await platform.database.pool.query('SELECT count(*)::int AS kept FROM event');
  context.expect(rows[0].kept === 0, 'form A keeps no event of dropped deliveries');
  context.note(`form A: ${count} attempts were lost with their dispatcher and dropped`);
  // Both platforms share one Redis and would take each other's jobs.
  await platform.close();
}
