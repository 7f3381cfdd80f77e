import { type ContractForm, contractForm, type FormName, forms } from '@capture/contract/forms/forms';
import { endpointSecretOf, rotateSigningSecret } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import { attemptLeaseMs } from '@capture/database/deliveries/begin-attempt';
import { type ClaimedDelivery, waitingLeaseMs } from '@capture/database/deliveries/claim-deliveries';
import { createEncryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type DeliverDependencies, deliver } from './deliver.ts';
import {
  claimAll,
  closeAll,
  deliverDependencies,
  dispatcherId,
  encryptor,
  newAccount,
  openSender,
  openTestDatabase,
  openTestReceiver,
  readAttempts,
  readDelivery,
  recordEvent,
} from './deliveries.test-support.ts';

afterEach(closeAll);

const { A, B } = forms;
const anotherEncryptor = createEncryptor('another key of more than 32 characters');
const signature = { A: /^sha256=[0-9a-f]{64}$/, B: /^[0-9a-f]{64}$/ };

async function open(form: ContractForm, secret = 'whsec_QUJD') {
  const database = await openTestDatabase();
  const receiver = await openTestReceiver();
  const sender = openSender(`127.0.0.1/32:${receiver.port}`, { ca: receiver.authority.cert });
  const { dependencies, ...rest } = deliverDependencies(form, database, sender);
  const accountId = await newAccount(database, secret);
  const webhookUrl = `${receiver.url}/hooks?token=hidden`;
  const record = () => recordEvent(database, form, { accountId, webhookUrl });
  const deliverDue = async (at?: Date, changed: Partial<DeliverDependencies> = {}) =>
    deliver({ ...dependencies, ...changed }, await claimOne(database, form, at));
  /** Adds an endpoint that gets the account's events. */
  async function addEndpoint(url: string, endpointSecret: string): Promise<string> {
    const id = newId('wh');
    await database.pool.query(
      `INSERT INTO webhook_endpoint (id, account_id, url, events, signing_secret, created_at)
       VALUES ($1, $2, $3, '{capture.completed}', $4, now())`,
      [id, accountId, url, encryptor.encrypt(endpointSecret, endpointSecretOf(id))],
    );
    return id;
  }
  const row = (deliveryId: string) => readDelivery(database, deliveryId);
  return { database, receiver, dependencies, ...rest, accountId, record, deliverDue, addEndpoint, row };
}

async function claimOne(database: Database, form: ContractForm, at = new Date()): Promise<ClaimedDelivery> {
  const [claim, ...others] = await claimAll(database, form, at);
  if (!claim || others.length > 0) throw new Error('not one delivery was due');
  return claim;
}

/** Converts the headers of a request to the type that the receiver's library expects. */
const headersOf = (hit: { headers: NodeJS.Dict<string | string[]> } | undefined) =>
  hit?.headers as Record<string, string>;

describe.each(['A', 'B'] satisfies FormName[])('an event of form %s', (name) => {
  const form = forms[name];

  it('is sent to its receiver as stored and signed, and the attempt is recorded', async () => {
    const { database, receiver, record, deliverDue, row } = await open(form);
    const event = await record();
    receiver.respondWith({ status: 202, body: 'thank you' });
    await deliverDue();

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
      expect(await row(event.deliveryId)).toBeUndefined();
      return;
    }
    expect(await row(event.deliveryId)).toMatchObject({ status: 'delivered', last_status: 202 });
    expect(await readAttempts(database, event.deliveryId)).toEqual([
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

  it('is logged in one line, without the secret, the path or the query of its receiver', async () => {
    const { receiver, accountId, lines, record, deliverDue } = await open(form);
    const event = await record();
    receiver.respondWith({ status: 500 });
    await deliverDue();
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

  it('is sent once, even if the queue delivers its claim several times', async () => {
    const { database, receiver, dependencies, record } = await open(form);
    const event = await record();
    receiver.respondWith({ status: 200, delayMs: 50 });
    const claim = await claimOne(database, form);
    await Promise.all([deliver(dependencies, claim), deliver(dependencies, claim), deliver(dependencies, claim)]);
    await deliver(dependencies, claim);
    expect(receiver.hits).toHaveLength(1);
    expect(await readAttempts(database, event.deliveryId)).toHaveLength(form.delivery.history ? 1 : 0);
  });

  it('is not sent when its claim is lost or has expired', async () => {
    const { database, receiver, dependencies, attemptsAt, record, row } = await open(form);
    const { deliveryId } = await record();
    const claim = await claimOne(database, form);
    const over = () => new Date(Date.now() + waitingLeaseMs);
    await deliver({ ...dependencies, attempts: attemptsAt(over) }, claim);
    await claimOne(database, form, over());
    await deliver(dependencies, claim);
    expect(receiver.hits).toEqual([]);
    expect(await row(deliveryId)).toMatchObject({ attempt: 2, begun_attempt: 0, attempt_count: 0 });
  });

  it('is not sent by a process that freezes as its attempt begins, until its claim has expired', async () => {
    const { receiver, dependencies, database, record } = await open(form);
    await record();
    const claim = await claimOne(database, form);
    const now = performance.now.bind(performance);
    const attempts = {
      ...dependencies.attempts,
      async begin(claimed: ClaimedDelivery) {
        const begun = await dependencies.attempts.begin(claimed);
        jest.spyOn(performance, 'now').mockImplementation(() => now() + attemptLeaseMs(form) + 1);
        return begun;
      },
    };
    try {
      expect(await deliver({ ...dependencies, attempts }, claim)).toBeNull();
    } finally {
      jest.restoreAllMocks();
    }
    expect(receiver.hits).toEqual([]);
  });

  it('has the signatures of both secrets during the overlap of a rotation', async () => {
    const { database, receiver, accountId, record, deliverDue } = await open(form, 'the previous secret');
    await record();
    const rotated = await rotateSigningSecret(database.pool, encryptor, accountId);
    await deliverDue();
    const [hit] = receiver.hits;
    expect(hit?.headers['x-service-signature-previous']).toBeDefined();
    for (const webhook of [new Webhook(rotated?.secret ?? ''), new Webhook('the previous secret', { format: 'raw' })]) {
      expect(() => webhook.verify(hit?.body.toString() ?? '', headersOf(hit))).not.toThrow();
    }
  });
});

describe('in form B', () => {
  it('a receiver that returns 500 and then 200 gets the same event twice, the second time on schedule', async () => {
    const form = contractForm('B', { retryDelaysMs: [3_600_000, 1, 1, 1, 1] });
    const { database, receiver, record, deliverDue, row } = await open(form);
    const event = await record();
    receiver.respondNext({ status: 500, body: 'sorry' });
    await deliverDue();
    const waiting = await row(event.deliveryId);
    const [first] = await readAttempts(database, event.deliveryId);
    expect(first).toMatchObject({ number: 1, status: 500, error: 'http_5xx', response_excerpt: 'sorry' });
    expect(waiting).toMatchObject({ status: 'pending', attempt_count: 1, retries_used: 1, last_error: 'http_5xx' });
    expect(waiting.next_attempt_at.getTime()).toBe(first.started_at.getTime() + first.duration_ms + 3_600_000);

    await expect(claimOne(database, form, new Date(waiting.next_attempt_at.getTime() - 1))).rejects.toThrow();
    await deliverDue(waiting.next_attempt_at);
    expect(await row(event.deliveryId)).toMatchObject({ status: 'delivered', attempt_count: 2 });
    const [one, two] = receiver.hits;
    expect(two?.body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
    expect(two?.headers['x-service-signature']).toBe(one?.headers['x-service-signature']);
  });

  it('the delay counts from the end of an attempt, even if it began late', async () => {
    const form = contractForm('B', { retryDelaysMs: [1_000, 1, 1, 1, 1] });
    const { database, receiver, dependencies, record } = await open(form);
    const event = await record();
    receiver.respondWith({ status: 500, delayMs: 100 });
    const claim = await claimOne(database, form);
    // All connections to Postgres are busy.
    const holders = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()));
    const delivering = deliver(dependencies, claim);
    await waitUntil(() => database.pool.waitingCount > 0, { what: 'the attempt to wait for a connection' });
    // The attempt begins late enough for the two times to differ.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const freedAt = Date.now();
    for (const holder of holders) holder.release();
    await delivering;
    const [attempt] = await readAttempts(database, event.deliveryId);
    expect(attempt.started_at.getTime()).toBeGreaterThanOrEqual(freedAt);
  });

  it('the published schedule is kept to the millisecond across restarts', async () => {
    const { database, receiver, attemptsAt, record, deliverDue, row } = await open(B);
    receiver.respondWith({ status: 500 });
    const { deliveryId } = await record();
    let clock = new Date();
    const now = () => clock;
    for (const delay of [30_000, 120_000, 600_000, 3_600_000, 14_400_000, null]) {
      // All state is in Postgres, so another dispatcher continues from there.
      await deliverDue(clock, { attempts: attemptsAt(now, `dispatcher-${delay}`), now });
      const state = await row(deliveryId);
      if (delay === null) expect(state).toMatchObject({ status: 'failed', attempt_count: 6, next_attempt_at: null });
      else {
        const { started_at, duration_ms } = (await readAttempts(database, deliveryId)).at(-1);
        expect(started_at).toEqual(clock);
        expect(state.next_attempt_at).toEqual(new Date(clock.getTime() + duration_ms + delay));
        clock = new Date(state.next_attempt_at.getTime() - 1);
        await expect(claimOne(database, B, clock)).rejects.toThrow('not one delivery was due');
        clock = state.next_attempt_at;
      }
    }
    expect(receiver.hits).toHaveLength(6);
    expect(new Set(receiver.hits.map((hit) => hit.headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.hits.map((hit) => hit.headers['webhook-timestamp'])).size).toBe(6);
  });

  it('a receiver that never responds times out', async () => {
    const form = contractForm('B', { timeoutMs: 200 });
    const { database, receiver, record, deliverDue } = await open(form);
    const event = await record();
    receiver.respondWith('hang');
    await deliverDue();
    expect(await readAttempts(database, event.deliveryId)).toEqual([
      expect.objectContaining({ status: null, error: 'timeout', response_excerpt: null }),
    ]);
  });

  it('a receiver whose name is not resolved in time gets fewer slots', async () => {
    const { database, accountId, record, deliverDue } = await open(B);
    const sender = openSender('', { resolve: () => new Promise(() => {}), lookUpTimeoutMs: 50 });
    const event = await record();
    await database.pool.query(`UPDATE delivery SET url = 'https://dead.example/'`);
    await database.pool.query(`UPDATE receiver SET host = (SELECT host FROM delivery)`);
    await deliverDue(undefined, { sender });
    expect(await readAttempts(database, event.deliveryId)).toMatchObject([{ status: null, error: 'dns' }]);
    const { rows } = await database.pool.query('SELECT host, prompt FROM receiver WHERE account_id = $1', [accountId]);
    expect(rows).toEqual([{ host: 'dead.example', prompt: false }]);
  });

  it('an outcome that could not be recorded at first is recorded later', async () => {
    const { database, receiver, dependencies, attemptsAt, lines, record, row } = await open(B);
    const event = await record();
    const claim = await claimOne(database, B);
    const failing = new Set(['record-outcomes', 'record-success']);
    const pool = {
      query: (statement: { name?: string }) =>
        failing.delete(statement.name ?? '')
          ? Promise.reject(new Error('the database system is shutting down'))
          : database.pool.query(statement as never),
    };
    const attempts = attemptsAt(dependencies.now, dispatcherId, { pool: pool as never });
    await deliver({ ...dependencies, attempts }, claim);
    expect(failing.size).toBe(0);
    expect(receiver.hits).toHaveLength(1);
    expect(await row(event.deliveryId)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    expect(lines[0]).toMatchObject({ level: 'warn', deliveries: 1 });
    expect(lines[1]).toMatchObject({ level: 'warn', delivery_id: event.deliveryId });
  });

  it('the outcome of an attempt that lost its claim is not recorded', async () => {
    const { database, receiver, dependencies, lines, record, row } = await open(B);
    const event = await record();
    const claim = await claimOne(database, B);
    let respond = () => {};
    const until = new Promise<void>((resolve) => {
      respond = resolve;
    });
    receiver.respondWith({ status: 200, until });
    const delivering = deliver(dependencies, claim);
    await receiver.waitForHits(1);
    await claimOne(database, B, new Date(Date.now() + B.delivery.timeoutMs + 30_000));
    respond();
    await delivering;
    expect(await row(event.deliveryId)).toMatchObject({
      status: 'pending',
      attempt: 2,
      attempt_count: 0,
    });
    expect(lines.at(-1)).toMatchObject({ state: 'claim lost' });
  });

  it('a delivery whose endpoint is paused after the claim is not sent but held', async () => {
    const { database, receiver, dependencies, accountId, lines, deliverDue, addEndpoint, row } = await open(B);
    await addEndpoint(`${receiver.url}/endpoint`, 'the endpoint’s secret');
    const { deliveryId } = await recordEvent(database, B, { accountId, webhookUrl: null });
    const claim = await claimOne(database, B);
    await database.pool.query(`UPDATE webhook_endpoint SET status = 'paused'`);
    await deliver(dependencies, claim);
    expect(await row(deliveryId)).toMatchObject({ status: 'paused', next_attempt_at: null });
    expect(lines.at(-1)).toMatchObject({
      delivery_id: deliveryId,
      msg: expect.stringContaining('its endpoint is not active'),
    });
    expect(receiver.hits).toEqual([]);

    await database.pool.query(`UPDATE webhook_endpoint SET status = 'active'`);
    const second = await recordEvent(database, B, { accountId, webhookUrl: null });
    await deliverDue();
    expect(await row(second.deliveryId)).toMatchObject({ status: 'delivered' });
    const [hit] = receiver.hits;
    expect(hit?.path).toBe('/endpoint');
    const verify = new Webhook(Buffer.from('the endpoint’s secret') as never, { format: 'raw' });
    expect(() => verify.verify(hit?.body.toString() ?? '', headersOf(hit))).not.toThrow();
  });

  it('an endpoint is disabled after five days of failures, with the reason in its row', async () => {
    const form = contractForm('B', { retryDelaysMs: [] });
    const { database, receiver, attemptsAt, accountId, lines, deliverDue, addEndpoint, row } = await open(form);
    receiver.respondWith({ status: 500 });
    const webhookId = await addEndpoint(receiver.url, 'whsec_QUJD');
    const endpointRow = async () => (await database.pool.query('SELECT * FROM webhook_endpoint')).rows[0];
    const begin = new Date();
    const day = 86_400_000;
    const failAt = async (at: Date) => {
      await recordEvent(database, form, { accountId, webhookUrl: null }, at);
      await deliverDue(at, { attempts: attemptsAt(() => at), now: () => at });
    };
    await failAt(begin);
    const { failing_since } = await endpointRow();
    expect(failing_since.getTime()).toBeGreaterThanOrEqual(begin.getTime());
    await failAt(new Date(begin.getTime() + 5 * day - 60_000));
    expect(await endpointRow()).toMatchObject({ status: 'active', failing_since });
    // After one success the five days start again.
    receiver.respondNext({ status: 200 });
    await failAt(new Date(begin.getTime() + 5 * day));
    expect(await endpointRow()).toMatchObject({ status: 'active', failing_since: null });
    const again = new Date(begin.getTime() + 6 * day);
    await failAt(again);
    const waiting = await recordEvent(database, form, { accountId, webhookUrl: null });
    await database.pool.query('UPDATE delivery SET next_attempt_at = $2 WHERE id = $1', [
      waiting.deliveryId,
      new Date(again.getTime() + 20 * day),
    ]);
    await failAt(new Date(again.getTime() + 5 * day + 60_000));
    expect(await endpointRow()).toMatchObject({
      status: 'disabled',
      disabled_reason: expect.stringMatching(/^every delivery has failed since 20.*; the last one: http_5xx$/),
    });
    expect(lines.at(-1)).toMatchObject({ level: 'warn', webhook_id: webhookId });
    expect(await row(waiting.deliveryId)).toMatchObject({ status: 'paused' });
    const later = await recordEvent(database, form, { accountId, webhookUrl: null });
    expect(await row(later.deliveryId)).toMatchObject({ status: 'paused', attempt: 0 });
  });

  it('an attempt that cannot be signed is not sent and fails like any other', async () => {
    const { database, receiver, lines, record, deliverDue, row } = await open(B);
    const { deliveryId } = await record();
    await deliverDue(undefined, { encryptor: anotherEncryptor });
    expect(receiver.hits).toEqual([]);
    expect(await row(deliveryId)).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      retries_used: 1,
      last_error: 'signing_key_gone',
    });
    expect(await readAttempts(database, deliveryId)).toMatchObject([
      { number: 1, status: null, error: 'signing_key_gone' },
    ]);
    expect(lines[0]).toMatchObject({
      level: 'error',
      delivery_id: deliveryId,
      err: { message: expect.stringContaining('encrypted with a key that is no longer configured') },
    });
    // Once the key is set again, the next attempt is sent.
    const { next_attempt_at } = await row(deliveryId);
    await deliverDue(next_attempt_at);
    expect(receiver.hits).toHaveLength(1);
  });

  it('a delivery that can never be signed fails after its last attempt', async () => {
    const { database, receiver, record, deliverDue, row } = await open(B);
    const { deliveryId } = await record();
    await database.pool.query('UPDATE delivery SET retries_used = 5');
    await deliverDue(undefined, { encryptor: anotherEncryptor });
    expect(receiver.hits).toEqual([]);
    expect(await row(deliveryId)).toMatchObject({ status: 'failed', last_error: 'signing_key_gone' });
  });
});

describe('in form A', () => {
  it.each([500, 301, 410])('a receiver that returns %d gets the event once; nothing is kept', async (status) => {
    const { database, receiver, record, deliverDue, row } = await open(A);
    const event = await record();
    receiver.respondWith({ status, headers: { location: `${receiver.url}/elsewhere` } });
    await deliverDue();
    expect(await row(event.deliveryId)).toBeUndefined();
    const { rows } = await database.pool.query('SELECT 1 FROM event');
    expect(rows).toEqual([]);
    expect(receiver.hits).toHaveLength(1);
  });
});
