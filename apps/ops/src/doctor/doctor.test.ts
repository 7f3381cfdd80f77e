import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAccount } from '@capture/database/accounts/accounts';
import { signingSecretOf } from '@capture/database/accounts/signing-secret';
import { createEncryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { createTestDatabase, type TestDatabase } from '@capture/testing/database';
import { createAuthority, createCertificate } from '@capture/testing/network/certificates';
import { openTestMailServer } from '@capture/testing/network/mail-server';
import { findOwnPort } from '@capture/testing/network/own-port';
import { startService } from '@capture/testing/processes/processes';
import { createTestRedis, startOwnRedis } from '@capture/testing/redis';
import { makeTestFolder } from '@capture/testing/test-run';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { runOps } from '../run-ops.test-support.ts';
import { groups } from './groups.ts';

const closings: (() => unknown)[] = [];
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  closings.push(() => database.drop());
});
afterEach(async () => {
  for (let close = closings.pop(); close; close = closings.pop()) await close();
});

interface Found {
  status: string;
  message: string;
  fix?: string;
}

/** Runs the doctor. @returns its findings by the name of the check. */
async function runDoctor(env: Record<string, string>, ...args: string[]) {
  const { code, output } = await runOps(['--json', 'doctor', ...args], env);
  const { checks, ...counts } = JSON.parse(output) as { checks: (Found & { check: string })[] };
  const found: Record<string, Found> = Object.fromEntries(checks.map(({ check, ...finding }) => [check, finding]));
  const withStatus = (status: string) => checks.filter((each) => each.status === status).map(({ check }) => check);
  return { code, output, counts, found, withStatus };
}

async function query(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

const operatorKey = 'an-operator-key-of-more-than-32-characters';
const secretKey = 'a-secret-key-of-more-than-32-characters';

it('finds nothing wrong with a healthy platform', async () => {
  const redis = await createTestRedis();
  closings.push(() => redis.close());
  const env = {
    PORT: String(await findOwnPort()),
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    STORAGE_URL: pathToFileURL(makeTestFolder('files')).href,
    SECRET_KEY: secretKey,
    TMPDIR: '/tmp',
  };
  const services = await Promise.all([
    startService('api-gateway', { ...env, OPERATOR_KEY: operatorKey }),
    startService('capture-worker', env),
    startService('webhook-dispatcher', env),
  ]);
  for (const service of services) closings.push(() => service.stop());
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  closings.push(() => client.end());
  await client.query(`INSERT INTO deployment (id, contract_form) VALUES (1, 'B')`);
  const shell = { ...env, OPERATOR_KEY: operatorKey, PUBLIC_URL: `http://127.0.0.1:${env.PORT}` };
  const { code, found, withStatus, output } = await runDoctor(shell);
  // The Postgres and Redis of tests run without durability.
  expect(withStatus('fault')).toEqual(['database.durability']);
  expect(code).toBe(4);
  expect(found['processes.alive']?.message).toBe('1 api-gateway, 1 capture-worker, 1 webhook-dispatcher');
  expect(found['browser.draws']).toEqual({ status: 'ok', message: 'rendered a pixel in its sandbox' });
  expect(found['gateway.operator_key']?.status).toBe('ok');
  expect(withStatus('not_checked')).toEqual([
    'data_folder.space',
    'data_folder.closed',
    'certificates.extra_ca',
    'mail.server',
  ]);
  for (const secret of [secretKey, operatorKey, new URL(database.url).password]) expect(output).not.toContain(secret);
  const others = groups.map(({ name }) => name).filter((name) => name !== 'database');
  const { code: withoutIt, output: text } = await runOps(['doctor', '--only', ...others], shell);
  expect(withoutIt).toBe(0);
  expect(text).toMatch(/ok {11}alive .*\n/);
  expect(text).toMatch(/\d+ checks: \d+ ok, \d+ warnings?, 0 faults, \d+ not checked\n$/);
});

it('finds real faults, says how to fix each, and exits with 4', async () => {
  const redis = await startOwnRedis({ 'maxmemory-policy': 'allkeys-lru', appendonly: 'no', maxmemory: '100mb' });
  closings.push(() => redis.stop());
  await query('DROP TABLE _prisma_migrations; CREATE TABLE twice (id int); INSERT INTO twice VALUES (1), (1)');
  await query('CREATE UNIQUE INDEX CONCURRENTLY twice_idx ON twice (id)').catch(() => undefined);
  const folder = makeTestFolder('unhealthy');
  chmodSync(folder, 0o755);
  writeFileSync(path.join(folder, 'secrets.json'), '{}', { mode: 0o644 });
  const authority = path.join(folder, 'ca.pem');
  writeFileSync(authority, (await createCertificate(await createAuthority(), 'expired', [])).cert);
  const { code, found } = await runDoctor({
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    // No user, not even root, can create a file in this folder.
    STORAGE_URL: 'file:///sys',
    SECRET_KEY: secretKey,
    OPERATOR_KEY: operatorKey,
    PORT: String(await findOwnPort()),
    PUPPETEER_EXECUTABLE_PATH: '/nowhere/no-browser',
    EGRESS_ALLOW: '0.0.0.0/0',
    NODE_EXTRA_CA_CERTS: authority,
  });
  expect(code).toBe(4);
  const lineOf = (check: string) => `${found[check]?.status}: ${found[check]?.message} → ${found[check]?.fix}`;
  expect(lineOf('redis.eviction')).toMatch(/^fault: .*allkeys-lru → CONFIG SET maxmemory-policy noeviction/);
  expect(lineOf('redis.persistence')).toMatch(/^warning: appendonly is off → CONFIG SET appendonly yes/);
  expect(lineOf('database.migrations')).toMatch(/^fault: not applied: 2026\d+_first, .* → .*prisma\/dist\/main.js/);
  expect(lineOf('database.contract_form')).toMatch(/^fault: the database has no recorded API profile/);
  expect(lineOf('database.indexes')).toBe('fault: invalid: twice_idx → REINDEX INDEX CONCURRENTLY twice_idx');
  expect(lineOf('database.durability')).toMatch(/^fault: fsync, full_page_writes are off/);
  expect(lineOf('storage.writable')).toMatch(/^fault: \/sys: /);
  expect(lineOf('data_folder.closed')).toMatch(/^fault: other users can read .*secrets.json → chmod go= /);
  expect(lineOf('gateway.ready')).toMatch(/^fault: .* does not respond: .*ECONNREFUSED/);
  expect(found['gateway.clock']).toEqual({ status: 'not_checked', message: 'see gateway.ready' });
  expect(lineOf('browser.found')).toMatch(/^fault: PUPPETEER_EXECUTABLE_PATH names \/nowhere\/no-browser, .*ENOENT/);
  expect(lineOf('egress.allow')).toMatch(/^warning: any page can reach every port of the cloud's metadata service/);
  expect(lineOf('certificates.extra_ca')).toMatch(/^fault: expired: CN=receiver/);
});

it('warns of an expired certificate among few, but accepts some in a bundle of many', async () => {
  const authority = await createAuthority();
  const { cert: expired } = await createCertificate(authority, 'expired', []);
  const file = path.join(makeTestFolder('bundle'), 'ca.pem');
  const check = async (certificates: readonly string[]) => {
    writeFileSync(file, certificates.join('\n'));
    const { code, found } = await runDoctor({ NODE_EXTRA_CA_CERTS: file }, '--only', 'certificates');
    return { code, ...found['certificates.extra_ca'] };
  };
  const valid = (count: number) => Array<string>(count).fill(authority.cert);
  expect(await check([...valid(18), expired])).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/^1 of 19 are expired: CN=receiver/),
  });
  expect(await check([...valid(18), expired, expired])).toEqual({
    code: 0,
    status: 'ok',
    message: expect.stringMatching(/^18 of 20 are valid; .* normal: CN=receiver \(.*\); CN=receiver \([\d-]+\)$/),
  });
  expect(await check(valid(20))).toEqual({ code: 0, status: 'ok', message: '20 are valid' });
  expect(await check(Array<string>(20).fill(expired))).toMatchObject({ code: 4, status: 'fault' });
});

it('finds wrong keys and missing processes', async () => {
  const redis = await createTestRedis();
  closings.push(() => redis.close());
  const shell = { PORT: String(await findOwnPort()), DATABASE_URL: database.url, REDIS_URL: redis.url };
  const gateway = await startService('api-gateway', {
    ...shell,
    STORAGE_URL: pathToFileURL(makeTestFolder('files')).href,
    SECRET_KEY: secretKey,
    OPERATOR_KEY: operatorKey,
  });
  closings.push(() => gateway.stop());
  const platform = openDatabase({ url: database.url, connections: 1 });
  const id = newId('acc');
  const signingSecret = createEncryptor(secretKey).encrypt('x', signingSecretOf(id));
  await createAccount(platform, { id, email: 'a@b.de', signingSecret, createdAt: new Date() });
  await platform.close();
  const other = 'another-key-of-more-than-32-characters';
  const only = ['--only', 'secrets', 'gateway', 'processes', 'queues'];
  const wrong = await runDoctor({ ...shell, SECRET_KEY: other, OPERATOR_KEY: other }, ...only);
  expect(wrong.code).toBe(4);
  expect(wrong.found['secrets.readable']?.message).toBe('1 of 1 need another key');
  expect(wrong.found['gateway.operator_key']?.status).toBe('fault');
  expect(wrong.output).not.toContain(other);
  const rotating = await runDoctor(
    { ...shell, SECRET_KEY: other, SECRET_KEY_PREVIOUS: secretKey, OPERATOR_KEY: operatorKey },
    ...only,
  );
  expect(rotating.found['secrets.readable']?.status).toBe('ok');
  expect(rotating.found['secrets.rotation']?.message).toBe('1 are still encrypted with SECRET_KEY_PREVIOUS');
  expect(rotating.withStatus('fault')).toEqual(['processes.alive', 'queues.captures', 'queues.deliveries']);
  expect(rotating.found['processes.alive']?.fix).toMatch(/start capture-worker and webhook-dispatcher/);
});

it('reports what it cannot check, and never prints a password', async () => {
  const nothing = await runDoctor(
    { PUPPETEER_EXECUTABLE_PATH: '', PATH: '' },
    '--only',
    'database',
    'redis',
    'storage',
    'secrets',
    'gateway',
  );
  expect(nothing.code).toBe(0);
  expect(nothing.counts).toMatchObject({ ok: 0, warning: 0, fault: 0 });
  expect(nothing.found['database.reachable']?.message).toMatch(/^DATABASE_URL is not set, and .* is not a data folder/);
  const password = 'a-password-that-must-not-appear';
  const urls = {
    DATABASE_URL: `postgresql://capture:${password}@127.0.0.1:1/capture`,
    REDIS_URL: `redis://:${password}@127.0.0.1:1`,
    STORAGE_URL: `s3://user:${password}@bucket`,
  };
  const { found, output } = await runDoctor(urls, '--only', 'database', 'redis', 'storage');
  expect(found['database.reachable']?.message).toMatch(/^127.0.0.1:1 refuses the connection: .*ECONNREFUSED/);
  expect(found['redis.reachable']?.message).toMatch(/^127.0.0.1:1 does not respond: .*ECONNREFUSED/);
  const unparsable = await runDoctor(
    { DATABASE_URL: `postgresql://x:${password}@[`, REDIS_URL: password },
    '--only',
    'database',
    'redis',
  );
  expect(unparsable.found['database.reachable']?.message).toBe('DATABASE_URL is not a URL');
  expect(output + unparsable.output).not.toContain(password);
});

it('connects to the mail server and signs in, and sends nothing', async () => {
  const server = await openTestMailServer({ user: 'captures', password: 'a-password-that-must-not-appear' });
  closings.push(() => server.close());
  const doctor = (SMTP_URL: string) =>
    runDoctor({ SMTP_URL, NODE_EXTRA_CA_CERTS: server.authority.file }, '--only', 'mail');
  const { code, found } = await doctor(server.url);
  expect([code, found['mail.server']]).toEqual([
    0,
    { status: 'ok', message: `127.0.0.1:${server.port} accepts mail of this platform` },
  ]);
  const wrong = await doctor(server.url.replace('a-password', 'another-password'));
  expect(wrong.code).toBe(4);
  expect(wrong.found['mail.server']?.message).toMatch(/responded with 535 to AUTH/);
  const unusable = await doctor(server.url.replace('smtp:', 'mailto:'));
  expect(unusable.found['mail.server']?.message).toBe('SMTP_URL cannot be used');
  expect(wrong.output + unusable.output).not.toContain('password-that-must-not-appear');
  expect(server.mails).toEqual([]);
});

it('2: rejects an unknown group', async () => {
  const { code, output } = await runOps(['doctor', '--only', 'weather']);
  expect([code, output]).toEqual([2, expect.stringContaining('weather is not one of node, data_folder, database')]);
});
