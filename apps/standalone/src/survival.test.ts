import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type HttpsReceiver, openHttpsReceiver } from '@capture/testing/network/https-receiver';
import { registerAccount } from '@capture/testing/processes/accounts';
import { type Standalone, startStandalone } from '@capture/testing/processes/standalone';
import { makeTestFolder } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { captureSamplePage, killProgram } from './platform.test-support.ts';

// This test kills the processes of the real platform one after the other while the platform works. Nothing may be lost or counted
// twice.
jest.setTimeout(900_000);

const dataDir = { path: '' };
let receiver: HttpsReceiver;
let platform: Standalone;
let key: string;

beforeAll(async () => {
  dataDir.path = makeTestFolder('platform');
  receiver = await openHttpsReceiver();
  platform = await startStandalone(dataDir.path, {
    EGRESS_ALLOW: `127.0.0.1/32:${new URL(receiver.url).port}`,
    NODE_EXTRA_CA_CERTS: receiver.authority.file,
    WEBHOOK_RETRY_DELAYS: '1s,2s,4s,8s,16s',
  });
  key = await registerAccount(platform);
});

afterAll(async () => {
  await platform.supervisor.stop();
  await receiver.close();
});

async function api<Body>(target: string, body?: object): Promise<Body> {
  const response = await fetch(`${platform.url}/api/v1/${target}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<Body>;
}

/** Requests a capture; returns what the client sees. */
async function requestCapture(): Promise<'image' | 'error' | 'closed'> {
  try {
    const url = `${platform.url}/api/v1/screenshot?url=${encodeURIComponent(`${platform.samplePage}?${Math.random()}`)}`;
    const response = await fetch(url, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(180_000) });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 200) {
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      return 'image';
    }
    expect(JSON.parse(bytes.toString())).toEqual({
      error_code: expect.stringMatching(/^[A-Z_]+$/),
      error_message: expect.any(String),
      request_id: expect.stringMatching(/^req_/),
    });
    return 'error';
  } catch (error) {
    // fetch throws this error without a connection or when the connection breaks. Jest's realm has another TypeError.
    if ((error as Error).name === 'TypeError') return 'closed';
    throw error;
  }
}

interface Capture {
  status: string;
}

/** Counts this account's captures in each state. */
async function countCaptures(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let cursor: string | null = null;
  do {
    const page: { captures: Capture[]; next_cursor: string | null } = await api(
      `captures?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    for (const { status } of page.captures) counts[status] = (counts[status] ?? 0) + 1;
    cursor = page.next_cursor;
  } while (cursor !== null);
  return counts;
}

/** Waits until no capture is in progress, then compares the quota with the records. */
async function expectExactQuota(): Promise<void> {
  const counts = await waitUntil(
    async () => {
      const found = await countCaptures();
      return (found.queued ?? 0) + (found.processing ?? 0) === 0 && found;
    },
    { what: 'all captures to have ended', timeoutMs: 300_000 },
  );
  const { usage } = await api<{ usage: { used: number; reserved: number } }>('account');
  expect(usage).toMatchObject({ used: counts.completed, reserved: 0 });
}

describe('while captures run', () => {
  it.each(['api-gateway', 'capture-worker', 'webhook-dispatcher', 'redis', 'postgres', 'chromium'])(
    '%s is killed: images, clean errors or closed connections, then captures succeed again and the quota is exact',
    async (name) => {
      const requests = Array.from({ length: 3 }, requestCapture);
      await waitUntil(async () => (await countCaptures()).processing, { what: 'captures to run' });
      await killProgram(dataDir.path, name);
      const outcomes = await Promise.all(requests);
      if (name !== 'api-gateway') expect(outcomes).not.toContain('closed');

      const size = await waitUntil(() => captureSamplePage(platform, key), {
        what: 'a capture that succeeds',
        timeoutMs: 180_000,
      });
      expect(size).toEqual([1280, 720]);
      await expectExactQuota();
    },
  );
});

interface Batch {
  status: string;
  total: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  pending: number;
  results: { status: string }[];
}

const batchSize = 20;

describe(`during a batch of ${batchSize}`, () => {
  it('workers are killed, Redis is killed and emptied, Postgres is killed: every item ends once, and is notified once', async () => {
    const items = Array.from({ length: batchSize }, (_, i) => ({ url: `${platform.samplePage}?item=${i}` }));
    const webhookUrl = `${receiver.url}/batch`;
    const { batch_id } = await api<{ batch_id: string }>('batches', {
      items,
      options: { width: 320, height: 200, format: 'jpeg' },
      webhook_url: webhookUrl,
    });
    const read = () => api<Batch>(`batches/${batch_id}?limit=1000`);
    const processed = (count: number) =>
      waitUntil(async () => (await read()).pending <= batchSize - count, {
        what: `${count} items to have ended`,
        timeoutMs: 180_000,
      });

    await processed(4);
    await killProgram(dataDir.path, 'capture-worker');
    await processed(8);
    await killProgram(dataDir.path, 'redis');
    await emptyRedis();
    await processed(12);
    await killProgram(dataDir.path, 'postgres');

    const batch = await waitUntil(
      async () => {
        const now = await read();
        return now.status === 'completed' && now;
      },
      { what: 'the batch to be completed', timeoutMs: 300_000 },
    );
    expect(batch).toMatchObject({ total: batchSize, cancelled: 0, pending: 0 });
    expect(batch.succeeded + batch.failed).toBe(batchSize);
    expect(batch.results.filter(({ status }) => status === 'completed')).toHaveLength(batch.succeeded);
    expect(batch.results.filter(({ status }) => status === 'failed')).toHaveLength(batch.failed);
    await expectExactQuota();

    // There is an event for each capture, for every tenth item and for the completion. An event keeps its id, however often it is
    // delivered.
    const total = batchSize + batchSize / 10 + 1;
    const events = () => {
      const byId = new Map(
        receiver.hits.map((hit) => [hit.headers['webhook-id'], JSON.parse(hit.body.toString()).event]),
      );
      return [...byId.values()];
    };
    await waitUntil(() => events().length >= total, { what: 'all events to be delivered', timeoutMs: 180_000 });
    expect(events().filter((event) => event === 'batch.completed')).toHaveLength(1);
    expect(events().filter((event) => event === 'batch.progress')).toHaveLength(batchSize / 10);
    expect(events()).toHaveLength(total);
  });
});

async function emptyRedis(): Promise<void> {
  const { REDIS_PASSWORD } = JSON.parse(readFileSync(path.join(dataDir.path, 'secrets.json'), 'utf8'));
  const { redis: port } = JSON.parse(readFileSync(path.join(dataDir.path, 'run', 'ports.json'), 'utf8'));
  const client = new Redis({ host: '127.0.0.1', port, password: REDIS_PASSWORD });
  await client.flushall();
  client.disconnect();
}
