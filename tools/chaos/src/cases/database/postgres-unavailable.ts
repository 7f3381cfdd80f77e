import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosCase, together } from '../../case.ts';
import { balanceCaptures } from '../../harness/check-captures.ts';
import { askCapture, nothingAsked, send } from '../../harness/client.ts';
import { balance } from '../../harness/check-deliveries.ts';
import { until } from '../../harness/platform.ts';
import { isAlive } from '../../harness/process-list.ts';
import { nothingProduced, produceMany } from '../../harness/produce-events.ts';
import { addProducedBy } from '../../harness/produced-by-captures.ts';
import { settle } from '../../harness/settle.ts';
import { settleCaptures } from '../../harness/settle-captures.ts';
import { serveHeldPage } from '../../harness/slow-page.ts';

export const postgresAway: ChaosCase = {
  name: 'postgres-away',
  promise:
    'Postgres is killed and stays away for 30 s: requests are answered with 503 at once, captures and deliveries that were under way are recorded afterwards or done again, and no process ends or is restarted.',
  async run(context) {
    const platform = await context.open({
      retryDelaysMs: [500, 1_000, 2_000, 4_000, 8_000],
      timeoutMs: context.hurried ? 3_000 : 5_000,
    });
    const { receiver, servers } = platform;
    const held = serveHeldPage(platform);
    const started = await Promise.all([platform.startGateway(), platform.startWorker(), platform.startDispatcher()]);
    const [gateway] = started;
    const client = await platform.newClient('enterprise');
    const asked = nothingAsked();
    const options = { url: held.url, webhook_url: receiver.url() };
    for (let index = 0; index < context.scaled(10, 3); index += 1) await askCapture(gateway, client, asked, options);
    const produced = nothingProduced();
    const events = context.scaled(50, 5);
    const destination = {
      accountId: await platform.newAccount(),
      webhookUrl: receiver.url({ kind: 'hang', times: 'all' }),
    };
    await produceMany(platform, destination, produced, events);
    await until(
      'captures and deliveries to be under way',
      async () => held.open() > 0 && (await receiver.count()).open > 0,
    );

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
      const { status, tookMs } = await askCapture(gateway, client, asked, options);
      statuses.push(status);
      slowestMs = Math.max(slowestMs, tookMs);
      await sleep(200);
    } while (Date.now() < endAt);
    const { status: ready } = await send(gateway, client, '/readyz');
    const { status: alive } = await send(gateway, client, '/healthz');
    await servers.postgres.restart();
    await settleCaptures(platform, context);
    const after = await askCapture(gateway, client, asked, { ...options, async: false });
    await settleCaptures(platform, context);
    await addProducedBy(platform, asked, produced);
    await settle(platform, { ...context, unrecorded: true });

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
    const ledger = await balanceCaptures(platform, asked);
    return together(await balance(platform, { produced, duplicates: platform.lostAttempts }), ledger);
  },
};
