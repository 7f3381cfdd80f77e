import { createAccount } from '@capture/database/accounts/accounts';
import { readSigningSecret, signingSecretOf } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import { createEncryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openGateway, type TestGateway } from './gateway.test-support.ts';
import { runOps } from './run-ops.test-support.ts';

const key = 'the-new-key-of-more-than-32-characters';
const previousKey = 'the-former-key-of-more-than-32-characters';

let gateway: TestGateway;
let database: Database;
beforeAll(async () => {
  gateway = await openGateway({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: previousKey });
  database = openDatabase({ url: gateway.databaseUrl });
});
afterAll(async () => {
  await database.close();
  await gateway.close();
});

const reencrypt = (...args: string[]) => runOps(['secrets', 'reencrypt', ...args], gateway.env);

it('0: re-encrypts the secrets of the previous key, reports what remains, and can be repeated', async () => {
  const ids = Array.from({ length: 501 }, () => newId('acc'));
  for (const id of ids) {
    const signingSecret = createEncryptor(previousKey).encrypt(`secret of ${id}`, signingSecretOf(id));
    await createAccount(database, { id, email: `${id}@b.de`, signingSecret, createdAt: new Date() });
  }
  const counted = await reencrypt('--dry-run');
  expect(counted.code).toBe(0);
  expect(counted.output).toContain('0 re-encrypted; under SECRET_KEY: 0, under SECRET_KEY_PREVIOUS: 501');
  expect(counted.output).toContain('SECRET_KEY_PREVIOUS is still needed');
  const done = await reencrypt();
  expect(done.code).toBe(0);
  expect(done.output).toContain('501 re-encrypted; under SECRET_KEY: 501, under SECRET_KEY_PREVIOUS: 0');
  expect(done.output).toContain('No stored secret needs SECRET_KEY_PREVIOUS');
  for (const id of ids) {
    expect((await readSigningSecret(database, createEncryptor(key), id))?.secret).toBe(`secret of ${id}`);
  }
  const again = await reencrypt('--json');
  const expected = { reencrypted: 0, previous_key_set: true, current: 501, previous: 0, unreadable: 0 };
  expect([again.code, JSON.parse(again.output)]).toEqual([0, expected]);
});

it('1: reports secrets whose key is no longer set', async () => {
  const id = newId('acc');
  const signingSecret = createEncryptor('a-third-key-of-more-than-32-characters').encrypt('x', signingSecretOf(id));
  await createAccount(database, { id, email: 'lost@b.de', signingSecret, createdAt: new Date() });
  const { code, output } = await reencrypt();
  expect([code, output]).toEqual([1, expect.stringContaining('1 need a key that is no longer set')]);
});
