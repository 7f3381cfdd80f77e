import { setTimeout as sleep } from 'node:timers/promises';
import { listProcesses } from '@capture/testing/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { type ChaosCase, combine } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { noSubmissions, submitCapture } from '../../harness/client.ts';
import type { Platform } from '../../harness/platform.ts';
import { addEventsOf, nothingProduced, type Produced, produceMany, warmUp } from '../../harness/produce-events.ts';
import { browsersOf } from '../../harness/services.ts';
import { settleCaptures, settleDeliveries } from '../../harness/settle.ts';
import { serveHeldPage } from '../../harness/slow-page.ts';

/** How long after the signal pages and receivers go on holding their responses, milliseconds. */
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
    const submissions = noSubmissions();
    const { url } = held;
    const waiting = submitCapture(gateway, client, submissions, { url, async: false, response_type: 'json' });
    await waitUntil(() => held.open() > 0, { what: 'the one that is waited for to be under way' });
    for (let index = 1; index < captures; index += 1) {
      await submitCapture(gateway, client, submissions, { url, webhook_url: receiver.url() });
    }
    const produced = nothingProduced();
    await deliverToHeld(platform, produced, deliveries);
    await waitUntil(async () => held.open() > 1 && (await receiver.count()).open > 0, {
      what: 'captures and deliveries to be under way',
    });

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
    const response = await waiting;
    context.expect(response.body?.status === 'completed', `who waits for a capture gets it (${response.status})`);
    const { rows } = await platform.database.pool.query(
      `SELECT count(*) FILTER (WHERE status = 'processing')::int AS running,
              count(*) FILTER (WHERE status = 'queued')::int AS waiting, sum(lost_workers)::int AS lost FROM capture`,
    );
    context.expect(rows[0].running === 0 && rows[0].lost === 0, 'no capture counts as lost with its worker');
    context.note(`${captures - rows[0].waiting} captures were finished, ${rows[0].waiting} waited for the next start`);
    for (const list of [platform.gateways, platform.workers, platform.dispatchers]) list.length = 0;
    await start();
    await settleCaptures(platform, context);
    await addEventsOf(platform, submissions, produced);
    await settleDeliveries(platform, context);

    return combine(
      await checkDeliveries(platform, { produced, duplicates: 0 }),
      await checkCaptures(platform, submissions),
    );
  },
};

/** Lets deliveries begin whose receiver responses when it is healed. */
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
