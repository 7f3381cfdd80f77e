import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@capture/testing/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { type ChaosCase, combine } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { noSubmissions, send, submitCapture } from '../../harness/client.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';
import { addEventsOf, nothingProduced, produceMany } from '../../harness/produce-events.ts';
import { settleCaptures, settleDeliveries } from '../../harness/settle.ts';
import { serveHeldPage } from '../../harness/slow-page.ts';

export const postgresUnavailable: ChaosCase = {
  name: 'postgres-unavailable',
  promise:
    'Postgres is killed and unavailable for 30 s: requests get a 503 at once, captures and deliveries in progress are recorded afterwards or repeated, and no process exits or restarts.',
  async run(context) {
    const platform = await context.open({
      retryDelaysMs: shortRetryDelaysMs,
      timeoutMs: context.hurried ? 3_000 : 5_000,
    });
    const { receiver, servers } = platform;
    const held = serveHeldPage(platform);
    const started = await Promise.all([platform.startGateway(), platform.startWorker(), platform.startDispatcher()]);
    const [gateway] = started;
    const client = await platform.newClient('enterprise');
    const submissions = noSubmissions();
    const options = { url: held.url, webhook_url: receiver.url() };
    for (let index = 0; index < context.scaled(10, 3); index += 1)
      await submitCapture(gateway, client, submissions, options);
    const produced = nothingProduced();
    const events = context.scaled(50, 5);
    const destination = {
      accountId: await platform.newAccount(),
      webhookUrl: receiver.url({ kind: 'hang', times: 'all' }),
    };
    await produceMany(platform, destination, produced, events);
    await waitUntil(async () => held.open() > 0 && (await receiver.count()).open > 0, {
      what: 'captures and deliveries to be in progress',
    });

    servers.postgres.kill();
    platform.kills += 1;
    await servers.postgres.exited;
    held.release();
    await receiver.heal();
    // Attempts without a response by then may be recorded or repeated.
    platform.lostAttempts += events;
    const statuses: number[] = [];
    let slowestMs = 0;
    const endAt = Date.now() + context.scaled(30_000, 3_000);
    do {
      const { status, tookMs } = await submitCapture(gateway, client, submissions, options);
      statuses.push(status);
      slowestMs = Math.max(slowestMs, tookMs);
      await sleep(200);
    } while (Date.now() < endAt);
    const { status: ready } = await send(gateway, client, '/readyz');
    const { status: alive } = await send(gateway, client, '/healthz');
    await servers.postgres.restart();
    await settleCaptures(platform, context);
    const after = await submitCapture(gateway, client, submissions, { ...options, async: false });
    await settleCaptures(platform, context);
    await addEventsOf(platform, submissions, produced);
    await settleDeliveries(platform, { ...context, unrecorded: true });

    context.expect(
      statuses.every((status) => status === 503),
      `every request gets a 503 (${[...new Set(statuses)].join(', ')})`,
    );
    context.expect(ready === 503 && alive === 200, `the gateway is alive and not ready (${alive}, ${ready})`);
    context.expect(after.status === 200, `captures complete again afterwards (${after.status})`);
    context.expect(
      started.every(({ process: { pid } }) => isAlive(pid)),
      'no process was restarted',
    );
    context.note(`${statuses.length} requests were refused during the outage, each within ${slowestMs} ms`);
    const ledger = await checkCaptures(platform, submissions);
    return combine(await checkDeliveries(platform, { produced, duplicates: platform.lostAttempts }), ledger);
  },
};
