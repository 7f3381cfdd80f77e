import { expect, it } from '@jest/globals';
import {
  captureOf,
  claim,
  completed,
  encryptor,
  endingOf,
  eventContext,
  month,
  newAccount,
  newBatch,
  reserve,
  useTestDatabase,
} from '../captures/captures.test-support.ts';
import { claimCapture } from '../captures/claim-capture.ts';
import { type CaptureOutcome, endCapture } from '../captures/end-capture.ts';
import { findCapture } from '../captures/find-capture.ts';
import { beginAttempt } from '../deliveries/begin-attempt.ts';
import {
  beAlive,
  begin,
  beginOne,
  claimOne,
  dispatcherId,
  due,
  insertDelivery,
  insertEndpoint,
  outcomeOf,
} from '../deliveries/deliveries.test-support.ts';
import { recoverReceivers } from '../deliveries/receivers.ts';
import { recordAttempt } from '../deliveries/record-attempt.ts';
import { runIdempotently } from '../idempotency.ts';
import { newId } from '../ids.ts';
import { putPreset } from '../presets/presets.ts';
import { createAccount, deleteAccount, listAccounts, listDeletedAccounts } from './accounts.ts';
import { findKey } from './find-key.ts';
import { removeAccount } from './remove-account.ts';
import { openSession } from './sessions.ts';
import { rotateSigningSecret } from './signing-secret.ts';

const database = await useTestDatabase();
const { pool } = database;
const terms = eventContext('B');
const { form } = terms;
const filed = (storageKey: string): CaptureOutcome => Object.assign({}, completed, { storageKey });

/** Removes an account. Records the removed files, some of which are removed twice, and the cancelled captures. */
function removal(stopped = () => false) {
  const files: string[] = [];
  const cancelled: string[] = [];
  return {
    files,
    cancelled,
    terms: {
      stopped,
      removeFiles: async (keys: string[]) => void files.push(...keys.filter((key) => !files.includes(key))),
      onCancelled: async (ids: string[]) => void cancelled.push(...ids),
    },
  };
}

const tables = [
  'capture',
  'batch',
  'event',
  'delivery',
  'idempotency',
  'webhook_endpoint',
  'receiver',
  'usage',
  'account_turn',
  'preset',
  'api_key',
];

/** Counts the account's rows in each table. A session has no account id, so it is found by its key. */
async function rowsOf(accountId: string): Promise<Record<string, number>> {
  const counts = tables.map(
    (table) => `(SELECT count(*)::int FROM ${table} WHERE account_id = '${accountId}') AS ${table}`,
  );
  const { rows } = await pool.query(`SELECT ${counts.join(', ')},
    (SELECT count(*)::int FROM account WHERE id = '${accountId}') AS account,
    (SELECT count(*)::int FROM session s JOIN api_key k ON k.id = s.key_id WHERE k.account_id = '${accountId}') AS session`);
  return rows[0];
}

/** Creates an account with rows in every table. */
async function arrange() {
  const { id, key } = await newAccount(database);
  await insertEndpoint(pool, id);
  await pool.query('INSERT INTO account_turn (account_id, last_scheduled_at) VALUES ($1, now())', [id]);
  const openCapture = await reserve(pool, id);
  const running = await claim(pool, await reserve(pool, id));
  const ended = await claim(pool, await reserve(pool, id));
  await endCapture(pool, terms, endingOf(ended, filed(`${ended.id}.png`)));
  const items = Array.from({ length: 3 }, () => captureOf(id));
  await newBatch(pool, id, items);
  const request = { accountId: id, key: 'once', fingerprint: Buffer.alloc(32) };
  await runIdempotently(pool, request, async () => ({ captureId: openCapture, body: null }));
  const expiresAt = new Date(Date.now() + 60_000);
  await putPreset(database, encryptor, { accountId: id, name: 'shop', options: { width: 800 }, createdAt: new Date() });
  await openSession(database, { keyId: key.id }, { createdAt: new Date(), expiresAt });
  return { id, key, openCapture, running, ended, items };
}

it('removes all rows of the account from every table, and none of other accounts', async () => {
  const mine = await arrange();
  const other = await arrange();
  const before = await rowsOf(other.id);
  expect(Object.values(before)).not.toContain(0);
  expect(await rowsOf(mine.id)).toEqual(before);

  expect(await deleteAccount(database, mine.id)).toBe(true);
  expect(await listDeletedAccounts(database)).toEqual([mine.id]);
  const gone = removal();
  expect(await removeAccount(pool, mine.id, gone.terms)).toBe(true);

  expect(new Set(Object.values(await rowsOf(mine.id)))).toEqual(new Set([0]));
  expect(await rowsOf(other.id)).toEqual(before);
  expect(gone.files).toEqual([`${mine.ended.id}.png`]);
  const open = [mine.openCapture, mine.running.id, ...mine.items.map((item) => item.id)];
  expect(gone.cancelled.sort()).toEqual(open.sort());
  const { rows } = await pool.query(
    'SELECT count(*)::int FROM delivery_attempt a LEFT JOIN delivery d ON d.id = a.delivery_id WHERE d.id IS NULL',
  );
  expect(rows[0].count).toBe(0);
  expect(await listDeletedAccounts(database)).toEqual([]);
  expect(await removeAccount(pool, mine.id, removal().terms)).toBe(true);
});

it('hides a deleted account with one statement, before any row is removed', async () => {
  const { id, key, openCapture, ended } = await arrange();
  const { rows } = await pool.query('SELECT email FROM account WHERE id = $1', [id]);
  const address = rows[0].email;
  expect(await findCapture(pool, ended.id)).not.toBeNull();
  await deleteAccount(database, id);

  expect(await findKey(pool, key.apiKey, month)).toBeNull();
  expect(await findCapture(pool, ended.id)).toBeNull();
  expect(await claimCapture(pool, { captureId: openCapture, workerId: 'worker-1' })).toBeNull();
  expect(await rotateSigningSecret(pool, encryptor, id)).toBeNull();
  const page = { email: null, after: null, limit: 1_000, month };
  expect((await listAccounts(database, page)).map((account) => account.id)).not.toContain(id);
  expect(await deleteAccount(database, id)).toBe(false);

  const again = { id: newId('acc'), email: address, signingSecret: 'x', createdAt: new Date() };
  expect(await createAccount(database, again)).not.toBeNull();
});

it('sends no further deliveries of a deleted account and discards those in progress', async () => {
  await pool.query('TRUNCATE delivery, delivery_attempt; DELETE FROM receiver');
  const { id } = await newAccount(database);
  await insertDelivery(pool, id);
  const inProgress = await beginOne(pool, form);
  await insertDelivery(pool, id);
  const waiting = await claimOne(pool, form);
  await deleteAccount(database, id);
  expect(await begin(pool, form, waiting)).toBeNull();
  expect(await beginAttempt(pool, form, waiting, { dispatcherId, at: due })).toBeNull();

  expect(await removeAccount(pool, id, removal().terms)).toBe(true);
  expect(await recordAttempt(pool, form, inProgress, outcomeOf(due, 503, 'http_5xx'))).toBeNull();
  await beAlive(pool);
  await recoverReceivers(pool);
  expect(new Set(Object.values(await rowsOf(id)))).toEqual(new Set([0]));
});

it('leaves a worker that still renders one of its captures with nothing to end', async () => {
  const { id, running } = await arrange();
  await deleteAccount(database, id);
  expect(await removeAccount(pool, id, removal().terms)).toBe(true);
  expect(await endCapture(pool, terms, endingOf(running))).toBeNull();
  expect(new Set(Object.values(await rowsOf(id)))).toEqual(new Set([0]));
});

it('waits for a transaction that ends a capture, and removes its result too', async () => {
  const { id, running } = await arrange();
  await deleteAccount(database, id);
  const connection = await pool.connect();
  await connection.query('BEGIN');
  await connection.query('SELECT FROM capture WHERE id = $1 FOR UPDATE', [running.id]);
  const first = removal();
  expect(await removeAccount(pool, id, first.terms)).toBe(false);
  expect(first.cancelled).not.toContain(running.id);
  expect(await rowsOf(id)).toMatchObject({ capture: 1, account: 1 });
  await connection.query('COMMIT');
  connection.release();
  await endCapture(pool, terms, endingOf(running, filed('late.png')));
  const second = removal();
  expect(await removeAccount(pool, id, second.terms)).toBe(true);
  expect(second.files).toEqual(['late.png']);
  expect(new Set(Object.values(await rowsOf(id)))).toEqual(new Set([0]));
});

it('removes a shared file with its last capture, and thousands of rows in chunks', async () => {
  const { id } = await newAccount(database);
  const other = await newAccount(database);
  const insert = (accountId: string, rows: number, key: string) =>
    pool.query(
      `INSERT INTO capture (id, account_id, type, status, url, options, month, storage_key, created_at)
       SELECT 'req_' || md5(random()::text || n), $1, 'screenshot', 'completed', 'https://example.com/', '{}', '2026-11',
              CASE WHEN n % 2 = 0 THEN $3 ELSE $3 || n END, now() FROM generate_series(1, $2) n`,
      [accountId, rows, key],
    );
  await insert(id, 2_500, 'shared.png');
  await insert(other.id, 1, 'theirs.png');
  await pool.query('UPDATE capture SET storage_key = $1 WHERE account_id = $2', ['theirs.png', other.id]);
  await deleteAccount(database, id);

  let looks = 0;
  const broken = removal(() => {
    looks += 1;
    return looks > 4;
  });
  expect(await removeAccount(pool, id, broken.terms)).toBe(false);
  const remaining = (await rowsOf(id)).capture as number;
  expect(remaining).toBeGreaterThan(0);
  expect(remaining).toBeLessThan(2_500);

  const rest = removal();
  expect(await removeAccount(pool, id, rest.terms)).toBe(true);
  const files = [...broken.files, ...rest.files];
  expect(new Set(files).size).toBe(1_251);
  expect(files).toContain('shared.png');
  expect(await rowsOf(other.id)).toMatchObject({ capture: 1, account: 1 });
});
