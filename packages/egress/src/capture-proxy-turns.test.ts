import type { Socket } from 'node:net';
import { connectByProxy } from '@capture/testing/network/connect-by-proxy';
import { afterEach, expect, it } from '@jest/globals';
import { parseAddressRules } from './address-rules.ts';
import { type CaptureProxy, openCaptureProxy } from './capture-proxy.ts';
import { serveText } from './servers.test-support.ts';

const kept: Socket[] = [];
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource.close();
  for (const socket of kept.splice(0)) socket.destroy();
});

/** Whether a browser would be connected. */
async function connects(proxy: CaptureProxy, host: string, port: number): Promise<boolean> {
  try {
    kept.push(await connectByProxy(proxy.url, `${host}:${port}`));
    return true;
  } catch {
    return false;
  }
}

it('a proxy that captures use in turn refuses everything between turns, and starts each with a new record', async () => {
  const server = await serveText('page');
  opened.push(server);
  const proxy = await openCaptureProxy(parseAddressRules({ allow: `127.0.0.1:${server.port}` }), {
    budget: { connections: 2 },
  });
  opened.push(proxy);
  const page = () => connects(proxy, '127.0.0.1', server.port);

  expect(await page()).toBe(true);
  expect(await connects(proxy, '127.0.0.2', 80)).toBe(false);
  await proxy.turn?.end();
  await Promise.all(
    kept.map((socket) => socket.destroyed || new Promise((gone) => socket.resume().once('close', gone))),
  );
  expect(await page()).toBe(false);
  const { counts, decisions } = await proxy.record();
  expect([counts.blocked, decisions.length]).toEqual([1, 1]);

  await proxy.turn?.begin();
  expect(await proxy.record()).toMatchObject({ counts: { connections: 0, bytesIn: 0, blocked: 0 }, decisions: [] });
  for (let connection = 0; connection < 2; connection += 1) expect(await page()).toBe(true);
  expect(await page()).toBe(false);
  expect((await proxy.record()).exhausted).toBe('connections');

  await proxy.close();
  expect(proxy.turn).toBeUndefined();
});
