import { contractForm, type FormName } from '@capture/contract/forms/forms';
import { createTestDatabase } from '@capture/testing/database';
import { afterAll } from '@jest/globals';
import type pg from 'pg';
import { createAccount } from '../accounts/accounts.ts';
import type { IssuedKey } from '../accounts/keys.ts';
import { signingSecretOf } from '../accounts/signing-secret.ts';
import { type Database, openSqlDatabase, type Queryable } from '../database.ts';
import { createEncryptor } from '../encryption.ts';
import { newId } from '../ids.ts';
import { openDatabase } from '../open-database.ts';
import { type ClaimedCapture, claimCapture } from './claim-capture.ts';
import type { CaptureEnding, CaptureOutcome, EventContext } from './end-capture.ts';
import { insertBatch, type NewBatch } from './insert-batch.ts';
import { type NewCapture, reserveCapture } from './reserve-capture.ts';
import { sendHeartbeat } from './worker-heartbeat.ts';

export const month = '2026-11';
export const encryptor = createEncryptor('0123456789abcdef0123456789abcdef');

type TestDatabase = Database & { readonly url: string };

/** Opens a migrated database for the tests of one file, and drops it after them. */
export async function useTestDatabase(connections = 10): Promise<TestDatabase> {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url, connections });
  afterAll(async () => {
    await database.close();
    await drop();
  });
  return { ...database, url };
}

/**
 * Counts the rows that `work` reads of a table, including its partitions and indexes.
 *
 * @param work gets a pool with one connection and must use no other connection.
 */
export async function rowsRead(
  database: TestDatabase,
  table: string,
  work: (pool: pg.Pool) => Promise<unknown>,
): Promise<number> {
  const { pool, close } = openSqlDatabase({ url: database.url, connections: 1 });
  // Without this a connection reports the rows it has read once a second, or later while it is idle.
  const flush = 'SELECT pg_stat_force_next_flush()';
  await Promise.all(Array.from({ length: database.pool.totalCount }, () => database.pool.query(flush)));
  const readSoFar = async () => {
    await pool.query(flush);
    const { rows } = await pool.query(
      `SELECT sum(t.seq_tup_read)::int + sum((SELECT sum(i.idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid))::int
              AS read FROM pg_stat_user_tables t
        WHERE t.relid = $1::regclass OR t.relid IN (SELECT relid FROM pg_partition_tree($1) WHERE isleaf)`,
      [table],
    );
    return rows[0].read;
  };
  try {
    const before = await readSoFar();
    await work(pool);
    return (await readSoFar()) - before;
  } finally {
    await close();
  }
}

let accounts = 0;

export async function newAccount(database: Pick<Database, 'prisma'>): Promise<{ id: string; key: IssuedKey }> {
  const id = newId('acc');
  accounts += 1;
  const key = await createAccount(database, {
    id,
    email: `account-${accounts}@example.com`,
    signingSecret: encryptor.encrypt('whsec_QUJD', signingSecretOf(id)),
    createdAt: new Date(),
  });
  if (!key) throw new Error('the account could not be created');
  return { id, key };
}

export function captureOf(accountId: string, more: Partial<NewCapture> = {}): NewCapture {
  return {
    id: newId('req'),
    accountId,
    type: 'screenshot',
    url: 'https://example.com/',
    options: { url: 'https://example.com/' },
    webhookUrl: null,
    metadata: null,
    fingerprint: Buffer.alloc(32),
    month,
    monthlyLimit: 1_000,
    ...more,
  };
}

/** Reserves a capture of an account that has quota left. @returns the capture's id. */
export async function reserve(database: Queryable, accountId: string, more: Partial<NewCapture> = {}): Promise<string> {
  const capture = captureOf(accountId, more);
  if (!(await reserveCapture(database, capture))) throw new Error('the quota is used up');
  return capture.id;
}

/** Inserts a batch of an account with an unlimited plan. @returns the batch's id. */
export async function newBatch(database: Queryable, accountId: string, items: NewBatch['items'], webhookUrl?: string) {
  const id = newId('batch');
  const terms = { month, monthlyLimit: null, webhookUrl: webhookUrl ?? null };
  await insertBatch(database, { id, accountId, items, ...terms });
  return id;
}

/** Sends a heartbeat of each worker with its number of pages. */
export async function sendHeartbeats(database: Queryable, workers: Record<string, number>): Promise<void> {
  for (const [id, pages] of Object.entries(workers)) await sendHeartbeat(database, { id, pages, captureIds: [] });
}

/** Claims a capture. Fails if the capture cannot be claimed. */
export async function claim(database: Queryable, captureId: string, workerId = 'worker-1'): Promise<ClaimedCapture> {
  const claimed = await claimCapture(database, { captureId, workerId });
  if (!claimed) throw new Error(`${captureId} could not be claimed`);
  return claimed;
}

export const eventContext = (name: FormName): EventContext => ({
  form: contractForm(name),
  fileUrlOf: ({ captureId, format }) => `https://captures.example.com/files/${captureId}.${format}`,
});

export const completed: CaptureOutcome = {
  status: 'completed',
  format: 'png',
  width: 1_280,
  height: 720,
  fileSize: 34_567,
  storageKey: 'captures/file.png',
  expiresAt: new Date('2026-11-27T10:00:00Z'),
};

export const failed: CaptureOutcome = {
  status: 'failed',
  errorCode: 'CAPTURE_TIMEOUT',
  errorMessage: 'It took longer than 30,000 ms.',
};

export function endingOf(
  { id, attempt }: { id: string; attempt: number },
  outcome: CaptureOutcome = completed,
): CaptureEnding {
  return { captureId: id, attempt, outcome, durationMs: 812, at: new Date('2026-11-20T10:00:00Z') };
}

export async function usageOf(database: Queryable, accountId: string, of = month) {
  const { rows } = await database.query('SELECT used, reserved FROM usage WHERE account_id = $1 AND month = $2', [
    accountId,
    of,
  ]);
  return rows[0] as { used: number; reserved: number } | undefined;
}

export async function rowOf(database: Queryable, table: 'capture' | 'delivery', id: string) {
  const { rows } = await database.query(`SELECT * FROM ${table} WHERE id = $1`, [id]);
  return rows[0];
}

/** Runs `work` while another transaction holds the rows that the statement locks. */
export async function whileLocked<Result>(
  { pool }: Pick<Database, 'pool'>,
  [statement, ...values]: readonly [string, ...unknown[]],
  work: () => Promise<Result>,
): Promise<Result> {
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(statement, values);
    return await work();
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

/** Expires the claim of a capture, as happens when its worker is lost. */
export async function loseWorkerOf(database: Queryable, captureId: string): Promise<void> {
  await database.query(`UPDATE capture SET lease_until = now() - interval '1 second' WHERE id = $1`, [captureId]);
}
