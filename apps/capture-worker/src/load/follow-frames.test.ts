import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { openVictim, type Victim } from '@capture/testing/network/victim';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { egressAttempts } from '../hostile/egress-attempts.test-support.ts';
import { egressPage, holdUntilHit, redirectingPages } from '../hostile/egress-page.test-support.ts';
import { openTestWorker, type TestWorker } from '../worker.test-support.ts';

describe('block_resources of websocket', () => {
  let server: PageServer;
  let sockets: Victim;
  let worker: TestWorker;
  const ways = egressAttempts.filter(({ name }) => /^(WebSocket|fetch) in a (nested )?worker$/.test(name));
  const names = ways.map(({ name }) => name);

  beforeAll(async () => {
    sockets = await openVictim(names);
    const page = `${egressPage(ways, (way) => `127.0.0.1:${sockets.port(way)}`)}<img src="/held">`;
    server = await openPageServer({ ...redirectingPages, '/workers': page });
    worker = await openTestWorker({ allow: `127.0.0.1/32:${server.port},${sockets.allow}` });
  });
  afterAll(async () => {
    await worker.close();
    await server.close();
    await sockets.close();
  });

  it('applies to workers and their workers, and only to their WebSockets', async () => {
    const options = { wait_for_selector: '#tried', wait_until: 'load' as const, timeout_ms: 120_000 };
    const others = names.filter((name) => !name.startsWith('WebSocket'));
    server.serve({ '/held': holdUntilHit(sockets, others, () => undefined) });
    await worker.capture(server.url('/workers'), { ...options, block_resources: ['websocket'] });
    expect(await sockets.hits()).toEqual(others);
    server.serve({ '/held': holdUntilHit(sockets, names, () => undefined) });
    await worker.capture(server.url('/workers'), options);
    expect(await sockets.hits()).toEqual(names);
  });
});
