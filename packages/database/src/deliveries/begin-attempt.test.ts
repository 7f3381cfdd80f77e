import { forms } from '@capture/contract/forms/forms';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  endpointSecretOf,
  readSigningSecret,
  rotateSigningSecret,
  signingSecretOf,
} from '../accounts/signing-secret.ts';
import { encryptor, newAccount, rowOf, useTestDatabase, whileLocked } from '../captures/captures.test-support.ts';
import { beginAttempts, holdDelivery } from './begin-attempt.ts';
import { waitingLeaseMs } from './claim-deliveries.ts';
import {
  after,
  begin,
  claimAll,
  claimOne,
  dispatcherId,
  due,
  eventBody,
  insertDelivery,
  insertEndpoint,
  leaseMs,
  webhookUrl,
} from './deliveries.test-support.ts';

const database = await useTestDatabase();
const { pool } = database;
const { B } = forms;
let accountId: string;
let id: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event, delivery, delivery_attempt');
  accountId = (await newAccount(database)).id;
  id = await insertDelivery(pool, accountId);
});

it('returns all that an attempt needs', async () => {
  const attempt = await begin(pool, B, await claimOne(pool, B));
  expect(attempt).toEqual({
    id,
    attempt: 1,
    accountId,
    webhookId: null,
    url: webhookUrl,
    host: 'hooks.example.com',
    attemptCount: 0,
    retriesUsed: 0,
    trigger: 'schedule',
    eventId: expect.stringMatching(/^evt_/),
    eventName: 'capture.completed',
    captureId: expect.stringMatching(/^req_/),
    batchId: null,
    body: eventBody,
    signingSecret: expect.stringMatching(/^v1\./),
    previousSigningSecret: null,
    failingSince: null,
  });
  expect(encryptor.decrypt(attempt?.signingSecret ?? '', signingSecretOf(accountId))).toBe('whsec_QUJD');
});

it('begins once among simultaneous calls', async () => {
  const claim = await claimOne(pool, B);
  const started = await Promise.all(Array.from({ length: 10 }, () => begin(pool, B, claim)));
  expect(started.filter(Boolean)).toHaveLength(1);
  expect(await begin(pool, B, claim)).toBeNull();
});

it.each(['A', 'B'] as const)('extends the lease to the timeout plus half a minute (form %s)', async (name) => {
  const at = after(due, waitingLeaseMs - 1);
  await begin(pool, forms[name], await claimOne(pool, forms[name]), at);
  expect(await rowOf(pool, 'delivery', id)).toMatchObject({
    begun_attempt: 1,
    dispatcher_id: dispatcherId,
    lease_until: after(at, leaseMs(forms[name])),
    next_attempt_at: after(at, leaseMs(forms[name])),
  });
});

it('does not begin after the claim expired or was returned', async () => {
  const claim = await claimOne(pool, B);
  expect(await begin(pool, B, claim, after(due, waitingLeaseMs))).toBeNull();
  await pool.query('UPDATE delivery SET lease_until = NULL');
  expect(await begin(pool, B, claim)).toBeNull();
});

it('does not begin with an older claim or without one', async () => {
  expect(await begin(pool, B, { id, attempt: 0 })).toBeNull();
  const previous = await claimOne(pool, B);
  const at = after(due, waitingLeaseMs);
  const present = await claimOne(pool, B, at);
  expect(await begin(pool, B, previous)).toBeNull();
  expect(await begin(pool, B, { id, attempt: 3 }, at)).toBeNull();
  expect(await begin(pool, B, present, at)).not.toBeNull();
});

describe('an attempt at a registered endpoint', () => {
  let webhookId: string;

  beforeEach(async () => {
    await pool.query('TRUNCATE event, delivery, delivery_attempt');
    webhookId = await insertEndpoint(pool, accountId);
    id = await insertDelivery(pool, accountId, due, { webhookId });
  });

  it('is signed with the endpoint’s own secret, and the previous one during the overlap', async () => {
    const decrypt = (encrypted = '') => encryptor.decrypt(encrypted, endpointSecretOf(webhookId));
    const first = await begin(pool, B, await claimOne(pool, B));
    expect(first).toMatchObject({ webhookId, previousSigningSecret: null });
    expect(decrypt(first?.signingSecret)).toBe('whsec_REVG');

    const next = encryptor.encrypt('whsec_R0hJ', endpointSecretOf(webhookId));
    await pool.query(
      `UPDATE webhook_endpoint SET previous_signing_secret = signing_secret, signing_secret = $1,
              previous_signing_secret_until = now() + interval '1 hour'`,
      [next],
    );
    const at = after(due, leaseMs(B));
    const second = await begin(pool, B, await claimOne(pool, B, at), at);
    expect([decrypt(second?.signingSecret), decrypt(second?.previousSigningSecret ?? '')]).toEqual([
      'whsec_R0hJ',
      'whsec_REVG',
    ]);
  });

  it.each([
    ['paused', `UPDATE webhook_endpoint SET status = 'paused'`, { status: 'paused', last_error: null }],
    ['disabled', `UPDATE webhook_endpoint SET status = 'disabled'`, { status: 'paused', completed_at: null }],
    [
      'deleted',
      'DELETE FROM webhook_endpoint',
      { status: 'failed', last_error: 'endpoint_deleted', completed_at: due },
    ],
  ])('does not begin once the endpoint is %s, and the delivery is held', async (_, change, row) => {
    const claim = await claimOne(pool, B);
    expect(await holdDelivery(pool, claim, due)).toBe(false);
    await pool.query(change);
    expect(await begin(pool, B, claim)).toBeNull();
    expect(await holdDelivery(pool, claim, due)).toBe(true);
    expect(await rowOf(pool, 'delivery', id)).toMatchObject({ ...row, lease_until: null, next_attempt_at: null });
    expect(await claimAll(pool, B, after(due, 1e9))).toEqual([]);
  });
});

it('a delivery to the URL of a request, or one that has begun, is not held', async () => {
  const claim = await claimOne(pool, B);
  expect(await holdDelivery(pool, claim, due)).toBe(false);
  await begin(pool, B, claim);
  expect(await holdDelivery(pool, claim, due)).toBe(false);
  expect(await rowOf(pool, 'delivery', id)).toMatchObject({ status: 'pending' });
});

it('returns the previous secret too during the overlap of a rotation', async () => {
  const rotated = await rotateSigningSecret(pool, encryptor, accountId);
  const beginAt = async (at: Date) => begin(pool, B, await claimOne(pool, B, at), at);
  const during = await beginAt(due);
  const decrypt = (encrypted: string | null | undefined) =>
    encryptor.decrypt(encrypted ?? '', signingSecretOf(accountId));
  expect(decrypt(during?.signingSecret)).toBe(rotated?.secret);
  expect(decrypt(during?.previousSigningSecret)).toBe('whsec_QUJD');
  await pool.query(`UPDATE account SET previous_signing_secret_until = now() - interval '1 second'`);
  expect(await beginAt(after(due, leaseMs(B)))).toMatchObject({ previousSigningSecret: null });
  expect((await readSigningSecret(database, encryptor, accountId))?.secret).toBe(rotated?.secret);
});

describe('attempts that begin together', () => {
  const beginTogether = (claims: Parameters<typeof beginAttempts>[2]) =>
    beginAttempts(pool, B, claims, { dispatcherId, at: due });

  it('return all that each needs, and begin once, also with concurrent calls', async () => {
    const other = await insertDelivery(pool, accountId, due, { webhookId: await insertEndpoint(pool, accountId) });
    const claims = await claimAll(pool, B);
    const started = (await Promise.all([1, 2, 3].map(() => beginTogether([...claims, ...claims])))).flat();
    expect(started.map((attempt) => attempt.id).sort()).toEqual([id, other].sort());
    expect(started.map(({ webhookId, body }) => [webhookId !== null, body])).toEqual(
      expect.arrayContaining([
        [true, eventBody],
        [false, eventBody],
      ]),
    );
    for (const { id: each } of started) {
      expect(await rowOf(pool, 'delivery', each)).toMatchObject({
        begun_attempt: 1,
        lease_until: after(due, leaseMs(B)),
        next_attempt_at: after(due, leaseMs(B)),
      });
    }
  });

  it('skip deliveries with a lost claim, with a paused endpoint, or locked by another transaction', async () => {
    const webhookId = await insertEndpoint(pool, accountId);
    const paused = await insertDelivery(pool, accountId, due, { webhookId });
    const lost = await insertDelivery(pool, accountId);
    const locked = await insertDelivery(pool, accountId);
    const claims = await claimAll(pool, B);
    expect(claims).toHaveLength(4);
    await pool.query(`UPDATE webhook_endpoint SET status = 'paused'`);
    await pool.query('UPDATE delivery SET attempt = attempt + 1 WHERE id = $1', [lost]);
    const begun = await whileLocked(database, ['SELECT FROM delivery WHERE id = $1 FOR UPDATE', locked], () =>
      beginTogether(claims),
    );
    expect(begun.map((attempt) => attempt.id)).toEqual([id]);
    for (const each of [paused, lost, locked]) {
      expect(await rowOf(pool, 'delivery', each)).toMatchObject({ begun_attempt: 0 });
    }
    expect((await beginTogether(claims)).map((attempt) => attempt.id)).toEqual([locked]);
  });
});
