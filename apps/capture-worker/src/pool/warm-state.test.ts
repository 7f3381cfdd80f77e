import { describe, expect, it, jest } from '@jest/globals';
import { openForTests } from '../worker.test-support.ts';
import { pageStates, statePage, statePages } from './page-states.test-support.ts';

describe('the next capture in a warm page', () => {
  const { server, worker } = openForTests(async () => statePages(() => server));
  let account = 0;

  it.each(Object.entries(pageStates))('does not find %s', async (_, state) => {
    account += 1;
    server.serve({ '/seed': statePage(state, true), '/find': statePage(state, false) });
    const unused = jest.spyOn(worker.pool, 'take');
    const titleAt = async (path: string) => {
      const options = { url: server.url(path), wait_until: 'load', wait_for_selector: '#done' };
      return (await worker.captureFor(`account ${account}`, options)).report.page?.title;
    };
    const seeded = await titleAt('/seed');
    const found = await titleAt('/find');
    const pages = unused.mock.calls.length;
    unused.mockRestore();
    expect({ seeded, found, pages }).toEqual({
      seeded: expect.stringMatching(/^found/),
      found: 'nothing',
      pages: state.closes ? 2 : 1,
    });
  });
});
