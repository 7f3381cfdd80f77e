import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Admission } from '../limits/admission.ts';
import { startSecondGateway, startTestGateway, startTestWorker, type TestGateway } from '../test-gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

it('holds up to 2,000 requests; one more gets 503 OVERLOADED and records nothing', async () => {
  const key = await gateway.register('full@example.com');
  const clients = Array.from({ length: 2_000 }, () => new AbortController());
  const waits = clients.map((client, i) =>
    gateway.captureWaiter.wait(`req_${i}`, { queueMs: 60_000, renderMs: 60_000 }, client.signal),
  );
  expect(gateway.captureWaiter.isFull).toBe(true);
  const request = gateway.as(key).get('/api/v1/screenshot').query({ url: 'https://example.com/' });
  const { body, headers } = await request.expect(503);
  expect(body.error_code).toBe('OVERLOADED');
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(await gateway.database.prisma.capture.count()).toBe(0);

  for (const client of clients) client.abort();
  expect(new Set(await Promise.all(waits))).toEqual(new Set(['client gone']));
  expect(gateway.captureWaiter.size).toBe(0);
});

it('holds 500 requests of one account, replays included; further requests get 429 and record nothing', async () => {
  const places = await Promise.all(Array.from({ length: 500 }, () => gateway.admission.take('captureWait', 'acc_1')));
  await expect(gateway.admission.take('captureWait', 'acc_1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  for (const leave of places) leave();

  const narrow = await startSecondGateway(gateway, {
    parts: { admission: new Admission(gateway.form, { captureWait: { perAccount: 3 } }) },
  });
  const [key, neighbour] = [await narrow.register('one@example.com', 'pro'), await narrow.register('two@example.com')];
  const send = (idempotencyKey: string, by = key) =>
    narrow
      .as(by)
      .post('/api/v1/screenshot')
      .set('Idempotency-Key', idempotencyKey)
      .send({ url: 'https://example.com/' })
      .then((response) => response);
  const waiting = [send('one'), send('one'), send('one')];
  await waitUntil(() => narrow.captureWaiter.size === 3, { what: 'one capture to be awaited three times' });
  for (const refused of [await send('one'), await send('new')]) {
    expect([refused.status, refused.body.error_code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  expect(await narrow.database.prisma.capture.count()).toBe(1);
  const theirs = send('one', neighbour);
  await waitUntil(() => narrow.captureWaiter.size === 4, { what: 'the other account to wait' });
  startTestWorker(gateway, () => 'completed');
  for (const { status } of await Promise.all([...waiting, theirs])) expect(status).toBe(200);
  const again = await send('one');
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  expect((await send('new')).status).toBe(200);
});
