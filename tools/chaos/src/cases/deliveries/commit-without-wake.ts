import { startChildProgram } from '@capture/testing/child-program';
import { quantile } from '@capture/testing/statistics';
import type { ChaosCase } from '../../case.ts';
import type { CommitCommand } from '../../committer/main.ts';
import { builtProgram } from '../../harness/built-program.ts';
import { checkDeliveries, latencies } from '../../harness/check-deliveries.ts';
import { nothingProduced } from '../../harness/produce-events.ts';
import { settleDeliveries } from '../../harness/settle.ts';

/** The dispatcher looks every second without being told; the rest is for a machine with much else to do, milliseconds. */
const latestMs = 15_000;

/** Committers that are started at once: most of their time is Node's own start. */
const atOnce = 2;

export const commitWithoutWake: ChaosCase = {
  name: 'commit-without-wake',
  promise:
    'A process that ends a capture is killed between its commit and the wake-up of the dispatcher, 100 times: 100 events are delivered, each within seconds.',
  async run(context) {
    const platform = await context.open();
    const accountId = await platform.newAccount();
    await platform.startDispatcher();
    const produced = nothingProduced();
    let left = context.scaled(100);
    const work = async () => {
      while (left > 0) {
        left -= 1;
        const child = startChildProgram<CommitCommand>('committer', builtProgram('committer'), [platform.databaseUrl]);
        try {
          const command = { accountId, webhookUrl: platform.receiver.url(), form: platform.form.name };
          const requestId = await child.send<string>(command);
          produced.acknowledged.set(requestId, Date.now());
        } finally {
          await child.kill();
          platform.kills += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await settleDeliveries(platform, context);

    const ledger = await checkDeliveries(platform, { produced, duplicates: 0 });
    const times = latencies(ledger, produced);
    context.note(
      `from commit to delivery: half within ${quantile(times, 0.5)} ms, all within ${quantile(times, 1)} ms`,
    );
    context.expect(quantile(times, 1) < latestMs, `every event was delivered within ${latestMs / 1_000} s`);
    return ledger;
  },
};
