import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';
import { expireDeliveryLeases } from '../../harness/settle.ts';

/** Slots of a prompt receiver. */
const atOnce = 32;

export const frozenDispatcher: ChaosCase = {
  name: 'frozen-dispatcher',
  promise:
    'One of two dispatchers freezes (SIGSTOP, like a suspended machine) with attempts in progress until its leases have expired, and resumes later: the other one has repeated them, and late outcomes of the first change nothing.',
  async run(context) {
    // The lease of an attempt expires half a minute after its timeout.
    const platform = await context.open({ timeoutMs: 15_000, retryDelaysMs: shortRetryDelaysMs });
    const { receiver, database } = platform;
    const frozen = await platform.startDispatcher();
    const accountId = await platform.newAccount();
    await platform.warmUp({ accountId, webhookUrl: receiver.url() });
    const count = context.scaled(atOnce, 10);
    const webhookUrl = receiver.url({ kind: 'hang', times: 'all' });
    await platform.produceMany({ accountId, webhookUrl }, count);
    await waitUntil(async () => (await receiver.count()).open === count, { what: 'the requests to arrive' });
    process.kill(frozen.process.pid, 'SIGSTOP');
    try {
      // The frozen dispatcher does not read the responses.
      await receiver.heal();
      await waitUntil(async () => (await receiver.count()).open === 0, { what: 'the responses' });
      const other = await platform.startDispatcher();
      await waitUntil(
        async () => {
          if (context.hurried) await expireDeliveryLeases(platform, [frozen.id]);
          const repeated = `FROM delivery WHERE status = 'delivered' AND dispatcher_id = $1`;
          return (await platform.count(repeated, [other.id])) === count;
        },
        { what: 'the leases to expire and the other dispatcher to repeat the attempts' },
      );
    } finally {
      process.kill(frozen.process.pid, 'SIGCONT');
    }
    // Both dispatchers deliver these events, so the late dispatcher has had time to record its outcomes.
    const before = await recorded();
    await platform.produceMany({ accountId, webhookUrl: receiver.url() }, context.scaled(1_000, 50));
    await platform.settleDeliveries();
    await frozen.process.stop('SIGTERM');
    const after = await recorded();
    context.expect(before === after, 'the late outcomes change nothing');
    platform.lostAttempts += count;
    context.note(`${count} attempts were in progress in the frozen dispatcher`);
    return platform.checkDeliveries({ duplicates: count });

    /** Returns the earlier deliveries with their attempts, as stored. */
    async function recorded(): Promise<string> {
      const { rows } = await database.pool.query(
        `SELECT d.id, d.status, d.attempt, d.attempt_count, d.retries_used, d.completed_at,
                ARRAY(SELECT a::text FROM delivery_attempt a WHERE a.delivery_id = d.id ORDER BY a.number) AS log
           FROM delivery d WHERE d.url = $1 ORDER BY d.id`,
        [webhookUrl],
      );
      return JSON.stringify(rows);
    }
  },
};
