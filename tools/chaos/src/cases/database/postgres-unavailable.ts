import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { send } from '../../harness/client.ts';
import { shortTimes } from '../../harness/platform.ts';
import { ownPostgres } from '../../harness/servers.ts';
import { serveHeldPage } from '../../harness/slow-page.ts';

export const postgresUnavailable: ChaosCase = {
  name: 'postgres-unavailable',
  promise:
    'Postgres is killed and unavailable for 30 s: requests get a 503 at once, captures and deliveries in progress are recorded afterwards or repeated, and no process exits or restarts.',
  async run(context) {
    const platform = await context.open(context.hurried ? shortTimes : { ...shortTimes, timeoutMs: 5_000 });
    const { receiver } = platform;
    const postgres = ownPostgres(platform.servers);
    const held = serveHeldPage(platform);
    const started = await platform.startAll();
    const [gateway] = started;
    const client = await platform.newClient('enterprise');
    const options = { url: held.url, webhook_url: receiver.url() };
    for (let index = 0; index < context.scaled(10, 3); index += 1) await platform.submit(gateway, client, options);
    const events = context.scaled(50, 5);
    const destination = {
      accountId: await platform.newAccount(),
      webhookUrl: receiver.url({ kind: 'hang', times: 'all' }),
    };
    await platform.produceMany(destination, events);
    await waitUntil(async () => held.open() > 0 && (await receiver.count()).open > 0, {
      what: 'captures and deliveries to be in progress',
    });

    postgres.kill();
    platform.kills += 1;
    await postgres.exited;
    held.release();
    await receiver.heal();
    // Attempts without a response by then may be recorded or repeated.
    platform.lostAttempts += events;
    const statuses: number[] = [];
    let slowestMs = 0;
    const endAt = Date.now() + context.scaled(30_000, 3_000);
    do {
      const { status, tookMs } = await platform.submit(gateway, client, options);
      statuses.push(status);
      slowestMs = Math.max(slowestMs, tookMs);
      await sleep(200);
    } while (Date.now() < endAt);
    const { status: ready } = await send(gateway, client, '/readyz');
    const { status: alive } = await send(gateway, client, '/healthz');
    await postgres.restart();
    await platform.settleCaptures();
    const after = await platform.submit(gateway, client, { ...options, async: false });
    const ledger = await platform.finish({ unrecorded: true, duplicates: platform.lostAttempts });

    context.expectEach(statuses, (status) => status === 503, 'every request gets a 503');
    context.expect(ready === 503 && alive === 200, `the gateway is alive and not ready (${alive}, ${ready})`);
    context.expect(after.status === 200, `captures complete again afterwards (${after.status})`);
    context.expectRunning(started);
    context.note(`${statuses.length} requests were refused during the outage, each within ${slowestMs} ms`);
    return ledger;
  },
};
