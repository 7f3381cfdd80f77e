import { startReporting } from '@capture/queue/process-reports';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { startSharedGateway } from '../../test-gateway.ts';
import { callOperator } from '../../webhooks/webhooks.test-support.ts';

const gateway = await startSharedGateway();

describe('GET /api/operator/processes', () => {
  const get = async () => (await callOperator(gateway, 'get', '/processes').expect(200)).body;

  it('200: lists the reported processes, and reports when Redis is unavailable', async () => {
    const servers = {
      at: expect.any(String),
      database: {
        response_ms: expect.any(Number),
        clock_offset_ms: expect.any(Number),
        connections: expect.any(Number),
        connections_in_use: expect.any(Number),
        waiting: 0,
      },
    };
    expect(await get()).toEqual({ ...servers, redis: 'ok', processes: [] });
    const detail = () => ({ slots: 256, in_flight: 3 });
    const stop = startReporting({ redis: gateway.redis, kind: 'webhook-dispatcher', id: 'one', detail });
    const body = await waitUntil(async () => ((await get()).processes.length > 0 ? get() : null), {
      what: 'the report',
    });
    expect(body).toEqual({
      ...servers,
      redis: 'ok',
      processes: [expect.objectContaining({ id: 'one', kind: 'webhook-dispatcher', detail: detail() })],
    });
    await stop();
    gateway.redis.disconnect();
    await waitUntil(() => gateway.redis.status !== 'ready', { what: 'the connection to be lost' });
    expect(await get()).toEqual({ ...servers, redis: 'unavailable', processes: [] });
  });

  it("401: with an account's key, or none", async () => {
    await gateway.http.get('/api/operator/processes').expect(401);
    const key = await gateway.register('processes@example.com');
    await gateway.as(key).get('/api/operator/processes').expect(401);
  });
});
