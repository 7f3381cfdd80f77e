import {
  type HostileEnd,
  type HostilePage,
  hostilePages,
  serveHostilePages,
} from '@capture/testing/network/hostile-pages';
import { describe, expect, it } from '@jest/globals';
import { openForTests, readPixels } from '../worker.test-support.ts';

/** Long enough for a page of a few lines, short enough for 45 pages that never finish. */
const timeoutMs = 1_000;

const concurrency = 3;

/** Most pages run into their timeout, so a few run at once. */
const rounds = Array.from({ length: Math.ceil(hostilePages.length / concurrency) }, (_, round) =>
  hostilePages.slice(round * concurrency, (round + 1) * concurrency),
);

describe('a hostile page', () => {
  const { server, worker } = openForTests(
    { ...serveHostilePages(), '/good': '<body style="background: #0000ff">' },
    { size: concurrency + 1 },
  );

  const good = async () => {
    const { image } = await worker.capture(server.url('/good'), { width: 100, height: 100, timeout_ms: 120_000 });
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
    'ends as expected and affects neither a concurrent nor the next capture: %s',
    async (_, pages) => {
      const capturing = Promise.all(pages.map(outcomeOf));
      expect(await good()).toBe('#0000ff');
      const outcomes = await capturing;
      expect(
        pages.filter((page, index) => !page.ends.includes(outcomes[index] as HostileEnd)).map(({ name }) => name),
      ).toEqual([]);
      expect(await good()).toBe('#0000ff');
    },
  );
});
