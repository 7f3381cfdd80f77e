import { type FormName, forms } from '@capture/contract/forms/forms';
import { connectRedis, whenReady } from '@capture/queue/connect-redis';
import { sendSignal } from '@capture/queue/signals';
import { openHttpsReceiver } from '@capture/testing/https-receiver';
import { startService, type TestProcess } from '@capture/testing/processes';
import { type OwnRedis, startOwnRedis } from '@capture/testing/redis';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  closeAll,
  closings,
  deliveryOf,
  newAccount,
  openTestDatabase,
  recordEvent,
  secretKey,
} from './deliveries.test-support.ts';

// The built service as a process of its own.

afterEach(closeAll);

async function open(name: FormName) {
  const form = forms[name];
  const database = await openTestDatabase();
  const redisServer: OwnRedis = await startOwnRedis();
  closings.push(() => redisServer.stop());
  const receiver = await openHttpsReceiver();
  closings.push(() => receiver.close());
  const accountId = await newAccount(database, 'whsec_QUJD');
  const record = () => recordEvent(database, form, { accountId, webhookUrl: `${receiver.url}/hooks` });
  const start = async (): Promise<TestProcess> => {
    const service = await startService('webhook-dispatcher', {
      CONTRACT_FORM: name,
      DATABASE_URL: database.url,
      REDIS_URL: redisServer.url,
      SECRET_KEY: secretKey,
      EGRESS_ALLOW: `127.0.0.1/32:${receiver.port}`,
      NODE_EXTRA_CA_CERTS: receiver.authority.file,
    });
    closings.push(() => service.kill());
    return service;
  };
  return { database, redisServer, receiver, record, start };
}

/** Lets all claims end, as time does. */
const endClaims = ({ pool }: { pool: { query(text: string): Promise<unknown> } }) =>
  pool.query(
    `UPDATE delivery SET lease_until = now() - interval '1 second', next_attempt_at = now() WHERE lease_until IS NOT NULL`,
  );

describe('the dispatcher', () => {
  it('sends what was due when it started and what comes to be due, told of it or not, and stops in order', async () => {
    const { database, redisServer, receiver, record, start } = await open('B');
    const before = await record();
    const service = await start();
    await receiver.waitForHits(1);
    const untold = await record();
    await receiver.waitForHits(2);
    const redis = connectRedis({ url: redisServer.url });
    closings.push(() => redis.disconnect());
    await whenReady(redis, 30_000);
    const told = await record();
    await sendSignal(redis, 'deliveriesDue');
    await receiver.waitForHits(3);
    for (const { deliveryId } of [before, untold, told]) {
      await waitUntil(async () => (await deliveryOf(database, deliveryId)).status === 'delivered', {
        what: deliveryId,
      });
    }
    expect(receiver.hits.map((hit) => hit.headers['webhook-id'])).toEqual(
      [before, untold, told].map(({ eventId }) => eventId),
    );
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(service.output()).not.toContain('whsec_');
    expect(service.output()).not.toContain(secretKey);
  });

  it('waits for the attempts under way before it ends', async () => {
    const { database, receiver, record, start } = await open('B');
    const { deliveryId } = await record();
    receiver.respondWith({ status: 200, delayMs: 500 });
    const service = await start();
    await receiver.waitForHits(1);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(await deliveryOf(database, deliveryId)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  it('claims nothing while Redis is away, goes on when it is back, and stops in order without it', async () => {
    const { database, redisServer, receiver, record, start } = await open('B');
    const service = await start();
    redisServer.kill();
    await redisServer.exited;
    const { deliveryId } = await record();
    await service.waitForOutput(/no deliveries can be claimed now/);
    expect(await deliveryOf(database, deliveryId)).toMatchObject({ attempt: 0, lease_until: null });
    await redisServer.restart();
    await receiver.waitForHits(1);
    await waitUntil(async () => (await deliveryOf(database, deliveryId)).status === 'delivered', { what: deliveryId });
    redisServer.kill();
    await redisServer.exited;
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  it('killed in the middle of an attempt: form B sends the same event again, by another dispatcher', async () => {
    const { database, receiver, record, start } = await open('B');
    const { deliveryId, eventId } = await record();
    receiver.respondNext('hang');
    const lost = await start();
    await receiver.waitForHits(1);
    await lost.kill();
    await start();
    await endClaims(database);
    await receiver.waitForHits(2);
    await waitUntil(async () => (await deliveryOf(database, deliveryId)).status === 'delivered', { what: deliveryId });
    expect(receiver.hits.map((hit) => hit.headers['webhook-id'])).toEqual([eventId, eventId]);
    expect(await deliveryOf(database, deliveryId)).toMatchObject({ attempt: 2, attempt_count: 1, retries_used: 0 });
  });

  it('killed in the middle of an attempt: form A gives that up, and sends what it had only claimed', async () => {
    const { database, receiver, record, start } = await open('A');
    const first = await record();
    receiver.respondNext('hang');
    const lost = await start();
    await receiver.waitForHits(1);
    // Stopped, it claims no more: as if it died after the claim and before the attempt.
    lost.signal('SIGSTOP');
    const second = await record();
    await database.pool.query(
      `UPDATE delivery SET attempt = 1, lease_until = now() - interval '1 second', next_attempt_at = now() WHERE id = $1`,
      [second.deliveryId],
    );
    await lost.kill();
    const service = await start();
    await endClaims(database);
    await receiver.waitForHits(2);
    await service.waitForOutput(/whose dispatcher was lost are given up/);
    expect(receiver.hits.map((hit) => hit.headers['webhook-id'])).toEqual([first.eventId, second.eventId]);
    await waitUntil(async () => !(await deliveryOf(database, second.deliveryId)), {
      what: 'the second to be forgotten',
    });
    expect(await deliveryOf(database, first.deliveryId)).toBeUndefined();
  });
});
