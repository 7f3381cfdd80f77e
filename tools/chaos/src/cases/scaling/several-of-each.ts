import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosCase, combine } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { noSubmissions, submitBatch, submitCapture } from '../../harness/client.ts';
import { type Platform, shortRetryDelaysMs } from '../../harness/platform.ts';
import { addEventsOf } from '../../harness/produce-events.ts';
import { settleCaptures, settleDeliveries } from '../../harness/settle.ts';
import { clientsFor, submitLoad } from '../../harness/submit-load.ts';

/** Between the removal of a process from the load balancer and its SIGTERM, milliseconds. */
const takenOutMs = 1_000;

/** Rate and bucket of form B's plan starter. */
const starterPerS = 5;

export const severalOfEach: ChaosCase = {
  name: 'several-of-each',
  promise:
    'Two gateways, three workers and two dispatchers serve single captures and batches, and each is restarted in turn under load: limits hold as with one process, no request is refused without reason, nothing is lost, and no event is repeated.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    const { receiver, pages } = platform;
    pages.serve({ '/page': '<!doctype html><p>an ordinary page' });
    const url = pages.url('/page');
    await Promise.all([
      ...times(2, () => platform.startGateway()),
      ...times(3, () => platform.startWorker({ concurrency: 2 })),
      ...times(2, () => platform.startDispatcher()),
    ]);
    const submissions = noSubmissions();
    let over = false;
    const ratePerS = context.scaled(6, 2);
    const asking = submitLoad(submissions, {
      gatewayOf: (index) => platform.gateways[index % platform.gateways.length]!,
      clients: await clientsFor(platform, ratePerS),
      // One in four is synchronous.
      optionsOf: (index) => ({ url, async: index % 4 !== 0, webhook_url: receiver.url({ delayMs: 20 }) }),
      count: Number.MAX_SAFE_INTEGER,
      ratePerS,
      stopped: () => over,
    });
    const batches = noSubmissions();
    const owner = await platform.newClient('enterprise');
    const items = times(context.scaled(100, 6), () => ({ url }));
    for (const gateway of platform.gateways) {
      const response = await submitBatch(gateway, owner, batches, items);
      context.expect(response.status === 202, `a batch is accepted (${response.status})`);
    }
    const limited = await exceedRate(platform, url, context.scaled(10_000, 2_000));
    context.expect(
      limited.accepted <= limited.allowed && limited.refused > 0,
      `both gateways together hold the rate limit of one account (${limited.accepted} of at most ${limited.allowed})`,
    );
    const codes = await restartEach(platform);
    over = true;
    await asking;
    await settleCaptures(platform, context);
    await settleDeliveries(platform, context);

    context.expect(
      codes.every((code) => code === 0),
      `each exits with code 0 (${codes.join(', ')})`,
    );
    const refused = [...submissions.refused].map(([status, count]) => `${count} times ${status}`).join(', ');
    context.expect(
      submissions.refused.size === 0 && submissions.uncertain === 0,
      `no request is refused (${refused || submissions.uncertain})`,
    );
    const { rows } = await platform.database.pool.query('SELECT sum(lost_workers)::int AS lost FROM capture');
    context.expect(rows[0].lost === 0, `no capture counts as lost with its worker (${rows[0].lost})`);
    const made = await platform.database.pool.query(
      `SELECT count(*) FILTER (WHERE status <> 'completed' OR total <> succeeded)::int AS unfinished FROM batch`,
    );
    context.expect(made.rows[0].unfinished === 0, 'every item of every batch completes');
    context.note(`${codes.length} processes were restarted under ${ratePerS} requests a second`);
    for (const [id, at] of limited.submissions.accepted) submissions.accepted.set(id, at);
    for (const id of limited.submissions.knownIds) submissions.knownIds.add(id);
    const ledger = await checkCaptures(platform, { ...submissions, batches: batches.batches });
    return combine(
      await checkDeliveries(platform, { produced: await addEventsOf(platform, submissions), duplicates: 0 }),
      ledger,
    );
  },
};

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** One account submits to both gateways as fast as they respond. */
async function exceedRate(platform: Platform, url: string, forMs: number) {
  const client = await platform.newClient('starter');
  const submissions = noSubmissions();
  const startedAt = Date.now();
  const hammer = async (index: number) => {
    while (Date.now() < startedAt + forMs) {
      await submitCapture(platform.gateways[index % 2]!, client, submissions, { url });
    }
  };
  await Promise.all(times(4, hammer));
  const seconds = (Date.now() - startedAt) / 1_000;
  return {
    accepted: submissions.accepted.size,
    submissions,
    refused: submissions.refused.get(429) ?? 0,
    // The bucket, and its refill since.
    allowed: Math.floor(starterPerS + starterPerS * seconds),
  };
}

/** Replaces each process in turn: its replacement starts, then it gets a SIGTERM. */
async function restartEach(platform: Platform): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  const replace = async <Service extends { process: { stop(signal: 'SIGTERM'): Promise<{ code: number | null }> } }>(
    list: Service[],
    start: () => Promise<Service>,
  ) => {
    for (const old of [...list]) {
      await start();
      // A load balancer removes it and lets pending requests arrive before it stops.
      list.splice(list.indexOf(old), 1);
      await sleep(takenOutMs);
      codes.push((await old.process.stop('SIGTERM')).code);
    }
  };
  await replace(platform.gateways, () => platform.startGateway());
  await replace(platform.workers, () => platform.startWorker({ concurrency: 2 }));
  await replace(platform.dispatchers, () => platform.startDispatcher());
  return codes;
}
