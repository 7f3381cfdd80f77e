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
  name: 'postgres-away',
  promise:
    'Postgres is killed and stays away for 30 s: requests are answered with 503 at once, captures and deliveries that were under way are recorded afterwards or done again, and no process ends or is restarted.',
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
      what: 'captures and deliveries to be under way',
    });

    servers.postgres.kill();
    platform.kills += 1;
    await servers.postgres.exited;
    held.release();
    await receiver.heal();
    // What the receiver had not answered by then may be recorded or sent again.
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
      `every request is answered with 503 (${[...new Set(statuses)].join(', ')})`,
    );
    context.expect(ready === 503 && alive === 200, `the gateway is alive and not ready (${alive}, ${ready})`);
    context.expect(after.status === 200, `captures are made again afterwards (${after.status})`);
    context.expect(
      started.every(({ process: { pid } }) => isAlive(pid)),
      'the processes that ran before are those that run now',
    );
    context.note(`${statuses.length} requests were refused meanwhile, each within ${slowestMs} ms`);
    const ledger = await checkCaptures(platform, submissions);
    return combine(await checkDeliveries(platform, { produced, duplicates: platform.lostAttempts }), ledger);
  },
};
