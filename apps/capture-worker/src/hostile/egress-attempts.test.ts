import { openPageServer, type PageServer } from '@capture/testing/page-server';
import { openVictim, type Victim } from '@capture/testing/victim';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestWorker, type TestWorker } from '../worker.test-support.ts';
import { egressAttempts } from './egress-attempts.test-support.ts';
import { egressPage, holdUntilHit, redirectingPages } from './egress-page.test-support.ts';

const names = egressAttempts.map(({ name }) => name);
const tried = { wait_for_selector: '#tried' };

describe('a page that tries every way out', () => {
  let server: PageServer;
  let victim: Victim;
  let worker: TestWorker;
  let html: string;
  const toVictim = (way: string) => `127.0.0.1:${victim.port(way)}`;

  beforeAll(async () => {
    victim = await openVictim(names);
    html = egressPage(egressAttempts, toVictim);
    server = await openPageServer({ ...redirectingPages, '/ways': html });
    worker = await openTestWorker({ allow: `127.0.0.1/32:${server.port}` });
  });
  afterAll(async () => {
    await worker.close();
    await victim.close();
    await server.close();
  });

  it.each(['screenshot', 'pdf', 'og_image'] as const)('reaches nothing while a %s is made of it', async (type) => {
    await worker.render(type, { url: server.url('/ways'), ...tried });
    expect(await victim.hits()).toEqual([]);
  });

  it('reaches nothing as a document of the client', async () => {
    const here = html.replaceAll('"/', `"${server.url('/')}`).replaceAll("'/", `'${server.url('/')}`);
    await worker.render('screenshot', { html: here, ...tried });
    expect(await victim.hits()).toEqual([]);
  });

  it.each([
    [
      'the image of a card',
      'og_image',
      (at: string) => ({ '/card': `<meta property="og:image" content="http://${at}/">` }),
    ],
    ['the icon of a card', 'og_image', (at: string) => ({ '/card': `<link rel="icon" href="http://${at}/">` })],
  ] as const)('reaches nothing by %s', async (_, type, make) => {
    server.serve(make(toVictim('img')));
    await worker.render(type, { url: server.url('/card'), template: 'card' });
    expect(await victim.hits()).toEqual([]);
  });

  it("reaches nothing by a PDF's header and footer, nor by the client's own style and script", async () => {
    server.serve({ '/plain': '<p>plain' });
    const img = `<img src="http://${toVictim('img')}/">`;
    const options = {
      url: server.url('/plain'),
      css: `@import 'http://${toVictim('@import')}/'; p { background: url(http://${toVictim('CSS background')}/) }`,
      js: `await fetch('http://${toVictim('fetch')}/').catch(() => undefined)`,
    };
    await worker.render('pdf', { ...options, header_html: img, footer_html: img, margin: '50px' });
    expect(await victim.hits()).toEqual([]);
  });

  it('is captured without what it did not get, and its receipt names that', async () => {
    const visible = [
      'iframe',
      'iframe in https',
      'img',
      'script',
      'stylesheet',
      'CSS background',
      'font',
      'video',
      'fetch',
    ];
    server.serve({
      '/some': egressPage(
        egressAttempts.filter(({ name }) => visible.includes(name)),
        toVictim,
      ),
    });
    const { report } = await worker.capture(server.url('/some'), tried);
    const scheme = (name: string) => (name === 'iframe in https' ? 'https' : 'http');
    const named = visible.map((name) => ({ url: `${scheme(name)}://${toVictim(name)}/`, reason: 'blocked' }));
    expect(report.failures).toHaveLength(named.length);
    expect(report.failures).toEqual(expect.arrayContaining(named));
    expect(report.egress?.blocked).toBeGreaterThanOrEqual(named.length);
  });

  it('reaches it by each way that browsers have, once the victim is allowed', async () => {
    const reachable = egressAttempts.filter((way) => !way.never).map(({ name }) => name);
    const open = await openTestWorker({ allow: `127.0.0.1/32:${server.port},${victim.allow}` });
    let hits: string[] = [];
    server.serve({
      '/held': holdUntilHit(victim, reachable, (all) => {
        hits = all;
      }),
      '/allowed': `${html}<img src="/held">`,
    });
    await open.capture(server.url('/allowed'), { wait_until: 'load', timeout_ms: 120_000 });
    expect(hits).toEqual(reachable);
    await open.close();
  });
});
