import { waitUntil } from '@capture/testing/wait-until';
import type { CaseContext, ChaosCase } from '../../case.ts';
import type { Ledger } from '../../harness/check-deliveries.ts';
import { expireDeliveryLeases } from '../../harness/settle.ts';
import type { TestedPlatform } from '../../harness/tested-platform.ts';

/** Slots of a prompt receiver. */
const atOnce = 32;

export const killAfterPost: ChaosCase = {
  name: 'kill-after-post',
  promise:
    'A dispatcher is killed after its POSTs have arrived and before their outcomes are recorded. API profile B repeats each, with the same id and bytes, and counts the attempts correctly; API profile A drops them, and none is repeated.',
  async run(context) {
    await checkDropped(context);
    return checkRepeated(context);
  },
};

/** Delivers events to a receiver that holds their first requests, and kills the dispatcher when all have arrived. */
async function killDuringDelivery(platform: TestedPlatform, count: number): Promise<void> {
  const { receiver } = platform;
  const accountId = await platform.newAccount();
  const dispatcher = await platform.startDispatcher();
  await platform.warmUp({ accountId, webhookUrl: receiver.url() });
  const webhookUrl = receiver.url({ kind: 'hang', times: 1 });
  await platform.produceMany({ accountId, webhookUrl }, count);
  await waitUntil(async () => (await receiver.count()).open === count, { what: 'the requests to arrive' });
  await platform.killDispatcher(dispatcher);
  await platform.startDispatcher();
}

async function checkRepeated(context: CaseContext): Promise<Ledger> {
  const platform = await context.open({ timeoutMs: 10_000 });
  const count = context.scaled(atOnce, 10);
  await killDuringDelivery(platform, count);
  const ledger = await platform.finishDeliveries();
  const right = await platform.count(
    `FROM delivery WHERE status = 'delivered' AND attempt = 2 AND attempt_count = 1 AND retries_used = 0`,
  );
  context.expect(right === count, 'each counts two claims, one recorded attempt and no retry of the schedule');
  const again = ledger.hits.filter(({ number }) => number === 2);
  context.expect(again.length === count, 'each arrives exactly twice');
  context.note(`API profile B: ${count} attempts were lost with their dispatcher, ${again.length} were repeated`);
  return ledger;
}

async function checkDropped(context: CaseContext): Promise<void> {
  const platform = await context.open({ form: 'A' });
  const count = context.scaled(atOnce, 10);
  await killDuringDelivery(platform, count);
  await waitUntil(
    async () => {
      if (context.hurried) await expireDeliveryLeases(platform, platform.killed);
      return (await platform.count('FROM delivery')) === 0;
    },
    { what: 'the lost attempts to be dropped', timeoutMs: 90_000 },
  );
  const hits = await platform.receiver.hits();
  context.expect(
    hits.length === count + 1 && hits.every(({ number }) => number === 1),
    'API profile A repeats nothing',
  );
  context.expect((await platform.count('FROM event')) === 0, 'API profile A keeps no event of dropped deliveries');
  context.note(`API profile A: ${count} attempts were lost with their dispatcher and dropped`);
  // Both platforms share one Redis and would take each other's jobs.
  await platform.close();
}
