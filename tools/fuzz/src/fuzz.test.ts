import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpServer } from '@capture/api-gateway/http/http-server';
import { operatorKey, startTestGateway, type TestGateway } from '@capture/api-gateway/test-gateway';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, expect, it } from '@jest/globals';
import { runFuzz } from './run-fuzz.ts';

// Runs a short form of `npm run fuzz`, which uses a service in a separate process.

const seed = Number(process.env.FUZZ_SEED ?? 1);

let gateway: TestGateway;
let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await gateway.close();
});

it.each([
  ['A', 15],
  ['B', 40],
] as const)(
  `form %s responds to any request as documented (FUZZ_SEED=${seed})`,
  async (form, perOperation) => {
    gateway = await startTestGateway(form, {
      // Requests name all kinds of receivers, and must not reach any.
      settings: { REGISTRATIONS_PER_HOUR: 1_000, EGRESS_DENY: '0.0.0.0/0,::/0' },
    });
    server = createHttpServer(gateway.app, gateway.log);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const report = await runFuzz({ port, operatorKey }, { perOperation, seed, atOnce: 16 });
    expect(report.faults.slice(0, 5)).toEqual([]);
    const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    await waitUntil(async () => (await open()) === 0, { what: 'all connections to be closed' });
  },
  // The test takes seconds, but a loaded machine may need longer.
  600_000,
);
