import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosCase } from '../../case.ts';
import { noSubmissions, submitBatch, submitCapture } from '../../harness/client.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';
import type { TestedPlatform } from '../../harness/tested-platform.ts';
import { expectOrderly, openAtMost } from './rolling-upgrade.ts';

/** The time between the removal of a process from the load balancer and its SIGTERM, milliseconds. */
const takenOutMs = 1_000;

/** Form B's plan free has a rate and bucket that any machine exceeds. */
const plan = 'free';
const perSecond = 1;

export const severalOfEach: ChaosCase = {
  name: 'several-of-each',
  promise:
    'Two gateways, three workers and two dispatchers serve single captures and batches, and each is restarted in turn under load: limits hold as with one process, no request is refused without reason, nothing is lost, and no event is repeated.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    const { receiver, pages } = platform;
    const url = pages.url('/page');
    // There are few captures a second, but the slow page gives workers captures in progress when they are restarted.
    if (context.isShort) pages.serve({ '/page': { body: '<!doctype html><p>a page', delayMs: 1_500 } });
    await Promise.all([
      ...times(2, () => platform.startGateway()),
      ...times(context.isShort ? 2 : 3, () => platform.startWorker()),
      ...times(2, () => platform.startDispatcher()),
    ]);
    let over = false;
    const ratePerS = context.scaled(6);
    const asking = platform.submitLoad({
      gatewayOf: (index) => platform.gateways[index % platform.gateways.length]!,
      // One in four captures is synchronous.
      optionsOf: (index) => ({ url, async: index % 4 !== 0, webhook_url: receiver.url({ delayMs: 20 }) }),
      count: Number.MAX_SAFE_INTEGER,
      ratePerS,
      openAtMost,
      stopped: () => over,
    });
    const batches = noSubmissions();
    const owner = await platform.newClient('enterprise');
    const items = times(context.scaled(100, 4), () => ({ url }));
    for (const gateway of platform.gateways) {
      const response = await submitBatch(gateway, owner, batches, items);
      context.expect(response.status === 202, `a batch is accepted (${response.status})`);
    }
    const limited = await exceedRate(platform, url, context.scaled(10_000, 4_000));
    context.expect(
      limited.accepted <= limited.allowed && limited.refused > 0,
      `both gateways together hold the rate limit of one account (${limited.accepted} of at most ${limited.allowed})`,
    );
    const codes = await restartEach(platform, context.hurried ? 1 : Number.POSITIVE_INFINITY);
    over = true;
    await asking;
    await platform.settleCaptures();
    await expectOrderly(context, platform, codes);
    const unfinished = await platform.count(`FROM batch WHERE status <> 'completed' OR total <> succeeded`);
    context.expect(unfinished === 0, 'every item of every batch completes');
    context.note(`${codes.length} processes were restarted under ${ratePerS} requests a second`);
    for (const [id, at] of limited.submissions.accepted) platform.submissions.accepted.set(id, at);
    for (const id of limited.submissions.knownIds) platform.submissions.knownIds.add(id);
    for (const id of batches.batches) platform.submissions.batches.add(id);
    return platform.finish();
  },
};

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A slow machine takes this long to exceed the rate, milliseconds. */
const exceededWithinMs = 30_000;

/** Submits to both gateways as fast as they respond, as one account, for a time and until a request is refused. */
async function exceedRate(platform: TestedPlatform, url: string, forMs: number) {
  const client = await platform.newClient(plan);
  const submissions = noSubmissions();
  const startedAt = Date.now();
  const hammer = async (index: number) => {
    const mustGoOn = (ms: number) => ms < forMs || (ms < exceededWithinMs && !submissions.refused.has(429));
    while (mustGoOn(Date.now() - startedAt)) {
      await submitCapture(platform.gateways[index % 2]!, client, submissions, { url });
    }
  };
  await Promise.all(times(4, hammer));
  const seconds = (Date.now() - startedAt) / 1_000;
  return {
    accepted: submissions.accepted.size,
    submissions,
    refused: submissions.refused.get(429) ?? 0,
    // The limit is the bucket with its refill, and a request that a gateway accepts by its own bucket if Redis is late.
    allowed: perSecond + Math.ceil(perSecond * seconds) + 1,
  };
}

/** Replaces up to `ofEach` processes of each kind in turn: a replacement starts, then the old process gets a SIGTERM. */
async function restartEach(platform: TestedPlatform, ofEach: number): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  const replace = async <Service extends { process: { stop(signal: 'SIGTERM'): Promise<{ code: number | null }> } }>(
    list: Service[],
    start: () => Promise<Service>,
  ) => {
    for (const old of list.slice(0, ofEach)) {
      await start();
      // A load balancer removes a process and lets pending requests arrive before the process stops.
      list.splice(list.indexOf(old), 1);
      await sleep(takenOutMs);
      codes.push((await old.process.stop('SIGTERM')).code);
    }
  };
  await replace(platform.gateways, () => platform.startGateway());
  await replace(platform.workers, () => platform.startWorker());
  await replace(platform.dispatchers, () => platform.startDispatcher());
  return codes;
}
