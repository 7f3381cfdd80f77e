import { expect, it } from '@jest/globals';
import { readSigningSecrets, rotateSigningSecret, signingSecretOf } from '../accounts/signing-secret.ts';
import {
  captureOf,
  claim,
  endingOf,
  eventContext,
  newAccount,
  encryptor as previous,
  reserve,
  useTestDatabase,
} from '../captures/captures.test-support.ts';
import { endCapture } from '../captures/end-capture.ts';
import { decryptSecretOptions, encryptSecretOptions } from '../captures/secret-options.ts';
import { createEncryptor } from '../encryption.ts';
import { readEndpointSecrets, rotateEndpointSecret } from '../endpoints/endpoints.ts';
import { newEndpoint } from '../endpoints/webhooks.test-support.ts';
import { newId } from '../ids.ts';
import { findLinkOwner } from '../links/find-link-owner.ts';
import { rotateLinkSecret } from '../links/link-secret.ts';
import { putPreset, usePresets } from '../presets/presets.ts';
import { countEncrypted, firstReencrypt, type ReencryptCursor, reencryptSome } from './reencrypt-secrets.ts';

const database = await useTestDatabase();
const { pool } = database;
const [key, previousKey] = ['a new key of more than 32 characters', '0123456789abcdef0123456789abcdef'];
const rotating = createEncryptor(key, previousKey);
const rotated = createEncryptor(key);

async function reencryptAll() {
  const sum = { reencrypted: 0, unreadable: 0 };
  for (let cursor: ReencryptCursor | null = firstReencrypt; cursor; ) {
    const some = await reencryptSome(pool, rotating, cursor);
    sum.reencrypted += some.reencrypted;
    sum.unreadable += some.unreadable;
    cursor = some.next;
  }
  return sum;
}

it('re-encrypts every text for the current key, bound to its row, and changes nothing twice', async () => {
  const options = { url: 'https://example.com/', cookies: [{ name: 'a', value: 'injected' }] };
  const { id: accountId, key: apiKey } = await newAccount(database);
  const rotatedAccount = await newAccount(database);
  await rotateSigningSecret(pool, previous, rotatedAccount.id);
  await rotateLinkSecret(pool, previous, accountId, 0);
  const linkSecret = await rotateLinkSecret(pool, previous, accountId, 60);
  const endpoint = await newEndpoint(database, accountId);
  await rotateEndpointSecret(pool, previous, { id: endpoint.id, accountId, secret: 'another secret' });
  const reserveWithSecrets = (id: string) =>
    reserve(pool, accountId, { id, options: encryptSecretOptions(previous, id, options) });
  const [queued, processing, ended] = [
    await reserveWithSecrets(newId('req')),
    await reserveWithSecrets(newId('req')),
    await reserveWithSecrets(newId('req')),
  ];
  await claim(pool, processing);
  await endCapture(pool, eventContext('B'), endingOf(await claim(pool, ended)));
  await reserve(pool, accountId, captureOf(accountId));

  await putPreset(database, previous, { accountId, name: 'shop', options, createdAt: new Date() });

  // The texts belong to two accounts, one with a previous secret and one with two link secrets, an endpoint, a preset and two
  // open captures.
  expect(await countEncrypted(pool, rotating)).toEqual({ current: 0, previous: 10, unreadable: 0 });
  expect(await reencryptAll()).toEqual({ reencrypted: 10, unreadable: 0 });
  expect(await countEncrypted(pool, rotated)).toEqual({ current: 10, previous: 0, unreadable: 0 });
  expect(await reencryptAll()).toEqual({ reencrypted: 0, unreadable: 0 });

  expect(await readSigningSecrets(database, rotated, accountId)).toEqual(['whsec_QUJD']);
  expect(await readSigningSecrets(database, rotated, rotatedAccount.id)).toHaveLength(2);
  const linkOwner = await findLinkOwner(pool, rotated, apiKey.id, '2026-11');
  expect(linkOwner?.secrets).toEqual([linkSecret?.secret, expect.stringMatching(/^lnk_/)]);
  const secrets = await readEndpointSecrets(database, rotated, { id: endpoint.id, accountId });
  expect(secrets).toEqual(['another secret', 'a secret of its owner']);
  expect(await usePresets(database, rotated, accountId, [{ name: 'shop', version: null }])).toMatchObject([
    { options },
  ]);
  for (const id of [queued, processing]) {
    const { options: stored } = await database.prisma.capture.findUniqueOrThrow({ where: { id } });
    expect(decryptSecretOptions(rotated, id, stored as Record<string, unknown>)).toEqual(options);
  }
});

it('skips texts that cannot be decrypted or were changed meanwhile', async () => {
  const [one, two] = [await newAccount(database), await newAccount(database)];
  const secretOf = async ({ id }: { id: string }) =>
    (await database.prisma.account.findUniqueOrThrow({ where: { id } })).signingSecret;
  // This text belongs to another row.
  await database.prisma.account.update({ where: { id: one.id }, data: { signingSecret: await secretOf(two) } });
  // The secret is rotated after it was read and before it is replaced.
  const meanwhile = previous.encrypt('rotated meanwhile', signingSecretOf(two.id));
  let read = false;
  const query = async (...args: Parameters<typeof pool.query>) => {
    const result = await (pool.query as (...all: unknown[]) => Promise<unknown>)(...args);
    if (!read) {
      read = true;
      await database.prisma.account.update({ where: { id: two.id }, data: { signingSecret: meanwhile } });
    }
    return result;
  };
  const some = await reencryptSome({ query } as typeof pool, rotating, firstReencrypt);
  expect(some).toMatchObject({ reencrypted: 0, unreadable: 1 });
  expect(await secretOf(two)).toBe(meanwhile);
  expect(await reencryptAll()).toEqual({ reencrypted: 1, unreadable: 1 });
  expect(await countEncrypted(pool, rotated)).toMatchObject({ previous: 0, unreadable: 1 });
});

it('processes many rows in bounded steps', async () => {
  const { id: accountId } = await newAccount(database);
  await pool.query(
    `INSERT INTO webhook_endpoint (id, account_id, url, events, signing_secret, created_at)
     SELECT 'wh_' || lpad(n::text, 5, '0'), $1, 'https://hooks.example.com/', '{capture.failed}', 'x', now()
       FROM generate_series(1, 1001) n`,
    [accountId],
  );
  const rows = await database.prisma.webhookEndpoint.findMany({ where: { signingSecret: 'x' } });
  await pool.query(
    `UPDATE webhook_endpoint e SET signing_secret = n.encrypted FROM unnest($1::text[], $2::text[]) AS n(id, encrypted) WHERE e.id = n.id`,
    [rows.map(({ id }) => id), rows.map(({ id }) => previous.encrypt('secret', `${id} signing secret`))],
  );
  const steps: number[] = [];
  for (let cursor: ReencryptCursor | null = { place: 2, after: '' }; cursor?.place === 2; ) {
    const some = await reencryptSome(pool, rotating, cursor);
    steps.push(some.reencrypted);
    cursor = some.next;
  }
  expect(steps).toEqual([500, 500, 1]);
});
