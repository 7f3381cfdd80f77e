import { openVictim, type Victim } from '@capture/testing/network/victim';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openForTests, openTestWorker, small } from '../worker.test-support.ts';
import { egressAttempts } from './egress-attempts.test-support.ts';
import { egressPage, holdUntilHit, redirectingPages } from './egress-page.test-support.ts';

const names = egressAttempts.map(({ name }) => name);
const tried = { wait_for_selector: '#tried' };

describe('a page that makes every egress attempt', () => {
  let victim: Victim;
  let html: string;
  const toVictim = (name: string) => `127.0.0.1:${victim.port(name)}`;

  const { server, worker } = openForTests(
    async () => {
      victim = await openVictim(names);
      html = egressPage(egressAttempts, toVictim);
      return { ...redirectingPages, '/attempts': html };
    },
    { viewport: small },
  );
  afterAll(() => victim.close());

  it.each(['screenshot', 'pdf', 'og_image'] as const)('reaches nothing during a %s capture', async (type) => {
    await worker.render(type, { url: server.url('/attempts'), ...tried });
    expect(await victim.hits()).toEqual([]);
  });

  it('reaches nothing as a document sent in html', async () => {
    const absolute = html.replaceAll('"/', `"${server.url('/')}`).replaceAll("'/", `'${server.url('/')}`);
    await worker.render('screenshot', { html: absolute, ...tried });
    expect(await victim.hits()).toEqual([]);
  });

  it.each([
    [
      'the image of a card',
      'og_image',
      (at: string) => ({ '/card': `<meta property="og:image" content="http://${at}/">` }),
    ],
    ['the icon of a card', 'og_image', (at: string) => ({ '/card': `<link rel="icon" href="http://${at}/">` })],
  ] as const)('reaches nothing through %s', async (_, type, make) => {
    server.serve(make(toVictim('img')));
    await worker.render(type, { url: server.url('/card'), template: 'card' });
    expect(await victim.hits()).toEqual([]);
  });

  it("reaches nothing through a PDF's header and footer or the client's css and js", async () => {
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

  it('is captured without the blocked resources, and its receipt names them', async () => {
    const reported = [
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
    const some = egressAttempts.filter(({ name }) => reported.includes(name));
    server.serve({ '/some': egressPage(some, toVictim) });
    const { report } = await worker.capture(server.url('/some'), tried);
    const scheme = (name: string) => (name === 'iframe in https' ? 'https' : 'http');
    const failures = reported.map((name) => ({ url: `${scheme(name)}://${toVictim(name)}/`, reason: 'blocked' }));
    expect(report.failures).toHaveLength(failures.length);
    expect(report.failures).toEqual(expect.arrayContaining(failures));
    expect(report.egress?.blocked).toBeGreaterThanOrEqual(failures.length);
  });

  it('reaches the victim by every attempt that browsers support, once it is allowed', async () => {
    const reachable = egressAttempts.filter(({ unsupported }) => !unsupported).map(({ name }) => name);
    const open = await openTestWorker({ allow: `127.0.0.1/32:${server.port},${victim.allow}` });
    let hits: string[] = [];
    server.serve({
      '/held': holdUntilHit(victim, reachable, (current) => {
        hits = current;
      }),
      '/allowed': `${html}<img src="/held">`,
    });
    await open.capture(server.url('/allowed'), { wait_until: 'load', timeout_ms: 120_000 });
    expect(hits).toEqual(reachable);
    await open.close();
  });
});
