import { parseAddressRules } from '@capture/egress/address-rules';
import type { CaptureProxy } from '@capture/egress/capture-proxy';
import { EgressProxyClient } from '@capture/egress/egress-proxy-client';
import { getByProxy } from '@capture/testing/network/connect-by-proxy';
import { findOwnPort } from '@capture/testing/network/own-port';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestControl, type TestControl, token } from './control-server.test-support.ts';

let page: PageServer;
let service: TestControl;

beforeEach(async () => {
  page = await openPageServer({ '/': 'page' });
  service = await openTestControl((own) => parseAddressRules({ allow: '127.0.0.0/8', own }));
});
afterEach(async () => {
  await service.close();
  await page.close();
});

/** Returns the status of a page requested through a proxy. Rejects if the proxy is gone or refuses. */
async function statusThrough(
  { url }: CaptureProxy,
  target = page.url(),
  from = '127.0.0.1',
): Promise<number | undefined> {
  return (await getByProxy(url, target, from)).resume().statusCode;
}

const open = (client = service.connect()) => client.open({ budget: {} });
const untilOpen = (count: number) =>
  waitUntil(() => service.control.openCaptures === count, { what: `${count} open captures` });

describe('200', () => {
  it('responds to /healthz without a token', async () => {
    const response = await fetch(`${service.url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });
});

describe('400, 404, 405, 413', () => {
  const call = (method: string, path: string, body?: string) =>
    fetch(`${service.url}${path}`, { method, headers: { authorization: `Bearer ${token}` }, ...(body && { body }) });

  it.each([
    ['POST', '/captures', 'no JSON', 400],
    ['POST', '/captures', '{"budget":{"bytes":-1},"own":[]}', 400],
    ['POST', '/captures', '{"budget":{},"own":[{"address":"a name","port":1}]}', 400],
    ['POST', '/captures', JSON.stringify({ budget: {}, own: [], more: 'x'.repeat(20_000) }), 413],
    ['GET', '/captures/0', undefined, 404],
    ['DELETE', '/captures/0', undefined, 404],
    ['GET', '/elsewhere', undefined, 404],
    ['GET', '/captures/0/more', undefined, 404],
    ['POST', '/captures/0/end', undefined, 404],
    ['PUT', '/captures', 'x', 405],
  ])('%s %s %s', async (method, path, body, status) => {
    expect((await call(method, path, body)).status).toBe(status);
    expect(service.control.openCaptures).toBe(0);
  });
});

describe('401', () => {
  it.each(['', 'x', `${token}x`, token.slice(1), 'é'])('without the token: %j', async (wrongToken) => {
    for (const [method, path] of [
      ['POST', '/captures'],
      ['GET', '/captures'],
      ['DELETE', '/captures/0'],
    ]) {
      const headers = { authorization: `Bearer ${Buffer.from(wrongToken).toString('latin1')}` };
      expect((await fetch(`${service.url}${path}`, { method, headers } as RequestInit)).status).toBe(401);
    }
    expect(service.control.openCaptures).toBe(0);
  });

  it('is reported at once, in one sentence', async () => {
    const client = service.connect({ token: 'another-token-of-more-than-32-characters' });
    await expect(client.ready(60_000)).rejects.toThrow(
      `The egress proxy at ${service.url} rejects this EGRESS_PROXY_TOKEN: set the same token for both.`,
    );
  });
});

describe('a proxy', () => {
  it('serves the machine that opened it, and no other', async () => {
    const proxy = await open();
    await expect(statusThrough(proxy)).resolves.toBe(200);
    await expect(statusThrough(proxy, page.url(), '127.0.0.2')).rejects.toThrow();
    expect((await proxy.record()).counts.connections).toBe(1);
  });

  it('reaches no part of the platform that its worker named', async () => {
    const proxy = await open(service.connect({ own: [{ address: '127.0.0.1', port: page.port }] }));
    await expect(statusThrough(proxy)).rejects.toThrow();
    expect((await proxy.record()).decision(page.url())).toMatchObject({ reason: 'blocked' });
    expect(page.hits()).toBe(0);
  });

  it('ends when it is closed, and keeps its record', async () => {
    const proxy = await open();
    await statusThrough(proxy);
    await Promise.all([proxy.close(), proxy.close()]);
    expect(service.control.openCaptures).toBe(0);
    await expect(statusThrough(proxy)).rejects.toThrow();
    await service.close();
    expect((await proxy.record()).counts.connections).toBe(1);
  });

  it('serves captures in turn, each with a separate record, and refuses everything in between', async () => {
    const proxy = await open();
    await statusThrough(proxy);
    await proxy.turn?.end();
    await expect(statusThrough(proxy)).rejects.toThrow();
    await proxy.turn?.begin();
    expect((await proxy.record()).counts.connections).toBe(0);
    await expect(statusThrough(proxy)).resolves.toBe(200);
    await proxy.close();
    expect(proxy.turn).toBeUndefined();
    expect((await proxy.record()).counts.connections).toBe(1);
  });

  it('ends with its worker, while the proxies of other workers stay open', async () => {
    const [one, other] = [service.connect(), service.connect()];
    const proxies = [await open(one), await open(one)];
    const kept = await open(other);
    await one.close();
    await untilOpen(1);
    for (const proxy of proxies) await expect(statusThrough(proxy)).rejects.toThrow();
    await expect(statusThrough(kept)).resolves.toBe(200);
  });

  it('notifies its worker when the service stops', async () => {
    const proxy = await open();
    await service.close();
    await proxy.lost;
    await expect(proxy.record()).rejects.toThrow(/cannot be reached/);
    await proxy.close();
  });
});

describe('a stop', () => {
  it('opens no more proxies, closes unused ones, and waits for captures in progress', async () => {
    const client = service.connect();
    const [unused, used] = [await open(client), await open(client)];
    await statusThrough(used);
    const draining = service.control.drain(60_000);
    await unused.lost;
    await expect(statusThrough(used)).resolves.toBe(200);
    const late = await fetch(`${service.url}/captures`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{"budget":{},"own":[]}',
    });
    expect(late.status).toBe(503);
    await used.close();
    await draining;
  });

  it('waits no longer than its limit', async () => {
    const proxy = await open();
    await statusThrough(proxy);
    await service.control.drain(10);
    await proxy.lost;
  });
});

describe('a worker', () => {
  it('waits for a service that starts later', async () => {
    const port = await findOwnPort();
    const client = new EgressProxyClient({ url: `http://127.0.0.1:${port}`, token });
    const waiting = client.ready(60_000);
    const late = await openTestControl(() => parseAddressRules({}), {}, port);
    await waiting;
    await client.close();
    await late.close();
  });

  it('reports in one sentence that the service is unreachable', async () => {
    const url = `http://127.0.0.1:${await findOwnPort()}`;
    const client = new EgressProxyClient({ url, token });
    await expect(client.ready(50)).rejects.toThrow(`The egress proxy at ${url} cannot be reached (ECONNREFUSED).`);
    await client.close();
  });
});
