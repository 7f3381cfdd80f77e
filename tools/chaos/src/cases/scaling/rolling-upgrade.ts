import type { CaseContext, ChaosCase } from '../../case.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';
import { serveSlowPage } from '../../harness/slow-page.ts';
import type { TestedPlatform } from '../../harness/tested-platform.ts';

/** The response time of the page, milliseconds, so that every process that stops has work in progress. */
const pageDelayMs = 1_000;

/** Captures in progress at once. With more captures, a slow machine would refuse synchronous captures. */
export const openAtMost = 4;

export const rollingUpgrade: ChaosCase = {
  name: 'rolling-upgrade',
  promise:
    'Each process is replaced under load: the new one starts, then the old one gets a SIGTERM. While both versions run side by side no request is refused, nothing is lost and nothing is repeated.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    const { receiver, checkout } = platform;
    const slowUrl = serveSlowPage(platform, pageDelayMs);
    platform.checkout = context.upgradeFrom ?? checkout;
    const old = await platform.startAll();
    let over = false;
    const ratePerS = context.scaled(5, 2);
    const asking = platform.submitLoad({
      // Requests go to the newest gateway, as from a load balancer that removes the old gateway before it stops.
      gatewayOf: () => platform.gateways.at(-1)!,
      // One in four captures is synchronous.
      optionsOf: (index) => ({ url: slowUrl, async: index % 4 !== 0, webhook_url: receiver.url({ delayMs: 20 }) }),
      count: Number.MAX_SAFE_INTEGER,
      ratePerS,
      openAtMost,
      stopped: () => over,
    });
    platform.checkout = checkout;
    const rounds = context.scaled(4, 1);
    let stopping = old;
    const codes: (number | null)[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const next = await platform.startAll();
      for (const { process } of stopping.toReversed()) codes.push((await process.stop('SIGTERM')).code);
      stopping = next;
    }
    over = true;
    await asking;
    const ledger = await platform.finish();
    await expectOrderly(context, platform, codes);
    context.note(
      context.upgradeFrom ? 'from the version of --upgrade-from to this one' : 'from this version to itself',
    );
    context.note(`${rounds * 3} processes were replaced`);
    const { size } = platform.submissions.accepted;
    context.expect(ledger.completed === size, `every capture completes (${ledger.completed} of ${size})`);
    return ledger;
  },
};

/** Checks that each replaced process has ended in order, no request was refused, and no capture lost its worker. */
export async function expectOrderly(
  { expect, expectEach }: CaseContext,
  { database, submissions }: TestedPlatform,
  codes: readonly (number | null)[],
): Promise<void> {
  expectEach(codes, (code) => code === 0, 'each replaced process exits with code 0');
  const refused = [...submissions.refused].map(([status, times]) => `${times} times ${status}`).join(', ');
  const { uncertain } = submissions;
  expect(refused === '' && uncertain === 0, `no request is refused (${refused || uncertain})`);
  const { rows } = await database.pool.query('SELECT sum(lost_workers)::int AS lost FROM capture');
  expect(rows[0].lost === 0, `no capture counts as lost with its worker (${rows[0].lost})`);
}
