import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import { startSharedGateway } from '../test-gateway.ts';

const gateway = await startSharedGateway();

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The gateway reads an account's large bodies one by one; the first request must still wait when the last does. */
const requests = 10;
const bytes = 1_900_000;

/** A separate process sends the requests and waits, so that this process holds only the memory of the gateway. */
const client = `
const [url, key] = process.argv.slice(1);
for (let i = 0; i < ${requests}; i += 1) {
  const body = JSON.stringify({ html: i + 'x'.repeat(${bytes}) });
  fetch(url, { method: 'POST', headers: { 'X-API-Key': key, 'Content-Type': 'application/json' }, body }).catch(() => {});
}`;

/** The number of bytes that this process uses after the garbage collector has run. */
function used(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it('a request that waits for its capture holds none of its html', async () => {
  const key = await gateway.register('html@example.com', 'business');
  await gateway.as(key).get('/api/v1/account').expect(200);
  const server = createServer(gateway.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const before = used();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/screenshot`;
  const sender = spawn(process.execPath, ['-e', client, url, key], { stdio: 'ignore' });
  try {
    await waitUntil(() => gateway.captureWaiter.size === requests, { what: 'all to wait', timeoutMs: 25_000 });
    // The last request's body may still be in a buffer that is about to be dropped.
    await waitUntil(() => used() - before < (requests * bytes) / 3, {
      what: 'the bodies to leave memory',
      timeoutMs: 4_000,
    });
  } finally {
    const exited = once(sender, 'exit');
    sender.kill('SIGKILL');
    await exited;
  }
  await waitUntil(() => gateway.captureWaiter.size === 0, { what: 'the waits to end', timeoutMs: 10_000 });
  await new Promise((resolve) => server.close(resolve));
  expect(await gateway.database.prisma.capture.count()).toBe(requests);
});
