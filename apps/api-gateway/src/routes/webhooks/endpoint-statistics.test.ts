import { afterAll, expect, it } from '@jest/globals';
import { endDeliveries, newClient, recordEvent, startWebhookGateway } from '../../webhooks/webhooks.test-support.ts';

const { gateway, close } = await startWebhookGateway();
afterAll(close);
const client = await newClient(gateway, 'owner@example.com');
const stranger = await newClient(gateway, 'stranger@example.com');
const dayMs = 86_400_000;

it('200: counts the deliveries of one endpoint by day and status', async () => {
  const id = await client.register('https://hooks.example.com/captures');
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs);
  for (const daysAgo of [0, 1, 1]) await recordEvent(gateway, client.id, { at: at(daysAgo) });
  await endDeliveries(gateway, 'delivered');
  await recordEvent(gateway, client.id, { at: at(1) });
  await endDeliveries(gateway, 'failed');
  await recordEvent(gateway, client.id, { at: at(0) });
  await recordEvent(gateway, client.id, { at: at(9) });
  const { body } = await client.call('get', `/${id}/statistics?days=3`).expect(200);
  const none = { delivered: 0, failed: 0, pending: 0 };
  const dateOf = (daysAgo: number) => at(daysAgo).toISOString().slice(0, 10);
  expect(body.days).toEqual([
    { date: dateOf(2), ...none },
    { date: dateOf(1), ...none, delivered: 2, failed: 1 },
    { date: dateOf(0), ...none, delivered: 1, pending: 1 },
  ]);
  const other = await client.register('https://hooks.example.com/others');
  const empty = await client.call('get', `/${other}/statistics`).expect(200);
  expect(empty.body.days).toHaveLength(7);
  expect(empty.body.days[6]).toMatchObject(none);
});

it('400: an unknown number of days', async () => {
  const id = await client.register('https://hooks.example.com/days');
  expect((await client.call('get', `/${id}/statistics?days=31`).expect(400)).body.details[0].field).toBe('days');
});

it('404: the endpoint of another account', async () => {
  const id = await client.register('https://hooks.example.com/own');
  await stranger.call('get', `/${id}/statistics`).expect(404);
});
