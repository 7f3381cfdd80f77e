import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createAccount } from '@capture/database/accounts/accounts';
import { signingSecretOf } from '@capture/database/accounts/signing-secret';
import { createEncryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { startPostgres } from '@capture/provisioning/postgres';
import { createTestDatabase } from '@capture/testing/database';
import { type HttpsReceiver, openHttpsReceiver } from '@capture/testing/network/https-receiver';
import { findOwnPort } from '@capture/testing/network/own-port';
import { openPageServer } from '@capture/testing/network/page-server';
import { startService } from '@capture/testing/processes/processes';
import { createTestRedis } from '@capture/testing/redis';
import { makeTestFolder } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { runOps } from '../run-ops.test-support.ts';

const secretKey = 'a-secret-key-of-more-than-32-characters';
const signingSecret = 'a-signing-secret-of-a-client';

const closings: (() => unknown)[] = [];
let receiver: HttpsReceiver;
let pageUrl: string;
let port: string;
beforeEach(async () => {
  receiver = await openHttpsReceiver();
  closings.push(() => receiver.close());
  const pages = await openPageServer({ '/page': '<!doctype html><h1>a page</h1>' });
  closings.push(() => pages.close());
  pageUrl = pages.url('/page');
  port = String(await findOwnPort());
});
afterEach(async () => {
  for (let close = closings.pop(); close; close = closings.pop()) await close();
});

/** Starts gateway, worker and dispatcher. @returns a function that stops them. */
async function startPlatform(databaseUrl: string, files: string): Promise<() => Promise<void>> {
  const redis = await createTestRedis();
  const env = {
    PORT: port,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    STORAGE_URL: pathToFileURL(files).href,
    SECRET_KEY: secretKey,
    EGRESS_ALLOW: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: receiver.authority.file,
    // Deliveries that the receiver refused are due soon after the restored platform starts.
    WEBHOOK_RETRY_DELAYS: '3s,3s,3s,3s,3s',
    TMPDIR: '/tmp',
  };
  const services = await Promise.all([
    startService('api-gateway', { ...env, OPERATOR_KEY: 'an-operator-key-of-more-than-32-characters' }),
    startService('capture-worker', env),
    startService('webhook-dispatcher', env),
  ]);
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await Promise.all(services.map((service) => service.stop()));
    await redis.close();
  };
  const stopOnce = () => {
    stopping ??= stop();
    return stopping;
  };
  closings.push(stopOnce);
  return stopOnce;
}

/** The parts of a response that the test compares. */
interface ApiResponse {
  status: number;
  body: {
    request_id: string;
    batch_id: string;
    status: string;
    file_url: string;
    results?: { file_url: string }[];
    outputs?: { name: string; file_url: string }[] | null;
    deliveries?: object[];
  };
}

async function call(apiKey: string, target: string, body?: object): Promise<ApiResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as ApiResponse['body'] };
}

async function newAccount(databaseUrl: string): Promise<string> {
  const database = openDatabase({ url: databaseUrl, connections: 1 });
  const { pool } = database;
  const id = newId('acc');
  const encrypted = createEncryptor(secretKey).encrypt(signingSecret, signingSecretOf(id));
  const created = await createAccount(database, {
    id,
    email: 'a@b.de',
    signingSecret: encrypted,
    createdAt: new Date(),
  });
  await pool.query(`UPDATE account SET plan = 'business' WHERE id = $1`, [id]);
  await pool.query(`INSERT INTO deployment (id, contract_form) VALUES (1, 'B')`);
  await database.close();
  return created?.apiKey ?? '';
}

const screenshot = (apiKey: string, options: object = {}) =>
  call(apiKey, '/api/v1/screenshot', { url: pageUrl, async: true, webhook_url: `${receiver.url}/hook`, ...options });

/** The unpacked tables of a backup. */
function textOf(backup: string): string {
  const files = readdirSync(backup, { recursive: true, encoding: 'utf8' });
  const tables = files.filter((name) => name.endsWith('.gz'));
  return tables.map((name) => gunzipSync(readFileSync(path.join(backup, name))).toString()).join('\n');
}

it('a backup of a running platform restores every record, file and pending delivery', async () => {
  const database = await createTestDatabase();
  closings.push(() => database.drop());
  const apiKey = await newAccount(database.url);
  const files = makeTestFolder('files');
  const stop = await startPlatform(database.url, files);

  const delivered = await Promise.all([1, 2, 3].map(() => screenshot(apiKey, { outputs: ['pdf', 'markdown'] })));
  const batch = await call(apiKey, '/api/v1/batches', { items: [1, 2, 3].map(() => ({ url: pageUrl })) });
  const taken = async () =>
    (await call(apiKey, '/api/v1/webhooks/deliveries?status=delivered')).body.deliveries?.length;
  await waitUntil(async () => (await taken()) === 3, { what: 'three deliveries to be recorded' });
  const batchUrl = `/api/v1/batches/${batch.body.batch_id}`;
  await waitUntil(async () => (await call(apiKey, batchUrl)).body.status === 'completed', { what: 'the batch' });
  receiver.respondWith({ status: 503 });
  const refused = await Promise.all([1, 2].map(() => screenshot(apiKey)));
  await receiver.waitForHits(5);
  const ids = [...delivered, ...refused].map(({ body }) => body.request_id);
  const paths = [...ids.map((id) => `/api/v1/captures/${id}`), batchUrl];
  const recordsBefore = await Promise.all(paths.map((at) => call(apiKey, at)));
  const fileUrls = recordsBefore.flatMap(({ body: { file_url, results, outputs } }) => [
    file_url,
    ...(results ?? []).map(fileUrlOf),
    // The first output is the capture's main file.
    ...(outputs ?? []).slice(1).map(fileUrlOf),
  ]);
  const bytesOf = (urls: readonly string[]) =>
    Promise.all(urls.filter(Boolean).map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())));
  const filesBefore = await bytesOf(fileUrls);
  expect(filesBefore).toHaveLength(8 + 3 * 2);
  expect(filesBefore.some((bytes) => bytes.toString().trim() === '# a page')).toBe(true);

  // The platform is in use during the backup.
  let stopped = false;
  const load = (async () => {
    // This rate is below the plan's 20 requests a second.
    for (; !stopped; await sleep(100)) expect((await screenshot(apiKey)).status).toBe(202);
  })();
  const backup = path.join(makeTestFolder('backups'), 'today');
  const backedUp = await runOps(['--json', 'backup', backup], {
    DATABASE_URL: database.url,
    STORAGE_URL: pathToFileURL(files).href,
  });
  stopped = true;
  await load;
  await stop();
  expect(backedUp.code).toBe(0);
  expect(JSON.parse(backedUp.output).rows).toMatchObject({ account: 1, batch: 1 });
  expect(textOf(backup)).not.toMatch(new RegExp(`${secretKey}|${signingSecret}|${apiKey}`));
  expect((await runOps(['restore', backup, '--check'])).output).toContain('is complete');

  const dataDir = makeTestFolder('elsewhere');
  const [superuserPassword, password] = ['s', 'p'].map((letter) => letter.repeat(43)) as [string, string];
  const secrets = {
    SECRET_KEY: secretKey,
    POSTGRES_SUPERUSER_PASSWORD: superuserPassword,
    POSTGRES_PASSWORD: password,
  };
  writeFileSync(path.join(dataDir, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
  const restored = await runOps(['restore', backup], { DATA_DIR: dataDir });
  expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('restored: ')]);
  expect(restored.output).not.toContain('SECRET_KEY');

  const options = { dataDir: path.join(dataDir, 'postgres'), superuserPassword, password, report: () => {} };
  const logFile = path.join(dataDir, 'postgres.log');
  const postgres = await startPostgres({ ...options, port: await findOwnPort(), logFile });
  closings.push(() => postgres.stop());
  const before = receiver.hits.map(({ headers }) => headers['webhook-id']);
  receiver.respondWith({ status: 200 });
  await startPlatform(postgres.url, path.join(dataDir, 'files'));

  for (const [index, at] of paths.entries()) expect(await call(apiKey, at)).toEqual(recordsBefore[index]);
  expect(await bytesOf(fileUrls)).toEqual(filesBefore);
  const isPending = (id: string) => !receiver.hits.slice(before.length).some((hit) => requestOf(hit.body) === id);
  const pending = refused.map(({ body }) => body.request_id);
  await waitUntil(() => !pending.some(isPending), { what: 'the pending deliveries to go out' });
  // Deliveries that succeeded before the backup are not repeated.
  const again = receiver.hits.slice(before.length).map(({ body }) => requestOf(body));
  for (const { body } of delivered) expect(again).not.toContain(body.request_id);
});

const fileUrlOf = ({ file_url: url }: { file_url: string }) => url;
const requestOf = (body: Buffer): string => JSON.parse(body.toString()).request_id;

it('a backup is one snapshot, whatever is written meanwhile, and counts missing files', async () => {
  const [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  closings.push(() => Promise.all([source.drop(), target.drop()]));
  await newAccount(source.url);
  const writer = new pg.Client({ connectionString: source.url });
  await writer.connect();
  closings.push(() => writer.end());
  const [kept, gone] = ['2026-11-22/aa/kept.png', '2026-11-22/bb/gone.png'];
  const files = makeTestFolder('files');
  mkdirSync(path.dirname(path.join(files, kept)), { recursive: true });
  writeFileSync(path.join(files, kept), 'an image');
  const html = 'html/cc/page.html';
  mkdirSync(path.dirname(path.join(files, html)), { recursive: true });
  writeFileSync(path.join(files, html), '<p>page');
  await writer.query(
    `INSERT INTO capture (id, account_id, type, status, url, options, month, created_at)
     SELECT 'req_html', id, 'pdf', 'queued', 'about:blank', jsonb_build_object('html', '…', '*html', $1::text), '2026-11', now()
       FROM account`,
    [html],
  );
  await writer.query(
    `INSERT INTO capture (id, account_id, type, status, url, options, month, created_at, storage_key)
     SELECT 'req_' || key, (SELECT id FROM account), 'pdf', 'completed', '', '{}', '2026-11', now(), key
       FROM unnest($1::text[]) key`,
    [[kept, gone]],
  );

  // The backup has read its first table and is blocked at the second.
  await writer.query('BEGIN; LOCK TABLE api_key');
  const folder = path.join(makeTestFolder('backups'), 'held-up');
  const running = runOps(['--json', 'backup', folder], {
    DATABASE_URL: source.url,
    STORAGE_URL: pathToFileURL(files).href,
  });
  const waits = `SELECT 1 FROM pg_locks WHERE relation = 'api_key'::regclass AND NOT granted`;
  await waitUntil(async () => (await writer.query(waits)).rowCount, { what: 'the backup to come to the keys' });
  await writer.query(
    `INSERT INTO account (id, email, plan, created_at, signing_secret, signing_secret_created_at)
     VALUES ('acc_late', 'late@b.de', 'free', now(), 'x', now());
     INSERT INTO usage (account_id, month, used) VALUES ('acc_late', '2026-11', 1);
     COMMIT`,
  );
  const { output } = await running;
  expect(JSON.parse(output)).toMatchObject({
    rows: { account: 1, usage: 0 },
    files: { count: 2, vanished: 1, bytes: 15 },
  });

  const restored = makeTestFolder('restored');
  const env = { DATABASE_URL: target.url, STORAGE_URL: pathToFileURL(restored).href, SECRET_KEY: 'k'.repeat(40) };
  const { code, output: text } = await runOps(['restore', folder], env);
  expect(code).toBe(0);
  expect(text).toMatch(/1 expired meanwhile\n1 stored secrets need another SECRET_KEY/);
  expect(readFileSync(path.join(restored, kept), 'utf8')).toBe('an image');
  expect(readFileSync(path.join(restored, html), 'utf8')).toBe('<p>page');
});

it('a damaged or incomplete backup or one of a later version is refused, and a database in use is not changed', async () => {
  const [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  closings.push(() => Promise.all([source.drop(), target.drop()]));
  await newAccount(source.url);
  const folder = makeTestFolder('backups');
  const whole = path.join(folder, 'whole');
  const env = { DATABASE_URL: source.url };
  expect((await runOps(['backup', whole, '--no-files'], env)).output).toContain('without files');
  expect(await runOps(['backup', whole, '--no-files'], env)).toEqual({
    code: 1,
    output: `${whole} is not empty: use a new folder\n`,
  });
  expect(await runOps(['restore', whole, '--no-files'], env)).toEqual({
    code: 1,
    output: 'the database contains accounts or captures: use an empty one\n',
  });

  /** Returns the error message of restoring a damaged copy into an empty database. */
  const errorFor = async (damage: (copy: string) => void) => {
    const copy = path.join(folder, 'copy');
    rmSync(copy, { recursive: true, force: true });
    cpSync(whole, copy, { recursive: true });
    damage(copy);
    const { code, output } = await runOps(['restore', copy, '--no-files'], { DATABASE_URL: target.url });
    expect(code).toBe(1);
    return output;
  };
  const table = (copy: string) => path.join(copy, 'database', 'account.copy.gz');
  const manifest = (copy: string) => path.join(copy, 'manifest.json');
  const edit = (copy: string, from: string, to: string) =>
    writeFileSync(manifest(copy), readFileSync(manifest(copy), 'utf8').replace(from, to));
  expect(await errorFor((copy) => writeFileSync(table(copy), 'something else'))).toContain('is damaged');
  expect(await errorFor((copy) => rmSync(table(copy)))).toContain('cannot be read: ENOENT');
  expect(await errorFor((copy) => rmSync(manifest(copy)))).toContain('is not a complete backup');
  expect(await errorFor((copy) => edit(copy, '"format": 1', '"format": 2'))).toContain('made by a later version');
  expect(await errorFor((copy) => edit(copy, '_first"', '_first", "20991231000000_later"'))).toContain('later version');
  const { code } = await runOps(['restore', whole, '--no-files'], { DATABASE_URL: target.url });
  expect(code).toBe(0);
});

it('3: reports an unreachable database, 2: reports a missing database URL', async () => {
  const folder = path.join(makeTestFolder('backups'), 'none');
  mkdirSync(folder);
  const unreachable = await runOps(['backup', folder, '--no-files'], {
    DATABASE_URL: 'postgresql://x:secret@127.0.0.1:1/x',
  });
  expect([unreachable.code, unreachable.output]).toEqual([
    3,
    expect.stringMatching(/^the database at 127.0.0.1:1 refuses the connection/),
  ]);
  expect(unreachable.output).not.toContain('secret');
  const unknown = await runOps(['backup', folder, '--no-files']);
  expect([unknown.code, unknown.output]).toEqual([2, expect.stringContaining('set DATABASE_URL, or DATA_DIR')]);
});
