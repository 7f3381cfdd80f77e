import type { ChaosCase } from '../../case.ts';
import { send } from '../../harness/client.ts';
import { acceptCapturesOf, createLinks } from '../../harness/links.ts';

const atOnce = 12;

/** The response time of the page, milliseconds. All requests have arrived by then. */
const pageTakesMs = 2_000;

export const equalCaptures: ChaosCase = {
  name: 'equal-captures',
  promise:
    'Equal captures with cache_ttl_s, and equal render links, arrive at the same time on two gateways with two workers: each page is rendered once, for one unit, and all get the same file.',
  async run(context) {
    const platform = await context.open();
    const { pages } = platform;
    const slow = (
      _request: unknown,
      response: { setHeader(name: string, value: string): void; end(text: string): void },
    ) =>
      setTimeout(() => {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><p>a slow page');
      }, pageTakesMs);
    const gateways = [await platform.startGateway(), await platform.startGateway()];
    // The workers have a slot for each request, so no request waits for a slot instead of the render.
    await Promise.all([platform.startWorker({ concurrency: 4 }), platform.startWorker({ concurrency: 4 })]);
    const client = await platform.newClient('enterprise');
    const sign = await createLinks(gateways[0]!, client);
    const rounds = context.scaled(10, 2);
    for (let round = 0; round < rounds; round += 1) {
      pages.serve({ [`/equal-${round}`]: slow, [`/link-${round}`]: slow });
      const body = { url: pages.url(`/equal-${round}`), cache_ttl_s: 600 };
      const captured = await Promise.all(
        Array.from({ length: atOnce }, (_, index) =>
          platform.submit(gateways[index % 2]!, client, { ...body, async: false }),
        ),
      );
      context.expectEach(
        captured.map(({ status }) => status),
        (status) => status === 200,
        'every equal capture completes',
      );
      const rendered = pages.hits(`/equal-${round}`);
      context.expect(rendered === 1, `equal captures render once (${rendered} times)`);
      const link = sign({ url: pages.url(`/link-${round}`) });
      const shown = await Promise.all(
        Array.from({ length: atOnce }, (_, index) => send(gateways[index % 2]!, client, link)),
      );
      const files = new Set(shown.map(({ status, headers }) => `${status} ${headers.get('etag')}`));
      context.expect(
        files.size === 1 && [...files][0]!.startsWith('200 '),
        `one file for all (${[...files].join('; ')})`,
      );
      const linked = pages.hits(`/link-${round}`);
      context.expect(linked === 1, `equal links render once (${linked} times)`);
    }
    const { body } = await send(gateways[0]!, client, '/api/v1/account');
    context.expect(body.usage.used === 2 * rounds, `a render is one unit (${body.usage.used} of ${2 * rounds})`);
    context.note(`${rounds} times ${atOnce} equal captures and ${atOnce} equal links on two gateways and two workers`);
    await acceptCapturesOf(platform, client);
    return platform.finishCaptures();
  },
};
