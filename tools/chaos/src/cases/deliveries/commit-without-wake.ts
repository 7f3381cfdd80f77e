import { startChildProgram } from '@capture/testing/processes/child-program';
import { quantile } from '@capture/testing/statistics';
import type { ChaosCase } from '../../case.ts';
import type { CommitCommand } from '../../committer/main.ts';
import { builtProgram } from '../../harness/built-program.ts';
import { latencies } from '../../harness/check-deliveries.ts';

/** The latest delivery, milliseconds. The dispatcher polls every second without a wake-up; the rest is for a loaded machine. */
const latestMs = 15_000;

/** The number of concurrent committers. Most of their time is Node's startup. */
const atOnce = 2;

export const commitWithoutWake: ChaosCase = {
  name: 'commit-without-wake',
  promise:
    'A process is killed 100 times between the commit that ends a capture and the wake-up of the dispatcher: all 100 events are delivered within seconds.',
  async run(context) {
    const platform = await context.open();
    const accountId = await platform.newAccount();
    await platform.startDispatcher();
    let remaining = context.scaled(100);
    const work = async () => {
      while (remaining > 0) {
        remaining -= 1;
        const child = startChildProgram<CommitCommand>('committer', builtProgram('committer'), [platform.databaseUrl]);
        try {
          const command = { accountId, webhookUrl: platform.receiver.url(), form: platform.form.name };
          const requestId = await child.send<string>(command);
          platform.produced.acknowledged.set(requestId, Date.now());
        } finally {
          await child.kill();
          platform.kills += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const ledger = await platform.finishDeliveries();
    const times = latencies(ledger, platform.produced);
    context.note(`from commit to delivery: p50 ${quantile(times, 0.5)} ms, maximum ${quantile(times, 1)} ms`);
    context.expect(quantile(times, 1) < latestMs, `every event was delivered within ${latestMs / 1_000} s`);
    return ledger;
  },
};
