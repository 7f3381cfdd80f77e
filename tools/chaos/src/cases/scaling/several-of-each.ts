import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosCase, combine } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { noSubmissions, submitBatch, submitCapture } from '../../harness/client.ts';
import { type Platform, shortRetryDelaysMs } from '../../harness/platform.ts';
import { addEventsOf } from '../../harness/produce-events.ts';
import { settleCaptures, settleDeliveries } from '../../harness/settle.ts';
import { clientsFor, submitLoad } from '../../harness/submit-load.ts';

/** Between a process being taken out and its SIGTERM, milliseconds. */
const takenOutMs = 1_000;

/** Of form B's plan starter: requests a second, and what its bucket holds. */
const starterPerS = 5;

export const severalOfEach: ChaosCase = {
  name: 'several-of-each',
  promise:
    'Two gateways, three workers and two dispatchers serve singles and batches side by side, and each is restarted in turn under load: limits hold as if there were one, nothing is refused that should not be, nothing is lost, and no event comes twice.',
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
      // One in four is waited for.
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
      `both gateways combine accept what one account may ask (${limited.accepted} of ${limited.allowed} at most)`,
    );
    const codes = await restartEach(platform);
    over = true;
    await asking;
    await settleCaptures(platform, context);
    await settleDeliveries(platform, context);

    context.expect(
      codes.every((code) => code === 0),
      `each ends with code 0 (${codes.join(', ')})`,
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
    context.expect(made.rows[0].unfinished === 0, 'every item of every batch is made');
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

/** One account asks both gateways for as much as they response. */
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
    // What the bucket held, and what came in since.
    allowed: Math.floor(starterPerS + starterPerS * seconds),
  };
}

/** Starts another one for each process, and then tells it to end, one after the other. */
async function restartEach(platform: Platform): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  const replace = async <Service extends { process: { stop(signal: 'SIGTERM'): Promise<{ code: number | null }> } }>(
    list: Service[],
    start: () => Promise<Service>,
  ) => {
    for (const old of [...list]) {
      await start();
      // Who balances the load takes it out, and lets what is on its way arrive, before it ends.
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
