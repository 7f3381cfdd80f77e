import { type FormName, forms } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { connectRedis, whenReady } from '@capture/queue/connect-redis';
import { sendSignal } from '@capture/queue/signals';
import { startService, type TestProcess } from '@capture/testing/processes/processes';
import { startOwnRedis } from '@capture/testing/redis';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  closeAll,
  closings,
  newAccount,
  openTestDatabase,
  openTestReceiver,
  readDelivery,
  recordEvent,
  secretKey,
} from './deliveries.test-support.ts';

// These tests run the built service as a process.

afterEach(closeAll);

async function open(name: FormName) {
  const form = forms[name];
  const database = await openTestDatabase();
  const redisServer = await startOwnRedis();
  closings.push(() => redisServer.stop());
  const receiver = await openTestReceiver();
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

const endClaims = ({ pool }: Database) =>
  pool.query(
    `UPDATE delivery SET lease_until = now() - interval '1 second', next_attempt_at = now() WHERE lease_until IS NOT NULL`,
  );

const waitUntilDelivered = (database: Database, id: string) =>
  waitUntil(async () => (await readDelivery(database, id)).status === 'delivered', { what: id });

describe('the dispatcher', () => {
  it('refuses a database of the other contract form in one sentence', async () => {
    const { database, start } = await open('B');
    await database.pool.query(`INSERT INTO deployment (id, contract_form) VALUES (1, 'A')`);
    await expect(start()).rejects.toThrow(/created with API profile A; CONTRACT_FORM is B\./);
  });

  it('sends deliveries due before and after its start, with or without a signal, and shuts down cleanly', async () => {
    const { database, redisServer, receiver, record, start } = await open('B');
    const before = await record();
    const service = await start();
    await receiver.waitForHits(1);
    const unsignalled = await record();
    await receiver.waitForHits(2);
    const redis = connectRedis({ url: redisServer.url });
    closings.push(() => redis.disconnect());
    await whenReady(redis, 30_000);
    const signalled = await record();
    await sendSignal(redis, 'deliveriesDue');
    await receiver.waitForHits(3);
    for (const { deliveryId } of [before, unsignalled, signalled]) {
      await waitUntilDelivered(database, deliveryId);
    }
    expect(receiver.hits.map((hit) => hit.headers['webhook-id'])).toEqual(
      [before, unsignalled, signalled].map(({ eventId }) => eventId),
    );
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(service.output()).not.toContain('whsec_');
    expect(service.output()).not.toContain(secretKey);
  });

  it('waits for attempts in progress before it exits', async () => {
    const { database, receiver, record, start } = await open('B');
    const { deliveryId } = await record();
    receiver.respondWith({ status: 200, delayMs: 500 });
    const service = await start();
    await receiver.waitForHits(1);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(await readDelivery(database, deliveryId)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  it('claims nothing while Redis is unavailable, continues when it is back, and shuts down cleanly without it', async () => {
    const { database, redisServer, receiver, record, start } = await open('B');
    const service = await start();
    redisServer.kill();
    await redisServer.exited;
    await service.waitForOutput(/cannot claim deliveries/);
    const { deliveryId } = await record();
    expect(await readDelivery(database, deliveryId)).toMatchObject({ attempt: 0, lease_until: null });
    await redisServer.restart();
    await receiver.waitForHits(1);
    await waitUntilDelivered(database, deliveryId);
    // The delivery is at its first attempt; a claim during the outage would have used this attempt.
    expect(await readDelivery(database, deliveryId)).toMatchObject({ attempt: 1 });
    redisServer.kill();
    await redisServer.exited;
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  it('killed during an attempt: in form B another dispatcher sends the same event again', async () => {
    const { database, receiver, record, start } = await open('B');
    const { deliveryId, eventId } = await record();
    receiver.respondNext('hang');
    const lost = await start();
    await receiver.waitForHits(1);
    await lost.kill();
    await start();
    await endClaims(database);
    await receiver.waitForHits(2);
    await waitUntilDelivered(database, deliveryId);
    expect(receiver.hits.map((hit) => hit.headers['webhook-id'])).toEqual([eventId, eventId]);
    expect(await readDelivery(database, deliveryId)).toMatchObject({ attempt: 2, attempt_count: 1, retries_used: 0 });
  });

  it('killed during an attempt: form A drops that delivery, and sends what was only claimed', async () => {
    const { database, receiver, record, start } = await open('A');
    const first = await record();
    receiver.respondNext('hang');
    const lost = await start();
    await receiver.waitForHits(1);
    // A frozen dispatcher claims nothing more, as if it died between claim and attempt.
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
    await service.waitForOutput(/dropped the attempts of a lost dispatcher/);
    expect(receiver.hits.map((hit) => hit.headers['webhook-id'])).toEqual([first.eventId, second.eventId]);
    await waitUntil(async () => !(await readDelivery(database, second.deliveryId)), {
      what: 'the second to be deleted',
    });
    expect(await readDelivery(database, first.deliveryId)).toBeUndefined();
  });
});
