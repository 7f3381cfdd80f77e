import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAccount } from '@capture/database/create-account';
import { type Database, openDatabase } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { createSealer } from '@capture/database/sealed';
import { readSigningSecret, signingSecretOf } from '@capture/database/signing-secret';
import { createTestDatabase } from '@capture/testing/database';
import { findOwnPort } from '@capture/testing/own-port';
import { startProcess, startService } from '@capture/testing/processes';
import { createTestRedis } from '@capture/testing/redis';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const key = 'the-new-key-of-more-than-32-characters';
const former = 'the-former-key-of-more-than-32-characters';

const closings: (() => unknown)[] = [];
let database: Database;
let env: Record<string, string>;
beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  closings.push(() => testDatabase.drop());
  database = openDatabase({ url: testDatabase.url });
  closings.push(() => database.close());
  const redis = await createTestRedis();
  closings.push(() => redis.close());
  env = { PORT: String(await findOwnPort()), OPERATOR_KEY: 'an-operator-key-of-more-than-32-characters' };
  const gateway = await startService('api-gateway', {
    ...env,
    DATABASE_URL: testDatabase.url,
    REDIS_URL: redis.url,
    STORAGE_URL: pathToFileURL(makeTestFolder('gateway')).href,
    SECRET_KEY: key,
    SECRET_KEY_PREVIOUS: former,
  });
  closings.push(() => gateway.stop());
});
afterAll(async () => {
  for (const close of closings.reverse()) await close();
});

/** Runs the built command line to its end. */
async function reseal(...args: string[]) {
  const main = path.join(repositoryRoot, 'apps', 'ops', 'dist', 'main.js');
  const run = startProcess({ name: 'ops', args: [main, 'secrets', 'reseal', ...args], env });
  const { code } = await run.exited;
  return { code, output: run.output() };
}

it('0: encrypts anew what the key before has encrypted, says what is left, and does so twice without harm', async () => {
  const ids = Array.from({ length: 501 }, () => newId('acc'));
  for (const id of ids) {
    const signingSecret = createSealer(former).seal(`secret of ${id}`, signingSecretOf(id));
    await createAccount(database.pool, { id, email: `${id}@b.de`, signingSecret, createdAt: new Date() });
  }
  const counted = await reseal('--dry-run');
  expect(counted.code).toBe(0);
  expect(counted.output).toContain('0 encrypted anew; under SECRET_KEY: 0, under SECRET_KEY_PREVIOUS: 501');
  expect(counted.output).toContain('SECRET_KEY_PREVIOUS is still needed');
  const done = await reseal();
  expect(done.code).toBe(0);
  expect(done.output).toContain('501 encrypted anew; under SECRET_KEY: 501, under SECRET_KEY_PREVIOUS: 0');
  expect(done.output).toContain('No stored secret needs SECRET_KEY_PREVIOUS');
  for (const id of ids) {
    expect((await readSigningSecret(database.pool, createSealer(key), id))?.secret).toBe(`secret of ${id}`);
  }
  const again = await reseal('--json');
  const expected = { resealed: 0, previous_key_set: true, current: 501, previous: 0, unreadable: 0 };
  expect([again.code, JSON.parse(again.output)]).toEqual([0, expected]);
});

it('1: tells of secrets whose key is not set any more', async () => {
  const id = newId('acc');
  const signingSecret = createSealer('a-third-key-of-more-than-32-characters').seal('x', signingSecretOf(id));
  await createAccount(database.pool, { id, email: 'lost@b.de', signingSecret, createdAt: new Date() });
  const { code, output } = await reseal();
  expect([code, output]).toEqual([1, expect.stringContaining('1 need a key that is not set any more')]);
});
