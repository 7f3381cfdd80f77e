import { parseAddressRules } from '@capture/egress/address-rules';
import { findOwnPort } from '@capture/testing/network/own-port';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { startProcess, startService, type TestProcess } from '@capture/testing/processes/processes';
import { repositoryRoot } from '@capture/testing/test-run';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestWorker, type TestWorker } from '../worker.test-support.ts';
import { type CaptureEgress, openCaptureEgress } from './capture-egress.ts';

const token = 'a-token-of-more-than-32-characters';
const terms = { rules: parseAddressRules({}), own: [], withinMs: 50 };

describe('egress through the egress proxy', () => {
  let page: PageServer;
  let secret: PageServer;
  let url: string;
  let env: Record<string, string>;
  let service: TestProcess;
  let captureEgress: CaptureEgress;
  let worker: TestWorker;

  beforeAll(async () => {
    page = await openPageServer({ '/': '<!doctype html><p>page' });
    secret = await openPageServer({ '/': 'SECRET' });
    const port = await findOwnPort();
    url = `http://localhost:${port}`;
    env = {
      EGRESS_ALLOW: `127.0.0.1/32:${page.port}`,
      EGRESS_PROXY_PORT: String(port),
      EGRESS_PROXY_TOKEN: token,
    };
    const starting = startService('egress-proxy', env);
    captureEgress = await openCaptureEgress(
      { EGRESS_PROXY_URL: url, EGRESS_PROXY_TOKEN: token },
      { ...terms, withinMs: 60_000 },
    );
    await (await starting).stop();
    // The worker's own rules allow all of 127.0.0.0/8; the egress proxy's rules apply.
    worker = await openTestWorker({ allow: '127.0.0.0/8', captureEgress });
  });
  afterAll(async () => {
    await worker.close();
    await captureEgress.close();
    await secret.close();
    await page.close();
  });

  beforeEach(async () => {
    service = await startService('egress-proxy', env);
  });
  afterEach(() => service.stop());

  it('allows only what the egress proxy’s rules allow', async () => {
    const { report } = await worker.capture(page.url());
    expect(report.egress).toMatchObject({ connections: 1, blocked: 0 });
    const embedding = `<!doctype html><img src="${secret.url()}"><p>page`;
    page.serve({ '/embeds': embedding, '/leads': { status: 302, headers: { location: secret.url() } } });
    const { report: partial } = await worker.capture(page.url('/embeds'));
    expect(partial.failures).toEqual([{ url: secret.url(), reason: 'blocked' }]);
    expect(await worker.fail(page.url('/leads'))).toMatchObject({ code: 'URL_BLOCKED' });
    expect(secret.hits()).toBe(0);
  });

  it('recovers when the egress proxy is killed and restarted', async () => {
    // The page that is ready loses its proxy.
    await worker.pool.refill();
    await service.kill();
    service = await startService('egress-proxy', env);
    const { report } = await worker.capture(page.url());
    expect(report).toMatchObject({ httpStatus: 200, tries: 1 });
  });

  it('retries a capture whose page lost its proxy', async () => {
    let lose: () => void = () => undefined;
    const lost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    let opened = 0;
    const openProxy: CaptureEgress['openProxy'] = async (options) => {
      opened += 1;
      const isFirst = opened === 1;
      const proxy = await captureEgress.openProxy(options);
      return isFirst ? { ...proxy, lost } : proxy;
    };
    page.serve({ '/slow': (_, response) => (opened === 1 ? lose() : response.end('<p>page')) });
    const other = await openTestWorker({ allow: '127.0.0.0/8', captureEgress: { ...captureEgress, openProxy } });
    const { report } = await other.capture(page.url('/slow'));
    expect(report).toMatchObject({ tries: 2, problems: [expect.stringMatching(/^ended: /)] });
    await other.close();
  });

  it('lets the egress proxy stop on SIGTERM while a page is ready', async () => {
    await worker.pool.refill();
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(service.output()).toContain('ended the proxy of a capture');
  });

  it.each([
    [{ EGRESS_PROXY_TOKEN: undefined }, 'EGRESS_PROXY_TOKEN: is missing'],
    [{ EGRESS_PROXY_TOKEN: `${token}x` }, 'rejects this EGRESS_PROXY_TOKEN'],
    [{ EGRESS_PROXY_URL: 'http://127.0.0.1:9' }, 'The egress proxy at http://127.0.0.1:9 cannot be reached'],
  ])('throws for %j', async (change, sentence) => {
    const settings = { EGRESS_PROXY_URL: url, EGRESS_PROXY_TOKEN: token, ...change };
    await expect(openCaptureEgress(settings, terms)).rejects.toThrow(sentence);
  });

  it('keeps the worker from starting when the egress proxy refuses its token', async () => {
    const started = startProcess({
      name: 'capture-worker',
      args: [`${repositoryRoot}/apps/capture-worker/dist/main.js`],
      env: {
        DATABASE_URL: 'postgres://127.0.0.1:9/x',
        REDIS_URL: 'redis://127.0.0.1:9',
        STORAGE_URL: 'file:///nowhere',
        SECRET_KEY: 'a-secret-key-of-more-than-32-characters',
        EGRESS_PROXY_URL: url,
        EGRESS_PROXY_TOKEN: `${token}x`,
      },
    });
    expect(await started.exited).toEqual({ code: 1, signal: null });
    expect(started.output()).toContain('rejects this EGRESS_PROXY_TOKEN');
  });
});
