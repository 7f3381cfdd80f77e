import type { FormName } from '@capture/contract/forms/forms';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startTestGateway, startTestWorker, type TestGateway } from '../../test-gateway.ts';
import { callOperator, recordEvent } from '../../webhooks/webhooks.test-support.ts';

describe('GET /api/operator/activity', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.close());

  const open = async (form: FormName = 'B') => {
    gateway = await startTestGateway(form);
  };
  const get = async (query = '') => (await callOperator(gateway, 'get', `/activity${query}`).expect(200)).body;

  it('200: shows activity per minute, the busiest accounts and the failing receivers', async () => {
    await open();
    const key = await gateway.register('busy@example.com', 'pro');
    const worker = startTestWorker(gateway, () => 'completed');
    await gateway.as(key).get('/api/v1/screenshot?url=https://example.com/').expect(200);
    await worker.close();
    const { id } = await gateway.database.prisma.account.findFirstOrThrow();
    await recordEvent(gateway, id, { webhookUrl: 'https://down.example.com/hook' });
    await gateway.database.pool.query(`UPDATE delivery SET last_error = 'refused', attempt_count = 1`);
    const body = await waitUntil(async () => ((await get()).accounts.length > 0 ? get() : null), {
      what: 'the capture',
    });
    expect(body.minutes).toHaveLength(60);
    const sum = (name: string) =>
      body.minutes.reduce((total: number, minute: Record<string, number>) => total + (minute[name] ?? 0), 0);
    expect([sum('completed'), sum('failed'), sum('cancelled'), sum('deliveries_failed')]).toEqual([1, 0, 0, 0]);
    expect(body.accounts).toEqual([{ id, email: 'busy@example.com', plan: 'pro', open: 0, ended: 1, used_today: 1 }]);
    expect(body.receivers).toEqual([
      { host: 'down.example.com', accounts: 1, pending: 1, oldest_due_at: expect.any(String), last_error: 'refused' },
    ]);
    expect((await get('?minutes=5')).minutes).toHaveLength(5);
  });

  it('200: has no attempt counts in a form that stores none', async () => {
    await open('A');
    const { minutes } = await get('?minutes=1');
    expect(minutes[0]).toMatchObject({ completed: 0, deliveries_succeeded: null, deliveries_failed: null });
  });

  it('400: names the invalid field', async () => {
    await open();
    for (const query of ['minutes=0', 'minutes=1441', 'minutes=x']) {
      const { body } = await callOperator(gateway, 'get', `/activity?${query}`).expect(400);
      expect(body.details[0].field).toBe('minutes');
    }
  });

  it('401: without the operator key', async () => {
    await open();
    await gateway.http.get('/api/operator/activity').expect(401);
  });
});

describe('GET /api/operator/deployment', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.close());

  it.each<FormName>(['A', 'B'])('200: shows form %s and its plans', async (name) => {
    gateway = await startTestGateway(name);
    const { body } = await callOperator(gateway, 'get', '/deployment').expect(200);
    expect(body.form).toBe(name);
    const plans = Object.entries(gateway.form.plans).map(([plan, { monthlyLimit, perSecond }]) => ({
      name: plan,
      monthly_limit: monthlyLimit,
      per_second: perSecond,
    }));
    expect(body.plans).toEqual(plans);
    await gateway.http.get('/api/operator/deployment').expect(401);
  });
});
