import { loopbackHosts, oddUrls } from '@capture/testing/network/hostile-addresses';
import { type NameServer, openNameServer } from '@capture/testing/network/name-server';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { openVictim, type Victim } from '@capture/testing/network/victim';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestWorker, type TestWorker } from '../worker.test-support.ts';
import { egressAttempts } from './egress-attempts.test-support.ts';
import { egressPage, holdUntilHit, redirectingPages } from './egress-page.test-support.ts';

/** A second loopback address, which captures may reach: it stands for a public address. */
const publicAddress = '127.0.0.2';

/** The addresses of each name: all are the victim's but the public address. */
const names: Record<string, readonly string[]> = {
  'private.test': ['127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'mixed.test': [publicAddress, '127.0.0.1'],
  'mixed-otherwise.test': ['127.0.0.1', publicAddress],
  'both-families.test': [publicAddress, '::1'],
};
const hosts = [...loopbackHosts, ...Object.keys(names)];
const odd = 'odd URLs';

/** One forwarded request, one tunnelled request, and one request from a worker. */
const attempts = egressAttempts.filter(({ name }) => ['img', 'iframe in https', 'fetch in a worker'].includes(name));

describe('a victim with many names', () => {
  let server: PageServer;
  let victim: Victim;
  let resolver: NameServer;
  let allow: string;
  let page: string;
  const resolve = (name: string) => resolver.resolve(name);

  beforeAll(async () => {
    victim = await openVictim([...hosts, odd]);
    server = await openPageServer(redirectingPages);
    resolver = await openNameServer((name) => names[name] ?? []);
    allow = [`127.0.0.1/32:${server.port}`, ...hosts.map((host) => `${publicAddress}/32:${victim.port(host)}`)].join();
    const pages = hosts.map((host) => egressPage(attempts, () => `${host}:${victim.port(host)}`));
    const frames = oddUrls('http', victim.port(odd)).map((url) => `<iframe src="${url}"></iframe>`);
    page = [...pages, ...frames].join('\n');
  });
  afterAll(async () => {
    await resolver.close();
    await server.close();
    await victim.close();
  });

  describe('when blocked', () => {
    let worker: TestWorker;
    beforeAll(async () => {
      worker = await openTestWorker({ allow, resolve });
    });
    afterAll(() => worker.close());

    it('cannot be reached by a page', async () => {
      server.serve({ '/page': page });
      const { report } = await worker.capture(server.url('/page'), { wait_for_selector: '#tried' });
      expect(await victim.hits()).toEqual([]);
      expect(report.egress?.blocked).toBeGreaterThanOrEqual(attempts.length * hosts.length);
    });

    it.each(['127.0.0.1', '[::1]', '%6cocalhost', ...Object.keys(names)])('%s is URL_BLOCKED', async (host) => {
      const authority = `${host}:${victim.port(host)}`;
      expect(await worker.fail(`http://${authority}/`)).toMatchObject({ code: 'URL_BLOCKED' });
      expect(await victim.hits()).toEqual([]);
    });

    it.each(['127.0.0.1', 'private.test'])(
      '%s is URL_BLOCKED by https and as the target of a redirect',
      async (host) => {
        const authority = `${host}:${victim.port(host)}`;
        server.serve({ '/leads': { status: 302, headers: { location: `http://${authority}/` } } });
        for (const url of [`https://${authority}/`, server.url('/leads')]) {
          expect(await worker.fail(url)).toMatchObject({ code: 'URL_BLOCKED' });
        }
        expect(await victim.hits()).toEqual([]);
      },
    );
  });

  it('can be reached by every name when allowed', async () => {
    const itself = hosts.flatMap((host) => [`0.0.0.0/32:${victim.port(host)}`, `[::/128]:${victim.port(host)}`]);
    const worker = await openTestWorker({ allow: [allow, victim.allow, ...itself].join(), resolve });
    let hits: string[] = [];
    server.serve({
      '/page': `${page}<img src="/held">`,
      '/held': holdUntilHit(victim, [...hosts, odd], (current) => {
        hits = current;
      }),
    });
    await worker.capture(server.url('/page'), { wait_until: 'load', timeout_ms: 120_000 });
    expect(hits).toEqual([...hosts, odd]);
    await worker.close();
  });
});

describe('DNS rebinding', () => {
  const count = 50;
  const allNames = Array.from({ length: count }, (_, index) => `rebind-${index}.test`);

  it('connects to the checked address only, and is blocked once the name resolves to another', async () => {
    const victim = await openVictim(['rebound']);
    const port = victim.port('rebound');
    const decoy = await openPageServer({ '/': { headers: { connection: 'close' } } }, publicAddress, port);
    const html = `<!doctype html><body><script>
      const request = (name) => fetch('http://' + name + ':${port}/', { mode: 'no-cors', cache: 'no-store' }).catch(() => undefined);
      const requestTwice = (name) => request(name).then(() => request(name));
      Promise.all(${JSON.stringify(allNames)}.map(requestTwice)).then(() => {
        document.body.append(Object.assign(document.createElement('p'), { id: 'tried' }));
      });
    </script>`;
    const server = await openPageServer({ '/rebind': html });
    // Resolves to the public address at first, and to the private address from then on.
    const resolver = await openNameServer((_, time) => [time === 0 ? publicAddress : '127.0.0.1']);
    const rules = [`127.0.0.1/32:${server.port}`, `${publicAddress}/32:${port}`];
    const resolve = (name: string) => resolver.resolve(name);
    // With `auto`, a page whose requests are late on a busy machine is captured again, and the names are resolved again.
    const options = { wait_until: 'load', wait_for_selector: '#tried', timeout_ms: 120_000 } as const;

    const worker = await openTestWorker({ allow: rules.join(), resolve });
    const { report: first } = await worker.capture(server.url('/rebind'), options);
    expect(first.tries).toBe(1);
    // Every name led to the public address both times, and was resolved once.
    expect(decoy.hits()).toBe(2 * count);
    expect(allNames.map((name) => resolver.queries(name))).toEqual(allNames.map(() => 1));
    const { report } = await worker.capture(server.url('/rebind'), options);
    expect(report.egress?.blocked).toBe(2 * count);
    expect(decoy.hits()).toBe(2 * count);
    expect(await victim.hits()).toEqual([]);
    await worker.close();

    const open = await openTestWorker({ allow: [...rules, victim.allow].join(), resolve });
    await open.capture(server.url('/rebind'), options);
    expect(await victim.hits()).toEqual(['rebound']);
    await open.close();
    await resolver.close();
    await server.close();
    await decoy.close();
    await victim.close();
  });
});
