import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { findFreePort, tryPort } from './free-port.ts';

it('returns the preferred port if it is free, else another', async () => {
  const port = await findFreePort();
  expect(await findFreePort(port)).toBe(port);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await tryPort(port, '127.0.0.1')).toBe('taken');
  // A server on all addresses, such as the gateway, would also collide.
  expect(await tryPort(port)).toBe('taken');
  const other = await findFreePort(port);
  expect(other).not.toBe(port);
  expect(other).toBeLessThan(32_768);
  server.close();
});
