import { setTimeout as sleep } from 'node:timers/promises';
import type { CaseContext, ChaosCase } from '../../case.ts';
import { balance } from '../../harness/check-deliveries.ts';
import { nothingProduced, produce } from '../../harness/produce-events.ts';
import { settle } from '../../harness/settle.ts';

/** One less in the short form: each is waited for. */
const killsOf = ({ hurried }: CaseContext) => (hurried ? 2 : 3);
const accounts = 4;

/** Under way in two dispatchers at once: what a loss of Postgres can make unrecorded. */
const places = 2 * 256;

export const postgresRestarts: ChaosCase = {
  name: 'postgres-restarts',
  promise:
    'Postgres is killed with -9 three times under load and recovers: every event whose commit was acknowledged is delivered, and none that nobody produced.',
  async run(context) {
    const platform = await context.open({
      retryDelaysMs: [500, 1_000, 2_000, 4_000, 8_000],
      timeoutMs: context.hurried ? 3_000 : 5_000,
    });
    const { servers, receiver } = platform;
    await platform.startDispatcher();
    await platform.startDispatcher();
    const ids = await Promise.all(Array.from({ length: accounts }, () => platform.newAccount()));
    const webhookUrl = receiver.url({ delayMs: 20 });
    const produced = nothingProduced();
    const kills = killsOf(context);
    let over = false;
    const producing = produce(platform, (index) => ({ accountId: ids[index % accounts]!, webhookUrl }), produced, {
      count: Number.MAX_SAFE_INTEGER,
      ratePerS: 150,
      stopped: () => over,
    });
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(context.scaled(10_000, 1_500));
      servers.postgres.kill();
      platform.kills += 1;
      await servers.postgres.restart();
      platform.lostAttempts += places;
    }
    await sleep(context.scaled(10_000, 1_500));
    over = true;
    await producing;
    await settle(platform, { ...context, unrecorded: true });
    const ledger = await balance(platform, { produced, duplicates: kills * places });
    context.note(`${produced.uncertain.size} commits broke off without an answer; they may or may not have happened`);
    return ledger;
  },
};
