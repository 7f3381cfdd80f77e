import { forms } from '@capture/contract/forms/forms';
import { waitUntil } from '@capture/testing/wait-until';
import { endpointSecretOf } from '../accounts/signing-secret.ts';
import { encryptor } from '../captures/captures.test-support.ts';
import type { Database, Queryable } from '../database.ts';
import { beginAttempt, type DeliveryAttempt } from '../deliveries/begin-attempt.ts';
import type { DeliveryStatus } from '../deliveries/delivery-conditions.ts';
import { firstIdAt, newId } from '../ids.ts';
import type { StoredEndpoint } from './endpoints.ts';
import { registerEndpoint } from './endpoints.ts';

export const endpointUrl = 'https://hooks.example.com/captures';
export const sampleBody = Buffer.from('{"event":"capture.completed"}');

/** The current time of these tests; everything that they arrange lies before it. */
export const now = new Date('2026-11-20T10:00:00.000Z');
export const before = (ms: number) => new Date(now.getTime() - ms);
export const later = (ms: number) => new Date(now.getTime() + ms);

export async function newEndpoint(
  database: Pick<Database, 'pool' | 'prisma'>,
  accountId: string,
  more: { url?: string; status?: string } = {},
): Promise<StoredEndpoint> {
  const id = newId('wh');
  const endpoint = await registerEndpoint(database, {
    id,
    accountId,
    url: more.url ?? endpointUrl,
    events: ['capture.completed', 'capture.failed'],
    signingSecret: encryptor.encrypt('a secret of its owner', endpointSecretOf(id)),
    createdAt: now,
  });
  if (!endpoint) throw new Error('the account has too many endpoints');
  if (more.status)
    await database.pool.query('UPDATE webhook_endpoint SET status = $2 WHERE id = $1', [id, more.status]);
  return endpoint;
}

interface Arranged {
  accountId: string;
  webhookId?: string | null;
  url?: string;
  status?: DeliveryStatus;
  event?: string;
  createdAt?: Date;
  completedAt?: Date;
  retriesUsed?: number;
}

/** Inserts a delivery in any state, with a new event. @returns the delivery's id. */
export async function arrangeDelivery(database: Queryable, options: Arranged): Promise<string> {
  const { status = 'pending', createdAt = before(3_600_000) } = options;
  const [id, eventId] = [newId('dlv', createdAt), newId('evt', createdAt)];
  await database.query(
    'INSERT INTO event (id, account_id, name, capture_id, body, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [eventId, options.accountId, options.event ?? 'capture.completed', newId('req'), sampleBody, createdAt],
  );
  const ended = status === 'delivered' || status === 'failed';
  await database.query(
    `INSERT INTO delivery (id, event_id, account_id, webhook_id, url, status, created_at, next_attempt_at, completed_at,
                           retries_used, attempt, begun_attempt, attempt_count)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $11)`,
    [
      id,
      eventId,
      options.accountId,
      options.webhookId ?? null,
      options.url ?? endpointUrl,
      status,
      createdAt,
      status === 'pending' ? later(600_000) : null,
      ended ? (options.completedAt ?? createdAt) : null,
      options.retriesUsed ?? 0,
      ended ? 1 : 0,
    ],
  );
  return id;
}

/** Claims a delivery as the dispatcher does, whether or not it is due. */
export async function claimDelivery(database: Queryable, id: string): Promise<{ id: string; attempt: number }> {
  const { rows } = await database.query(
    `UPDATE delivery SET attempt = attempt + 1, lease_until = $2, next_attempt_at = $2 WHERE id = $1 RETURNING attempt`,
    [id, later(10_000)],
  );
  return { id, attempt: rows[0].attempt };
}

export const beginClaim = (database: Queryable, claim: { id: string; attempt: number }) =>
  beginAttempt(database, forms.B, claim, { dispatcherId: 'dispatcher-1', at: now });

export async function beginDelivery(database: Queryable, id: string): Promise<DeliveryAttempt> {
  const attempt = await beginClaim(database, await claimDelivery(database, id));
  if (!attempt) throw new Error('the attempt did not begin');
  return attempt;
}

export async function deliveryRow(database: Queryable, id: string) {
  const { rows } = await database.query('SELECT * FROM delivery WHERE id = $1', [id]);
  return rows[0];
}

/** Reads when each receiver of the account is due, by host. */
export async function receiversOf(database: Queryable, accountId: string): Promise<Record<string, Date | null>> {
  const { rows } = await database.query('SELECT host, next_due_at FROM receiver WHERE account_id = $1', [accountId]);
  return Object.fromEntries(rows.map((row) => [row.host, row.next_due_at]));
}

/** Starts `first`, then `second`, while the row that `lock` locks is held, then releases the row, so that they run in this order. */
export async function inOrder<One, Two>(
  { pool }: Pick<Database, 'pool'>,
  [statement, ...values]: readonly [string, ...unknown[]],
  first: () => Promise<One>,
  second: () => Promise<Two>,
): Promise<[One, Two]> {
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(statement, values);
    const one = first();
    await waitForLocks(pool, 1);
    const two = second();
    await waitForLocks(pool, 2);
    await holder.query('COMMIT');
    return [await one, await two];
  } finally {
    holder.release();
  }
}

/** Waits until this many statements on this test's database wait for a lock. */
export const waitForLocks = (database: Queryable, count: number) =>
  waitUntil(
    async () => {
      const { rows } = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length === count;
    },
    { what: `${count} statements to wait for a lock` },
  );

/** A node of a query plan, from EXPLAIN (FORMAT JSON). */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** Runs a statement. @returns how its query plan read the table of deliveries, and the number of rows read. */
export async function explain(
  database: Queryable,
  query: { text: string; values: unknown[] },
): Promise<{ nodes: string[]; rowsRead: number; largestSort: number }> {
  const { rows } = await database.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${query.text}`, query.values);
  const nodes = [rows[0]['QUERY PLAN'][0].Plan as PlanNode];
  for (const node of nodes) nodes.push(...(node.Plans ?? []));
  const returned = (node: PlanNode) => Math.round((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1));
  const filtered = (node: PlanNode) =>
    ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    (node['Actual Loops'] ?? 1);
  const sum = (of: readonly PlanNode[], count: (node: PlanNode) => number) =>
    of.reduce((total, node) => total + count(node), 0);
  const reads = nodes.filter((node) => node['Relation Name'] === 'delivery_first');
  const sorts = nodes.filter((node) => node['Node Type'].includes('Sort'));
  return {
    nodes: [...new Set(reads.map((node) => node['Node Type']))],
    rowsRead: sum(reads, (node) => returned(node) + filtered(node)),
    largestSort: Math.max(0, ...sorts.map((node) => sum(node.Plans ?? [], returned))),
  };
}

/**
 * Inserts deliveries one second apart, the last right before `now`. Three of four are delivered, and most others failed. Every
 * second delivery belongs to the first account; the rest are spread evenly.
 */
export async function arrangeBacklog(
  { pool }: Pick<Database, 'pool'>,
  owners: readonly { accountId: string; webhookId: string | null }[],
  count: number,
): Promise<void> {
  const times = Array.from({ length: count }, (_, i) => before((count - i) * 1_000));
  const statuses: DeliveryStatus[] = ['delivered', 'delivered', 'delivered', 'failed'];
  // The ids are not random, because generating random ids takes seconds.
  const idOf = (prefix: 'evt' | 'dlv', at: Date, i: number) =>
    firstIdAt(prefix, at).slice(0, -6) + i.toString().padStart(6, '0');
  const rows = times.map((at, i) => {
    const pair = i >> 1;
    const owner = owners[i % 2 === 0 || owners.length === 1 ? 0 : 1 + (pair % (owners.length - 1))];
    const status = pair % 101 === 0 ? 'pending' : pair % 101 === 50 ? 'paused' : statuses[pair % 4];
    return [idOf('evt', at, i), idOf('dlv', at, i), owner?.accountId, owner?.webhookId, status, at];
  });
  const column = (index: number) => rows.map((row) => row[index]);
  await pool.query(
    `INSERT INTO event (id, account_id, name, body, created_at)
     SELECT id, account_id, 'capture.completed', $4, at FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS e (id, account_id, at)`,
    [column(0), column(2), column(5), sampleBody],
  );
  await pool.query(
    `INSERT INTO delivery (id, event_id, account_id, webhook_id, url, status, created_at, completed_at)
     SELECT id, event_id, account_id, webhook_id, $7, status, at, CASE WHEN status IN ('delivered', 'failed') THEN at END
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
         AS d (event_id, id, account_id, webhook_id, status, at)`,
    [column(0), column(1), column(2), column(3), column(4), column(5), endpointUrl],
  );
  await pool.query('ANALYZE delivery; ANALYZE event');
}
