import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosCase, together } from '../../case.ts';
import { balanceCaptures } from '../../harness/check-captures.ts';
import { browsersOf } from '../../harness/capture-worker.ts';
import { askCapture, nothingAsked } from '../../harness/client.ts';
import { balance } from '../../harness/check-deliveries.ts';
import { type Platform, until } from '../../harness/platform.ts';
import { listProcesses } from '../../harness/process-list.ts';
import { nothingProduced, type Produced, produceMany } from '../../harness/produce-events.ts';
import { addProducedBy } from '../../harness/produced-by-captures.ts';
import { settle } from '../../harness/settle.ts';
import { settleCaptures } from '../../harness/settle-captures.ts';
import { serveHeldPage } from '../../harness/slow-page.ts';
import { warmUp } from '../../harness/warm-up.ts';

/** How long after the signal pages and receivers go on holding their answers, milliseconds. */
const heldForMs = 3_000;

export const orderlyStop: ChaosCase = {
  name: 'orderly-stop',
  promise:
    'Gateway, worker and dispatcher get a SIGTERM with 20 captures and 50 deliveries under way: each ends with code 0, no Chromium is left, who waits for a capture gets it, no delivery is sent twice, and what had not begun is done after the next start.',
  async run(context) {
    const platform = await context.open();
    const { receiver } = platform;
    const atOnce = 4;
    const captures = context.scaled(20, 6);
    const deliveries = context.scaled(50, 5);
    const held = serveHeldPage(platform);
    const start = () =>
      Promise.all([platform.startGateway(), platform.startWorker({ concurrency: atOnce }), platform.startDispatcher()]);
    const [gateway, worker, dispatcher] = await start();
    const client = await platform.newClient('enterprise');
    const asked = nothingAsked();
    const { url } = held;
    const waiting = askCapture(gateway, client, asked, { url, async: false, response_type: 'json' });
    await until('the one that is waited for to be under way', () => held.open() > 0);
    for (let index = 1; index < captures; index += 1) {
      await askCapture(gateway, client, asked, { url, webhook_url: receiver.url() });
    }
    const produced = nothingProduced();
    await deliverToHeld(platform, produced, deliveries);
    await until(
      'captures and deliveries to be under way',
      async () => held.open() > 1 && (await receiver.count()).open > 0,
    );

    const browsers = browsersOf(worker);
    const stopping = Promise.all([gateway, worker, dispatcher].map(({ process }) => process.stop('SIGTERM')));
    await sleep(context.scaled(heldForMs, 500));
    held.release();
    await receiver.heal();
    const stopped = await stopping;
    context.expect(
      stopped.every(({ code }) => code === 0),
      `each ends with code 0 (${stopped.map(({ code, signal }) => code ?? signal).join(', ')})`,
    );
    const left = listProcesses().filter(({ group }) => browsers.includes(group));
    context.expect(browsers.length > 0 && left.length === 0, `no Chromium is left (${left.length} processes are)`);
    const answer = await waiting;
    context.expect(answer.body?.status === 'completed', `who waits for a capture gets it (${answer.status})`);
    const { rows } = await platform.database.pool.query(
      `SELECT count(*) FILTER (WHERE status = 'processing')::int AS running,
              count(*) FILTER (WHERE status = 'queued')::int AS waiting, sum(lost_workers)::int AS lost FROM capture`,
    );
    context.expect(rows[0].running === 0 && rows[0].lost === 0, 'no capture counts as lost with its worker');
    context.note(`${captures - rows[0].waiting} captures were finished, ${rows[0].waiting} waited for the next start`);
    for (const list of [platform.gateways, platform.workers, platform.dispatchers]) list.length = 0;
    await start();
    await settleCaptures(platform, context);
    await addProducedBy(platform, asked, produced);
    await settle(platform, context);

    return together(await balance(platform, { produced, duplicates: 0 }), await balanceCaptures(platform, asked));
  },
};

/** Lets deliveries begin whose receiver answers when it is healed. */
async function deliverToHeld(platform: Platform, produced: Produced, count: number): Promise<void> {
  const { receiver } = platform;
  const destination = { accountId: await platform.newAccount(), webhookUrl: receiver.url() };
  await warmUp(platform, destination, produced);
  await produceMany(
    platform,
    { ...destination, webhookUrl: receiver.url({ kind: 'hang', times: 'all' }) },
    produced,
    count,
  );
}
