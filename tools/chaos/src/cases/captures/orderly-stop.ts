import { setTimeout as sleep } from 'node:timers/promises';
import { groupOf } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { listBrowsers } from '../../harness/services.ts';
import { serveHeldPage } from '../../harness/slow-page.ts';
import type { TestedPlatform } from '../../harness/tested-platform.ts';

/** Pages and receivers hold their responses for this long after the signal, milliseconds. */
const heldForMs = 3_000;

export const orderlyStop: ChaosCase = {
  name: 'orderly-stop',
  promise:
    'Gateway, worker and dispatcher get a SIGTERM with 20 captures and 50 deliveries in progress: each exits with code 0, no Chromium remains, a waiting client gets its capture, no delivery is repeated, and queued work is done after the next start.',
  async run(context) {
    const platform = await context.open();
    const { receiver } = platform;
    const atOnce = context.isShort ? 2 : 4;
    const captures = context.scaled(20, 6);
    const deliveries = context.scaled(50, 5);
    const held = serveHeldPage(platform);
    const start = () =>
      Promise.all([platform.startGateway(), platform.startWorker({ concurrency: atOnce }), platform.startDispatcher()]);
    const [gateway, worker, dispatcher] = await start();
    const client = await platform.newClient('enterprise');
    const { url } = held;
    const waiting = platform.submit(gateway, client, { url, async: false, response_type: 'json' });
    await waitUntil(() => held.open() > 0, { what: 'the synchronous capture to be in progress' });
    for (let index = 1; index < captures; index += 1) {
      await platform.submit(gateway, client, { url, webhook_url: receiver.url() });
    }
    await deliverToHeld(platform, deliveries);
    await waitUntil(async () => held.open() > 1 && (await receiver.count()).open > 0, {
      what: 'captures and deliveries to be in progress',
    });

    const browsers = listBrowsers(worker);
    const stopping = Promise.all([gateway, worker, dispatcher].map(({ process }) => process.stop('SIGTERM')));
    await sleep(context.scaled(heldForMs, 500));
    held.release();
    await receiver.heal();
    const stopped = await stopping;
    const codes = stopped.map(({ code, signal }) => code ?? signal);
    context.expectEach(codes, (code) => code === 0, 'each exits with code 0');
    const remaining = browsers.flatMap(groupOf);
    context.expect(
      browsers.length > 0 && remaining.length === 0,
      `no Chromium remains (${remaining.length} processes)`,
    );
    const response = await waiting;
    context.expect(response.body?.status === 'completed', `the waiting client gets its capture (${response.status})`);
    const { rows } = await platform.database.pool.query(
      `SELECT count(*) FILTER (WHERE status = 'processing')::int AS running,
              count(*) FILTER (WHERE status = 'queued')::int AS waiting, sum(lost_workers)::int AS lost FROM capture`,
    );
    context.expect(rows[0].running === 0 && rows[0].lost === 0, 'no capture counts as lost with its worker');
    context.note(
      `${captures - rows[0].waiting} captures completed, ${rows[0].waiting} were queued until the next start`,
    );
    for (const list of [platform.gateways, platform.workers, platform.dispatchers]) list.length = 0;
    await start();
    return platform.finish();
  },
};

/** Starts deliveries whose receiver holds them until it is healed. */
async function deliverToHeld(platform: TestedPlatform, count: number): Promise<void> {
  const { receiver } = platform;
  const destination = { accountId: await platform.newAccount(), webhookUrl: receiver.url() };
  await platform.warmUp(destination);
  await platform.produceMany({ ...destination, webhookUrl: receiver.url({ kind: 'hang', times: 'all' }) }, count);
}
