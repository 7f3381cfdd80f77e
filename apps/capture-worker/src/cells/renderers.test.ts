import { captureKinds } from '@capture/contract/options/capture-options';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CDPSession, Protocol } from 'puppeteer';
import type { SiteIsolation } from '../browser/chromium-flags.ts';
import { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { openTestWorker, type TestWorker } from '../worker.test-support.ts';

/** The renderer's process id of each frame of a page, by URL: Chromium reports both when it begins to trace the page. */
async function processesOf(session: CDPSession): Promise<Map<string, number>> {
  const events: Protocol.Tracing.DataCollectedEvent['value'] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', { categories: 'disabled-by-default-devtools.timeline' });
  await session.send('Tracing.end');
  await complete;
  const begun = events.find(({ name }) => name === 'TracingStartedInBrowser');
  const frames: { url: string; processId: number }[] = begun?.args.data.frames;
  return new Map(frames.map(({ url, processId }) => [url, processId]));
}

describe('the renderers of a cell', () => {
  let server: PageServer;
  let worker: TestWorker;
  let page: string;
  beforeAll(async () => {
    server = await openPageServer({ '/frame': '<p>frame', '/other': '<p>other' });
    server.serve({ '/page': `<!doctype html><p>page<iframe src="${server.url('/frame', 'localhost')}"></iframe>` });
    page = server.url('/page');
    worker = await openTestWorker({ allow: `127.0.0.1/32:${server.port},[::1]:${server.port}`, size: 1 });
  });
  afterAll(async () => {
    await worker.close();
    await server.close();
  });

  it.each<SiteIsolation>(['on', 'off'])('are never of two accounts, with site isolation %s', async (siteIsolation) => {
    const request = { isolation: siteIsolation === 'on' ? 'site' : 'account' };
    const parsed = captureKinds.screenshot.request.parse({ url: page, ...request });
    const take = (accountId: string) => worker.accountPages.of(accountId, parsed, false).take(new Deadline(60_000));
    const pages: CapturePage[] = await Promise.all(['one', 'two', 'three', 'one'].map(take));
    expect(new Set(pages.map(({ cell }) => cell)).size).toBe(1);
    // Chromium traces one page at a time.
    const visit = async (url: string) => {
      await Promise.all(pages.map((each) => each.page.goto(url, { waitUntil: 'load' })));
      const processes: Map<string, number>[] = [];
      for (const { session } of pages) processes.push(await processesOf(session));
      return processes;
    };
    const before = await visit(server.url('/other', 'localhost'));
    const processes = await visit(page);
    for (const [index, each] of processes.entries()) {
      expect([...each.keys()].sort()).toEqual([page, server.url('/frame', 'localhost')].sort());
      const isSame = each.get(page) === before[index]?.get(server.url('/other', 'localhost'));
      expect(isSame).toBe(siteIsolation === 'off');
    }
    // No account shares a process with another account, before or after its navigation.
    const sets = processes.map((each, index) => new Set([...each.values(), ...before[index]!.values()]));
    const all = sets.flatMap((each) => [...each]);
    expect(new Set(all).size).toBe(all.length);
    await Promise.all(pages.map((each) => each.close()));
  });
});
