import type { IsolationLevel } from '@capture/contract/options/isolation';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openForTests, small, unusedPages } from '../worker.test-support.ts';
import { pageStates, statePage, statePages } from './page-states.test-support.ts';

const all = Object.keys(pageStates);
const closing = all.filter((name) => pageStates[name]?.closes);
const others = all.filter((name) => !closing.includes(name));

/** Storage, caches and workers; in a frame of another site they are partitioned by the site of the page. */
const ofFrames = ['local storage', 'a database', 'the cache of scripts', 'a file', 'a response in the HTTP cache'];

describe.each<IsolationLevel>(['account', 'site', 'strict'])(
  'the next capture of an account at the level %s',
  (level) => {
    const { server, worker } = openForTests(async () => statePages(() => server), { viewport: small });
    let account = 0;

    /**
     * Leaves states together. Returns the states that this capture and the next one find, and how many pages both take.
     *
     * @param framed whether a frame of another site leaves and looks for the states.
     */
    async function plant(names: readonly string[], framed = false) {
      account += 1;
      const states = names.map((name) => pageStates[name]!);
      server.serve({ '/seed': statePage(states, true), '/find': statePage(states, false) });
      for (const path of ['/seed', '/find']) {
        server.serve({
          [`${path}-framed`]: `<!doctype html><body><script>onmessage = ({ data }) => {
          document.title = data;
          document.body.insertAdjacentHTML('beforeend', '<p id="done">');
        }</script><iframe src="${server.url(path, 'localhost')}"></iframe>`,
        });
      }
      const foundAt = async (path: string) => {
        const url = server.url(framed ? `${path}-framed` : path);
        const options = { url, isolation: level, wait_until: 'load', wait_for_selector: '#done' };
        const { report } = await worker.captureFor(`account ${account}`, options);
        expect(report).toMatchObject({ isolation: level, tries: 1, problems: [] });
        const [, places] = /^found ?([\d,]*)$/.exec(report.page?.title ?? '') ?? [];
        if (places === undefined) throw new Error(`the page of ${path} says: ${report.page?.title}`);
        return names.filter((_, place) => places.split(',').includes(String(place)));
      };
      let found: string[] = [];
      let seeded: string[] = [];
      const pages = await unusedPages(worker, async () => {
        seeded = await foundAt('/seed');
        found = await foundAt('/find');
      });
      return { seeded, found, pages };
    }

    describe('does not find', () => {
      // All states together: two captures take as long for all of them as for one.
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

      it('any of these states, although it takes the same page unless it is strict', () => {
        expect(captured.pages).toBe(level === 'strict' ? 2 : 1);
      });
    });

    it('does not find the states that a frame of another site has left', async () => {
      // A preflight is needed only from another origin than the frame's.
      const ofFrame = others.filter((name) => name !== 'a preflight');
      const { seeded, found } = await plant(ofFrame, true);
      expect(seeded).toEqual(expect.arrayContaining(ofFrames));
      expect(found).toEqual([]);
    });

    it.each(closing)('does not find %s, because it takes another page', async (name) => {
      expect(await plant([name])).toEqual({ seeded: [name], found: [], pages: 2 });
    });
  },
);
