import { type ContractForm, contractForm, type FormName, forms } from '@capture/contract/forms';
import { type ClaimedDelivery, claimDeliveries } from '@capture/database/claim-deliveries';
import type { Database } from '@capture/database/database';
import { createSealer } from '@capture/database/sealed';
import { rotateSigningSecret } from '@capture/database/signing-secret';
import { parseAddressRules } from '@capture/egress/address-rules';
import { createHttpsSender } from '@capture/egress/https-sender';
import { type HttpsReceiver, openHttpsReceiver } from '@capture/testing/https-receiver';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type DeliverDependencies, deliver } from './deliver.ts';
import {
  attemptsOf,
  closeAll,
  closings,
  deliveryOf,
  newAccount,
  openTestDatabase,
  readableLog,
  recordEvent,
  sealer,
} from './deliveries.test-support.ts';

afterEach(closeAll);

const { A, B } = forms;
const signature = { A: /^sha256=[0-9a-f]{64}$/, B: /^[0-9a-f]{64}$/ };

async function open(form: ContractForm, secret = 'whsec_QUJD') {
  const database = await openTestDatabase();
  const receiver: HttpsReceiver = await openHttpsReceiver();
  closings.push(() => receiver.close());
  const rules = parseAddressRules({ allow: `127.0.0.1/32:${receiver.port}` });
  const sender = createHttpsSender(rules, { ca: receiver.authority.cert });
  closings.push(() => sender.close());
  const { log, lines } = readableLog();
  const dependencies: DeliverDependencies = { form, database, sealer, sender, log };
  const accountId = await newAccount(database, secret);
  const webhookUrl = `${receiver.url}/hooks?token=hidden`;
  const record = () => recordEvent(database, form, { accountId, webhookUrl });
  return { database, receiver, dependencies, accountId, lines, record };
}

async function claimOne({ pool }: Database, form: ContractForm, at = new Date()): Promise<ClaimedDelivery> {
  const [claim] = await claimDeliveries(pool, form, { at, limit: 1 });
  if (!claim) throw new Error('nothing was due');
  return claim;
}

/** The headers of a request as a receiver's library takes them. */
const headersOf = (hit: { headers: NodeJS.Dict<string | string[]> } | undefined) =>
  hit?.headers as Record<string, string>;

describe.each(['A', 'B'] satisfies FormName[])('an event of form %s', (name) => {
  const form = forms[name];

  it('goes all the way: the stored bytes, signed, to its receiver, and the attempt is written down', async () => {
    const { database, receiver, dependencies, record } = await open(form);
    const event = await record();
    receiver.answer({ status: 202, body: 'thank you' });
    await deliver(dependencies, await claimOne(database, form));

    expect(receiver.hits).toHaveLength(1);
    const [hit] = receiver.hits;
    expect(hit).toMatchObject({ method: 'POST', path: '/hooks?token=hidden' });
    expect(hit?.body.equals(event.body)).toBe(true);
    expect(hit?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(event.body.length),
      'user-agent': 'Capture-Webhooks/1.0',
      'webhook-id': event.eventId,
      'x-service-signature': expect.stringMatching(signature[name]),
    });
    expect(new Webhook('whsec_QUJD').verify(hit?.body.toString() ?? '', headersOf(hit))).toMatchObject({
      event: 'capture.completed',
      request_id: event.captureId,
    });

    if (!form.delivery.history) {
      expect(await deliveryOf(database, event.deliveryId)).toBeUndefined();
      return;
    }
    expect(await deliveryOf(database, event.deliveryId)).toMatchObject({ status: 'delivered', last_status: 202 });
    expect(await attemptsOf(database, event.deliveryId)).toEqual([
      {
        delivery_id: event.deliveryId,
        number: 1,
        trigger: 'schedule',
        started_at: expect.any(Date),
        duration_ms: expect.any(Number),
        status: 202,
        error: null,
        response_excerpt: 'thank you',
      },
    ]);
  });

  it('leaves one wide line in the log, without the secret, the path or the query of its receiver', async () => {
    const { database, receiver, dependencies, accountId, lines, record } = await open(form);
    const event = await record();
    receiver.answer({ status: 500 });
    await deliver(dependencies, await claimOne(database, form));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'info',
      delivery_id: event.deliveryId,
      event_id: event.eventId,
      event: 'capture.completed',
      request_id: event.captureId,
      account_id: accountId,
      receiver: `127.0.0.1:${receiver.port}`,
      attempt: 1,
      status: 500,
      error: 'http_5xx',
      body_bytes: event.body.length,
      state: form.delivery.history ? 'pending' : 'failed',
    });
    expect(JSON.stringify(lines)).not.toMatch(/hidden|QUJD|hooks\?/);
  });

  it('is sent once, however often the queue hands its claim out', async () => {
    const { database, receiver, dependencies, record } = await open(form);
    const event = await record();
    receiver.answer({ status: 200, delayMs: 50 });
    const claim = await claimOne(database, form);
    await Promise.all([deliver(dependencies, claim), deliver(dependencies, claim), deliver(dependencies, claim)]);
    await deliver(dependencies, claim);
    expect(receiver.hits).toHaveLength(1);
    expect(await attemptsOf(database, event.deliveryId)).toHaveLength(form.delivery.history ? 1 : 0);
  });

  it('is not sent when the claim is another’s by now, or ends before the attempt would', async () => {
    const { database, receiver, dependencies, record } = await open(form);
    const { deliveryId } = await record();
    const claim = await claimOne(database, form);
    await database.pool.query(`UPDATE delivery SET lease_until = now() + make_interval(secs => $1)`, [
      form.delivery.timeoutMs / 1_000,
    ]);
    await deliver(dependencies, claim);
    await database.pool.query(`UPDATE delivery SET next_attempt_at = now()`);
    await claimOne(database, form, new Date(Date.now() + 1_000));
    await deliver(dependencies, claim);
    expect(receiver.hits).toEqual([]);
    expect(await deliveryOf(database, deliveryId)).toMatchObject({ attempt: 2, begun_attempt: 0, attempt_count: 0 });
  });

  it('carries the signatures of both secrets during the overlap of a rotation', async () => {
    const { database, receiver, dependencies, accountId, record } = await open(form, 'the former secret');
    await record();
    const rotated = await rotateSigningSecret(database.pool, sealer, accountId);
    await deliver(dependencies, await claimOne(database, form));
    const [hit] = receiver.hits;
    expect(hit?.headers['x-service-signature-previous']).toBeDefined();
    for (const webhook of [new Webhook(rotated?.secret ?? ''), new Webhook('the former secret', { format: 'raw' })]) {
      expect(() => webhook.verify(hit?.body.toString() ?? '', headersOf(hit))).not.toThrow();
    }
  });
});

describe('in form B', () => {
  it('a receiver that answers 500 and then 200 gets the same event twice, the second time on schedule', async () => {
    const form = contractForm('B', { retryDelaysMs: [3_600_000, 1, 1, 1, 1] });
    const { database, receiver, dependencies, record } = await open(form);
    const event = await record();
    receiver.answerNext({ status: 500, body: 'sorry' });
    await deliver(dependencies, await claimOne(database, form));
    const waiting = await deliveryOf(database, event.deliveryId);
    const [first] = await attemptsOf(database, event.deliveryId);
    expect(first).toMatchObject({ number: 1, status: 500, error: 'http_5xx', response_excerpt: 'sorry' });
    expect(waiting).toMatchObject({ status: 'pending', attempt_count: 1, retries_used: 1, last_error: 'http_5xx' });
    expect(waiting.next_attempt_at.getTime()).toBe(first.started_at.getTime() + first.duration_ms + 3_600_000);

    await expect(claimOne(database, form, new Date(waiting.next_attempt_at.getTime() - 1))).rejects.toThrow();
    await deliver(dependencies, await claimOne(database, form, waiting.next_attempt_at));
    expect(await deliveryOf(database, event.deliveryId)).toMatchObject({ status: 'delivered', attempt_count: 2 });
    const [one, two] = receiver.hits;
    expect(two?.body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
    expect(two?.headers['x-service-signature']).toBe(one?.headers['x-service-signature']);
  });

  it('the delay runs from the end of an attempt, however long its beginning took', async () => {
    const form = contractForm('B', { retryDelaysMs: [1_000, 1, 1, 1, 1] });
    const { database, receiver, dependencies, record } = await open(form);
    const event = await record();
    receiver.answer({ status: 500, delayMs: 100 });
    // Every connection to Postgres is busy for a while.
    const holders = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()));
    const claim = await claimDeliveries(holders[0] as never, form, { at: new Date(), limit: 1 });
    const delivering = deliver(dependencies, claim[0] as ClaimedDelivery);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const freedAt = Date.now();
    for (const holder of holders) holder.release();
    await delivering;
    const [attempt] = await attemptsOf(database, event.deliveryId);
    expect(attempt.started_at.getTime()).toBeGreaterThanOrEqual(freedAt);
  });

  it('a receiver that never answers is a time-out', async () => {
    const form = contractForm('B', { timeoutMs: 200 });
    const { database, receiver, dependencies, record } = await open(form);
    const event = await record();
    receiver.answer('hang');
    await deliver(dependencies, await claimOne(database, form));
    expect(await attemptsOf(database, event.deliveryId)).toEqual([
      expect.objectContaining({ status: null, error: 'timeout', response_excerpt: null }),
    ]);
  });

  it('an outcome that could not be written down at first is written down all the same', async () => {
    const { database, receiver, dependencies, lines, record } = await open(B);
    const event = await record();
    const claim = await claimOne(database, B);
    let failures = 0;
    const pool = {
      query: (statement: { name?: string }) => {
        if (statement.name === 'record-attempt' && failures === 0) {
          failures += 1;
          return Promise.reject(new Error('the database system is shutting down'));
        }
        return database.pool.query(statement as never);
      },
    };
    await deliver({ ...dependencies, database: { pool: pool as never } }, claim);
    expect(failures).toBe(1);
    expect(receiver.hits).toHaveLength(1);
    expect(await deliveryOf(database, event.deliveryId)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    expect(lines[0]).toMatchObject({ level: 'warn', delivery_id: event.deliveryId });
  });

  it('what comes of an attempt after its claim was another’s is not written down', async () => {
    const { database, receiver, dependencies, lines, record } = await open(B);
    const event = await record();
    const claim = await claimOne(database, B);
    receiver.answer({ status: 200, delayMs: 300 });
    const delivering = deliver(dependencies, claim);
    await receiver.waitForHits(1);
    await database.pool.query('UPDATE delivery SET next_attempt_at = now()');
    await claimOne(database, B, new Date(Date.now() + 1_000));
    await delivering;
    expect(await deliveryOf(database, event.deliveryId)).toMatchObject({
      status: 'pending',
      attempt: 2,
      attempt_count: 0,
    });
    expect(lines.at(-1)).toMatchObject({ state: 'claim lost' });
  });

  it('nothing is sent that cannot be signed: its key is gone', async () => {
    const { database, receiver, dependencies, record } = await open(B);
    await record();
    const other = createSealer('another key of more than 32 characters');
    const sending = deliver({ ...dependencies, sealer: other }, await claimOne(database, B));
    await expect(sending).rejects.toThrow('sealed with a key that is not set any more');
    expect(receiver.hits).toEqual([]);
  });
});

describe('in form A', () => {
  it.each([500, 301, 410])('a receiver that answers %d gets the event once; nothing of it is kept', async (status) => {
    const { database, receiver, dependencies, record } = await open(A);
    const event = await record();
    receiver.answer({ status, headers: { location: `${receiver.url}/elsewhere` } });
    await deliver(dependencies, await claimOne(database, A));
    expect(await deliveryOf(database, event.deliveryId)).toBeUndefined();
    const { rows } = await database.pool.query('SELECT 1 FROM event');
    expect(rows).toEqual([]);
    expect(receiver.hits).toHaveLength(1);
  });
});
