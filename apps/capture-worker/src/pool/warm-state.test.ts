import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openForTests, small } from '../worker.test-support.ts';
import { pageStates, statePage, statePages } from './page-states.test-support.ts';

describe('the next capture in a warm page', () => {
  const { server, worker } = openForTests(async () => statePages(() => server), { viewport: small });
  let account = 0;

  /** Plants states together. Returns what that capture finds of them, what the next one finds, and how many pages they take. */
  async function plant(names: readonly string[]) {
    account += 1;
    const states = names.map((name) => pageStates[name]!);
    server.serve({ '/seed': statePage(states, true), '/find': statePage(states, false) });
    const unused = jest.spyOn(worker.pool, 'take');
    const foundAt = async (path: string) => {
      const options = { url: server.url(path), wait_until: 'load', wait_for_selector: '#done' };
      const { report } = await worker.captureFor(`account ${account}`, options);
      const [, places] = /^found ?([\d,]*)$/.exec(report.page?.title ?? '') ?? [];
      if (places === undefined) throw new Error(`the page of ${path} says: ${report.page?.title}`);
      return names.filter((_, place) => places.split(',').includes(String(place)));
    };
    const seeded = await foundAt('/seed');
    const found = await foundAt('/find');
    const pages = unused.mock.calls.length;
    unused.mockRestore();
    return { seeded, found, pages };
  }

  const all = Object.keys(pageStates);
  const closing = all.filter((name) => pageStates[name]?.closes);
  const others = all.filter((name) => !closing.includes(name));

  describe('does not find', () => {
    // Together: two captures take as long for all of them as for one.
    let captured: Awaited<ReturnType<typeof plant>>;
    beforeAll(async () => {
      captured = await plant(others);
    });

    it.each(others)('%s', (name) => {
      expect({ seeded: captured.seeded.includes(name), found: captured.found.includes(name) }).toEqual({
        seeded: true,
        found: false,
      });
    });

    it('any of these, although it takes the same page', () => {
      expect(captured.pages).toBe(1);
    });
  });

  it.each(closing)('does not find %s, because it takes another page', async (name) => {
    expect(await plant([name])).toEqual({ seeded: [name], found: [], pages: 2 });
  });
});
