import { describe, expect, it } from '@jest/globals';
import { startSharedGateway } from '../../test-gateway.ts';

const gateway = await startSharedGateway();

describe('GET /api/operator/queues', () => {
  const get = () => gateway.asOperator.get('/api/operator/queues');

  it('200: shows queued work, with and without Redis', async () => {
    const key = await gateway.register('queues@example.com', 'pro');
    for (let i = 0; i < 3; i++) {
      const sent = gateway.as(key).post('/api/v1/screenshot');
      await sent.send({ url: 'https://example.com/', async: true }).expect(202);
    }
    const expected = {
      queues: [
        { name: 'captures', waiting: 3, active: 0, delayed: 0, oldest_waiting_s: expect.any(Number), workers: 0 },
        { name: 'deliveries', waiting: 0, active: 0, delayed: 0, oldest_waiting_s: null, workers: 0 },
      ],
    };
    expect((await get().expect(200)).body).toEqual(expected);
    gateway.redis.disconnect();
    expect((await get().expect(200)).body).toEqual(expected);
  });

  it('401: without the operator key', async () => {
    await gateway.http.get('/api/operator/queues').expect(401);
  });
});
