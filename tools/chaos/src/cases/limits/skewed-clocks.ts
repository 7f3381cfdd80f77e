import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { noSubmissions, send, submitCapture } from '../../harness/client.ts';
import { clockOffset } from '../../harness/clock-offset.ts';

/** Form B's plan free: the bucket holds one second's, so that any machine asks for many times what is allowed. */
const plan = 'free';
const perSecond = 1;

/** One is so far ahead, the other so far behind: a gateway that went by its own clock would hold back for an hour. */
const skewMs = 1_800_000;
const askers = 20;

/** Between two requests of one asker: combine they ask for more than is allowed, milliseconds. */
const everyMs = 300;

export const skewedClocks: ChaosCase = {
  name: 'skewed-clocks',
  promise:
    'Twenty clients share one key and ask two gateways whose clocks are an hour apart, for 30 s: combine they get what the plan allows a second and no more, and neither gateway holds back what the other would take.',
  async run(context) {
    const platform = await context.open();
    const { pages } = platform;
    const gateways = await Promise.all([
      platform.startGateway({ NODE_OPTIONS: clockOffset(skewMs) }),
      platform.startGateway({ NODE_OPTIONS: clockOffset(-skewMs) }),
    ]);
    const client = await platform.newClient(plan);
    const submissions = noSubmissions();
    const startedAt = performance.now();
    const lastsMs = context.scaled(30_000, 4_000);
    const ask = async (index: number) => {
      while (performance.now() - startedAt < lastsMs) {
        const gateway = gateways[(index + submissions.knownIds.size) % gateways.length]!;
        const response = await submitCapture(gateway, client, submissions, { url: pages.url('/page') });
        if (response.status === 429) {
          context.expect(Number(response.headers.get('x-ratelimit-retryafter')) >= 1, 'a 429 says how long to wait');
        }
        await sleep(everyMs);
      }
    };
    await Promise.all(Array.from({ length: askers }, (_, index) => ask(index)));
    const seconds = (performance.now() - startedAt) / 1_000;
    const accepted = submissions.accepted.size;
    // One whom Redis does not response in time, on a machine that is busy, may be let through by its gateway's own bucket.
    const allowed = perSecond + Math.ceil(perSecond * seconds) + 1;
    context.expect(accepted <= allowed, `${accepted} were accepted in ${seconds.toFixed(1)} s; ${allowed} may be`);
    const refused = submissions.refused.get(429) ?? 0;
    context.expect(refused > 0, 'more was submissions for than is allowed');
    context.note(`${accepted} accepted and ${refused} held back in ${seconds.toFixed(1)} s at ${perSecond} a second`);
    for (const gateway of gateways) {
      const ask = () => submitCapture(gateway, client, submissions, { url: pages.url('/page') });
      await waitUntil(async () => (await ask()).status === 202, {
        what: 'each gateway to take a request',
        timeoutMs: 30_000,
      });
    }
    // Nobody draws them here: cancelled, they cost nothing.
    for (const id of submissions.accepted.keys()) {
      await send(gateways[0], client, `/api/v1/captures/${id}`, { method: 'DELETE' });
    }
    return checkCaptures(platform, submissions);
  },
};
