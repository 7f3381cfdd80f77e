import { forms } from '@capture/contract/forms';
import { beforeEach, expect, it } from '@jest/globals';
import { beginAttempt } from './begin-attempt.ts';
import { newAccount, sealer, useTestDatabase } from './captures.test-support.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { after, claimOne, due, eventBody, insertDelivery, webhookUrl } from './deliveries.test-support.ts';
import { readSigningSecret, rotateSigningSecret, signingSecretOf } from './signing-secret.ts';

const database = useTestDatabase();
const { B } = forms;
let accountId: string;
let id: string;

beforeEach(async () => {
  await database.pool.query('TRUNCATE account CASCADE; TRUNCATE event CASCADE');
  accountId = (await newAccount(database)).id;
  id = await insertDelivery(database.pool, accountId);
});

it('has all that an attempt needs', async () => {
  const attempt = await beginAttempt(database.pool, await claimOne(database.pool, B), due);
  expect(attempt).toEqual({
    id,
    attempt: 1,
    accountId,
    url: webhookUrl,
    attemptCount: 0,
    retriesUsed: 0,
    eventId: expect.stringMatching(/^evt_/),
    eventName: 'capture.completed',
    captureId: expect.stringMatching(/^req_/),
    body: eventBody,
    signingSecret: expect.stringMatching(/^v1\./),
    previousSigningSecret: null,
  });
  expect(sealer.open(attempt?.signingSecret ?? '', signingSecretOf(accountId))).toBe('whsec_QUJD');
});

it('is begun once, of many at the same time', async () => {
  const claim = await claimOne(database.pool, B);
  const begun = await Promise.all(Array.from({ length: 10 }, () => beginAttempt(database.pool, claim, due)));
  expect(begun.filter(Boolean)).toHaveLength(1);
  expect(await beginAttempt(database.pool, claim, due)).toBeNull();
});

it('is not begun when the claim holds no longer than until before its end', async () => {
  const claim = await claimOne(database.pool, B);
  expect(await beginAttempt(database.pool, claim, after(due, 60_001))).toBeNull();
  expect(await beginAttempt(database.pool, claim, after(due, 60_000))).not.toBeNull();
});

it('is not begun with a claim that another has followed, nor without one', async () => {
  expect(await beginAttempt(database.pool, { id, attempt: 0 }, due)).toBeNull();
  const former = await claimOne(database.pool, B);
  const [present] = await claimDeliveries(database.pool, B, { at: after(due, 60_000), limit: 1 });
  expect(await beginAttempt(database.pool, former, due)).toBeNull();
  expect(await beginAttempt(database.pool, { id, attempt: 3 }, due)).toBeNull();
  expect(present && (await beginAttempt(database.pool, present, due))).not.toBeNull();
});

it('has the secret before a rotation too, while the overlap lasts', async () => {
  const rotated = await rotateSigningSecret(database.pool, sealer, accountId);
  const begin = async (at: Date) => {
    const [claim] = await claimDeliveries(database.pool, B, { at, limit: 1 });
    return claim && beginAttempt(database.pool, claim, at);
  };
  const during = await begin(due);
  const open = (sealed: string | null | undefined) => sealer.open(sealed ?? '', signingSecretOf(accountId));
  expect(open(during?.signingSecret)).toBe(rotated?.secret);
  expect(open(during?.previousSigningSecret)).toBe('whsec_QUJD');
  await database.pool.query(`UPDATE account SET previous_signing_secret_until = now()`);
  expect(await begin(after(due, 60_000))).toMatchObject({ previousSigningSecret: null });
  expect((await readSigningSecret(database.pool, sealer, accountId))?.secret).toBe(rotated?.secret);
});
