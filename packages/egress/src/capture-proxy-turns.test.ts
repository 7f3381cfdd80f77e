import http from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from '@jest/globals';
import { parseAddressRules } from './address-rules.ts';
import { type CaptureProxy, openCaptureProxy } from './capture-proxy.ts';
import { serveText } from './servers.test-support.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource.close();
});

/** A request over a connection that is kept, as a browser's are. */
function asBrowser(proxy: CaptureProxy, agent: http.Agent, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(proxy.url);
    const request = http.get({ host: '127.0.0.1', port, path: url, agent }, (response) => resolve(text(response)));
    request.on('error', reject);
  });
}

it('a proxy that captures use in turn lets nothing through between two turns, and begins each anew', async () => {
  const server = await serveText('page');
  opened.push(server);
  const proxy = await openCaptureProxy(parseAddressRules({ allow: `127.0.0.1:${server.port}` }), {
    budget: { requests: 2 },
  });
  opened.push(proxy);
  const agent = new http.Agent({ keepAlive: true });
  opened.push({ close: async () => agent.destroy() });
  const page = `http://127.0.0.1:${server.port}/`;
  const elsewhere = 'http://127.0.0.2/';

  expect(await asBrowser(proxy, agent, page)).toBe('page');
  await expect(asBrowser(proxy, agent, elsewhere)).rejects.toThrow();
  proxy.turn?.end();
  await expect(asBrowser(proxy, agent, page)).rejects.toThrow();
  const { counts, verdicts } = await proxy.record();
  expect([counts.blocked, verdicts.length]).toEqual([1, 1]);

  proxy.turn?.begin();
  expect(await proxy.record()).toMatchObject({ counts: { requests: 0, bytesIn: 0, blocked: 0 }, verdicts: [] });
  for (let request = 0; request < 2; request += 1) expect(await asBrowser(proxy, agent, page)).toBe('page');
  await expect(asBrowser(proxy, agent, page)).rejects.toThrow();
  expect((await proxy.record()).exhausted).toBe('requests');

  await proxy.close();
  expect(proxy.turn).toBeUndefined();
});
