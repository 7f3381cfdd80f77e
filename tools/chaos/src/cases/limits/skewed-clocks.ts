import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { send } from '../../harness/client.ts';
import { clockOffset } from '../../harness/clock-offset.ts';

/** Form B's plan free has a bucket of one second's requests, so any machine exceeds the rate many times. */
const plan = 'free';
const perSecond = 1;

/** One clock is ahead by this time, the other behind. A gateway that used its own clock would refuse for an hour. */
const skewMs = 1_800_000;
const clients = 20;

/** The interval of one client's requests, milliseconds. Together the clients exceed the rate. */
const everyMs = 300;

export const skewedClocks: ChaosCase = {
  name: 'skewed-clocks',
  promise:
    'Twenty clients share one key on two gateways whose clocks are an hour apart, for 30 s: together they get exactly the rate of the plan, and neither gateway refuses what the other would accept.',
  async run(context) {
    const platform = await context.open({ without: ['capture-worker'] });
    const { pages } = platform;
    const gateways = await Promise.all([
      platform.startGateway({ NODE_OPTIONS: clockOffset(skewMs) }),
      platform.startGateway({ NODE_OPTIONS: clockOffset(-skewMs) }),
    ]);
    const client = await platform.newClient(plan);
    const startedAt = performance.now();
    const lastsMs = context.scaled(30_000, 4_000);
    const ask = async (index: number) => {
      while (performance.now() - startedAt < lastsMs) {
        const gateway = gateways[(index + platform.submissions.knownIds.size) % gateways.length]!;
        const response = await platform.submit(gateway, client, { url: pages.url('/page') });
        if (response.status === 429) {
          context.expect(Number(response.headers.get('x-ratelimit-retryafter')) >= 1, 'a 429 has the time to wait');
        }
        await sleep(everyMs);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, index) => ask(index)));
    const seconds = (performance.now() - startedAt) / 1_000;
    const accepted = platform.submissions.accepted.size;
    // When Redis responds late on a loaded machine, a gateway may accept a request by its own bucket.
    const allowed = perSecond + Math.ceil(perSecond * seconds) + 1;
    context.expect(accepted <= allowed, `${accepted} were accepted in ${seconds.toFixed(1)} s; ${allowed} may be`);
    const refused = platform.submissions.refused.get(429) ?? 0;
    context.expect(refused > 0, 'the clients exceed the rate');
    context.note(`${accepted} accepted and ${refused} refused in ${seconds.toFixed(1)} s at ${perSecond} a second`);
    for (const gateway of gateways) {
      const ask = () => platform.submit(gateway, client, { url: pages.url('/page') });
      await waitUntil(async () => (await ask()).status === 202, {
        what: 'each gateway to take a request',
        timeoutMs: 30_000,
      });
    }
    // No worker runs here. Cancelled captures cost nothing.
    for (const id of platform.submissions.accepted.keys()) {
      await send(gateways[0], client, `/api/v1/captures/${id}`, { method: 'DELETE' });
    }
    return platform.checkCaptures();
  },
};
