import {
  type HostileEnd,
  type HostilePage,
  hostilePages,
  serveHostilePages,
} from '@capture/testing/network/hostile-pages';
import { describe, expect, it } from '@jest/globals';
import { openForTests, readPixels, small } from '../worker.test-support.ts';

/** Milliseconds: long enough for a page of a few lines, short enough for 45 pages that never finish. */
const timeoutMs = 1_000;

const concurrency = 4;

/** Most pages exceed their timeout, so a few pages run at once. */
const rounds = Array.from({ length: Math.ceil(hostilePages.length / concurrency) }, (_, round) =>
  hostilePages.slice(round * concurrency, (round + 1) * concurrency),
);

describe('a hostile page', () => {
  const { server, worker } = openForTests(
    { ...serveHostilePages(), '/good': '<body style="background: #0000ff">' },
    { size: concurrency + 1, viewport: small },
  );

  const good = async () => {
    const { image } = await worker.capture(server.url('/good'), { timeout_ms: 120_000 });
    return (await readPixels(image)).at(50, 50);
  };

  const outcomeOf = ({ name, patient, options }: HostilePage) =>
    worker
      .render('screenshot', { url: server.url(`/${name}`), timeout_ms: patient ? 120_000 : timeoutMs, ...options })
      .then(
        () => 'completed',
        ({ code }) => code as string,
      );

  it.each(rounds.map((pages) => [pages.map(({ name }) => name).join(', '), pages] as const))(
    'ends as expected and affects neither a concurrent capture nor the next one: %s',
    async (_, pages) => {
      const capturing = Promise.all(pages.map(outcomeOf));
      // The good page is captured concurrently with these pages, and after the pages of the previous round.
      expect(await good()).toBe('#0000ff');
      const outcomes = await capturing;
      const unexpected = pages.flatMap(({ name, ends }, index) => {
        const outcome = outcomes[index] as HostileEnd;
        return ends.includes(outcome) ? [] : [`${name}: ${outcome}`];
      });
      expect(unexpected).toEqual([]);
    },
  );

  it('does not affect the capture after all of them', async () => {
    expect(await good()).toBe('#0000ff');
  });
});
