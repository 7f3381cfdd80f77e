import { setTimeout as sleep } from 'node:timers/promises';
import { findOwnPort } from '@capture/testing/network/own-port';
import type { CaseContext, ChaosCase } from '../../case.ts';
import { submitBatch } from '../../harness/client.ts';
import { type FaultKind, faultKinds, injectFault } from '../../harness/injected-faults.ts';
import { shortTimes } from '../../harness/platform.ts';
import { killBrowsers } from '../../harness/services.ts';
import { clientsFor, submitLoad } from '../../harness/submit-load.ts';
import type { TestedPlatform } from '../../harness/tested-platform.ts';

const lastsMs = 600_000;
const events = 20_000;

/** The number of events in a short run. The run lasts as long as its faults take on this machine. */
const fewEvents = 300;

const capturesPerS = ({ isShort }: CaseContext) => (isShort ? 1 : 2);
const eventsPerS = ({ isShort, scaled }: CaseContext) => (isShort ? 20 : scaled(events) / (scaled(lastsMs) / 1_000));

/** Interval of fault injection, milliseconds, and the probability of each fault in an interval. */
const injectionIntervalMs = 250;
const chances: Record<FaultKind, number> = {
  worker: 0.03,
  dispatcher: 0.03,
  gateway: 0.02,
  browser: 0.03,
  redis: 0.02,
  postgres: 0.01,
};

/** One in twenty captures has a page that kills all browsers, and one in twenty a page that cannot be reached. */
const among = 20;
const poisonAt = 3;
const unreachableAt = 6;
const batchSize = 5;

export const soak: ChaosCase = {
  name: 'soak',
  promise:
    'For ten minutes workers, dispatchers, gateways, browsers, Redis and Postgres are killed at random while 20,000 events, captures, batches and poisoned pages arrive: everything accepted ends, every event is delivered, and quota, counters and files match exactly.',
  async run(context) {
    const platform = await context.open(
      context.hurried ? shortTimes : { retryDelaysMs: [1_000, 2_000, 4_000, 8_000, 16_000], timeoutMs: 5_000 },
    );
    const { pages, receiver } = platform;
    const { random } = context;
    pages.serve({
      '/page': '<!doctype html><p>an ordinary page',
      '/slow': { body: '<!doctype html><p>at last', delayMs: 1_000 },
      // The page never responds, and every worker loses its browser.
      '/poison': () => void platform.workers.forEach(killBrowsers),
    });
    // A short run kills the only process of each kind, which its replacement alone must make good.
    const ofEach = context.isShort ? 1 : 2;
    for (let each = 0; each < ofEach; each += 1) await platform.startAll();
    const accountIds = await platform.newAccounts(10);
    const durationMs = context.scaled(lastsMs, 5_000);
    const injected = new Map<FaultKind, number>();
    let over = false;
    const producing = platform.produce(
      (index) => ({ accountId: accountIds[index % accountIds.length]!, webhookUrl: receiver.url({ delayMs: 20 }) }),
      // Broken connections do not count, so the rate is slightly higher.
      {
        count: context.isShort ? fewEvents : Number.MAX_SAFE_INTEGER,
        ratePerS: eventsPerS(context) * 1.1,
        stopped: () => over,
      },
    );
    const asking = ask(platform, context, () => over);
    const endAt = Date.now() + durationMs;
    const plan = random.shuffle(faultKinds);
    while (Date.now() < endAt || (context.hurried && plan.length > 0)) {
      await sleep(injectionIntervalMs);
      const next = context.hurried ? plan.pop() : faultAt(random.next());
      if (!next) continue;
      injected.set(next, (injected.get(next) ?? 0) + 1);
      await injectFault[next](platform, random);
    }
    over = true;
    await Promise.all([producing, asking]);
    await platform.settleCaptures({ timeoutMs: 300_000 });
    const kinds = [...injected].map(([what, times]) => `${times} ${what}`).join(', ');
    context.note(`killed: ${kinds}`);
    // Files may have been stored, but not recorded, when the worker or Postgres was killed.
    const orphans = platform.kills * 2;
    const ledger = await platform.finish({
      unrecorded: true,
      explained: { orphans, except: accountIds },
      duplicates: platform.lostAttempts,
    });
    const failed = [...ledger.failedWith].map(([code, times]) => `${times} ${code}`).join(', ');
    const { batches, uncertain } = platform.submissions;
    context.note(`${batches.size} batches of ${batchSize}; captures that failed: ${failed || 'none'}`);
    context.note(`${uncertain} connections broke; ${ledger.orphans} files remain for the cleanup job`);
    return ledger;
  },
};

function faultAt(chance: number): FaultKind | undefined {
  let below = 0;
  return faultKinds.find((each) => {
    below += chances[each];
    return chance < below;
  });
}

/** Submits captures of all kinds, and a batch now and then. */
async function ask(platform: TestedPlatform, context: CaseContext, stopped: () => boolean): Promise<void> {
  const { pages, receiver } = platform;
  const { random } = context;
  const ratePerS = capturesPerS(context);
  const clients = await clientsFor(platform, ratePerS * 2);
  const gone = `http://127.0.0.1:${await findOwnPort()}/`;
  const gatewayOf = () => random.pick(platform.gateways);
  const optionsOf = (index: number) => {
    const at = index % among;
    const ordinary = () => pages.url(random.pick(['/page', '/slow']));
    const url = at === poisonAt ? pages.url('/poison') : at === unreachableAt ? gone : ordinary();
    return { url, webhook_url: receiver.url({ delayMs: 20 }) };
  };
  const singles = submitLoad(platform, platform.submissions, {
    gatewayOf,
    clients,
    optionsOf,
    count: context.isShort ? among : Number.MAX_SAFE_INTEGER,
    ratePerS,
    stopped,
  });
  const batches = async () => {
    while (!stopped()) {
      const items = Array.from({ length: batchSize }, () => ({ url: pages.url('/page') }));
      await submitBatch(gatewayOf(), clients[0]!, platform.submissions, items);
      if (context.isShort) return;
      await sleep((batchSize / ratePerS) * 4_000);
    }
  };
  await Promise.all([singles, batches()]);
}
