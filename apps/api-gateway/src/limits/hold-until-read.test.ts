import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import { startSharedGateway } from '../test-gateway.ts';
import { limits } from './admission.ts';

const gateway = await startSharedGateway();

it('stops handling requests of an account whose clients do not read its large responses', async () => {
  const key = await gateway.register('unread@example.com', 'business');
  const otherKey = await gateway.register('reads@example.com', 'business');
  const options = { css: `/*${'x'.repeat(60_000)}*/` };
  for (let i = 0; i < 100; i += 1) await gateway.as(key).put(`/api/v1/presets/p${i}`).send({ options });
  const server = createServer(gateway.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const slow = Array.from({ length: limits.unreadResponse.perAccount + limits.request.perAccount }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(`GET /api/v1/presets?limit=100 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`);
    return socket.once('data', () => socket.pause());
  });
  try {
    const begun = () => slow.every(({ bytesRead }) => bytesRead > 1_000);
    await waitUntil(begun, { what: 'all responses to start', timeoutMs: 90_000 });
    const get = (apiKey: string) =>
      fetch(`http://127.0.0.1:${port}/api/v1/account`, { headers: { 'X-API-Key': apiKey } });
    let ended = false;
    const own = get(key).finally(() => {
      ended = true;
    });
    // The rests of eight requests after their responses take less time.
    await sleep(3_000);
    expect((await get(otherKey)).status).toBe(200);
    expect(ended).toBe(false);
    slow.shift()?.destroy();
    expect((await own).status).toBe(200);
  } finally {
    for (const socket of slow) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    // The waiting requests now rest, one after the other.
    await sleep(2_000);
  }
});
