import { type ChaosCase, combine } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { noSubmissions } from '../../harness/client.ts';
import { type Platform, shortRetryDelaysMs } from '../../harness/platform.ts';
import { addEventsOf } from '../../harness/produce-events.ts';
import { settleCaptures, settleDeliveries } from '../../harness/settle.ts';
import { serveSlowPage } from '../../harness/slow-page.ts';
import { clientsFor, submitLoad } from '../../harness/submit-load.ts';

/** Response time of the page, so that every process that stops has work in progress, milliseconds. */
const pageDelayMs = 1_000;

export const rollingUpgrade: ChaosCase = {
  name: 'rolling-upgrade',
  promise:
    'Each process is replaced under load: the new one starts, then the old one gets a SIGTERM. While both versions run side by side no request is refused, nothing is lost and nothing is repeated.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    const { receiver, checkout } = platform;
    const slowUrl = serveSlowPage(platform, pageDelayMs);
    platform.checkout = context.upgradeFrom ?? checkout;
    const old = await startAll(platform);
    const submissions = noSubmissions();
    let over = false;
    const ratePerS = context.scaled(5, 2);
    const asking = submitLoad(submissions, {
      // Requests go to the newest gateway, as from a load balancer that removes the old one before it stops.
      gatewayOf: () => platform.gateways.at(-1)!,
      clients: await clientsFor(platform, ratePerS),
      // One in four is synchronous.
      optionsOf: (index) => ({ url: slowUrl, async: index % 4 !== 0, webhook_url: receiver.url({ delayMs: 20 }) }),
      count: Number.MAX_SAFE_INTEGER,
      ratePerS,
      stopped: () => over,
    });
    platform.checkout = checkout;
    const rounds = context.scaled(4, 1);
    let stopping = old;
    const codes: (number | null)[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const next = await startAll(platform);
      for (const { process } of stopping) codes.push((await process.stop('SIGTERM')).code);
      stopping = next;
    }
    over = true;
    await asking;
    await settleCaptures(platform, context);
    await settleDeliveries(platform, context);

    context.expect(
      codes.every((code) => code === 0),
      `each old process exits with code 0 (${codes.join(', ')})`,
    );
    const refused = [...submissions.refused].map(([status, times]) => `${times} times ${status}`).join(', ');
    context.expect(
      submissions.refused.size === 0 && submissions.uncertain === 0,
      `no request is refused (${refused || submissions.uncertain})`,
    );
    const { rows } = await platform.database.pool.query('SELECT sum(lost_workers)::int AS lost FROM capture');
    context.expect(rows[0].lost === 0, `no capture counts as lost with its worker (${rows[0].lost})`);
    context.note(
      context.upgradeFrom ? 'from the version of --upgrade-from to this one' : 'from this version to itself',
    );
    context.note(`${rounds * 3} processes were replaced`);
    const ledger = await checkCaptures(platform, submissions);
    const made = ledger.completed === submissions.accepted.size;
    context.expect(made, `every capture completes (${ledger.completed} of ${submissions.accepted.size})`);
    return combine(
      await checkDeliveries(platform, { produced: await addEventsOf(platform, submissions), duplicates: 0 }),
      ledger,
    );
  },
};

async function startAll(platform: Platform) {
  return Promise.all([platform.startDispatcher(), platform.startWorker(), platform.startGateway()]);
}
