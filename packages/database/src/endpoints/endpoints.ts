import type { EventName } from '@capture/contract/forms/forms';
import type pg from 'pg';
import {
  endpointSecretOf,
  rotationOverlapS,
  secretColumns,
  type ValidSecrets,
  validSecrets,
} from '../accounts/signing-secret.ts';
import { type Database, type Queryable, transaction } from '../database.ts';
import type { Encryptor } from '../encryption.ts';
import type { WebhookEndpoint } from '../generated/client.ts';
import { followEndpoint, noteBacklog } from './endpoint-deliveries.ts';

type Prisma = Pick<Database, 'prisma'>;

/** A registered endpoint as its owner sees it. Its secret is shown only at registration. */
export interface StoredEndpoint {
  id: string;
  url: string;
  events: EventName[];
  status: 'active' | 'paused' | 'disabled';
  /** The reason why the platform disabled the endpoint, in one sentence. */
  disabledReason: string | null;
  /** When the first attempt failed since the last 2xx response; null while attempts succeed. */
  failingSince: Date | null;
  createdAt: Date;
}

const shown = {
  id: true,
  url: true,
  events: true,
  status: true,
  disabledReason: true,
  failingSince: true,
  createdAt: true,
} as const;

/** The columns have the type text, but only names of events and these statuses are ever written. */
const storedEndpoint = (row: Pick<WebhookEndpoint, keyof typeof shown>) => row as StoredEndpoint;

/** The most endpoints of an account. The limit bounds the deliveries that one transaction writes for an event. */
export const endpointsAtMost = 50;

export interface NewEndpoint {
  id: string;
  accountId: string;
  url: string;
  events: readonly string[];
  /** The signing secret, encrypted for this endpoint (`endpointSecretOf`). */
  signingSecret: string;
  createdAt: Date;
}

/** Registers an endpoint, which is active at once. @returns null if the account has reached its limit of endpoints. */
export async function registerEndpoint({ prisma }: Prisma, endpoint: NewEndpoint): Promise<StoredEndpoint | null> {
  const { accountId } = endpoint;
  return prisma.$transaction(async (tx) => {
    // This is the weakest lock that two registrations cannot share: captures that refer to the account can still be inserted.
    await tx.$queryRaw`SELECT 1 FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
    if ((await tx.webhookEndpoint.count({ where: { accountId } })) >= endpointsAtMost) return null;
    const data = { ...endpoint, events: [...endpoint.events] };
    return storedEndpoint(await tx.webhookEndpoint.create({ data, select: shown }));
  });
}

interface EndpointKey {
  id: string;
  accountId: string;
}

/** @returns null if the account has no such endpoint. */
export async function findEndpoint({ prisma }: Prisma, { id, accountId }: EndpointKey): Promise<StoredEndpoint | null> {
  const row = await prisma.webhookEndpoint.findUnique({ where: { id, accountId }, select: shown });
  return row && storedEndpoint(row);
}

/** Reads one page of an account's endpoints, newest first. @param page.after the id of the last row of the previous page. */
export async function listEndpoints(
  { prisma }: Prisma,
  { accountId, after, limit }: { accountId: string; after: string | null; limit: number },
): Promise<StoredEndpoint[]> {
  const rows = await prisma.webhookEndpoint.findMany({
    where: { accountId, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: 'desc' },
    take: limit,
    select: shown,
  });
  return rows.map(storedEndpoint);
}

/** Reads the secrets that sign a delivery to an endpoint; null if the account has no such endpoint. */
export async function readEndpointSecrets(
  { pool }: Pick<Database, 'pool'>,
  encryptor: Encryptor,
  { id, accountId }: EndpointKey,
): Promise<ValidSecrets | null> {
  const { rows } = await pool.query(`SELECT ${secretColumns} FROM webhook_endpoint WHERE id = $1 AND account_id = $2`, [
    id,
    accountId,
  ]);
  return rows[0] ? validSecrets(rows[0], (encrypted) => encryptor.decrypt(encrypted, endpointSecretOf(id))) : null;
}

/**
 * Gives an endpoint a new signing secret, which signs at once; the previous secret signs too until the overlap ends. This is SQL
 * because the statement moves one column's value to another column.
 *
 * @returns the end of the overlap; null if the account has no such endpoint.
 */
export async function rotateEndpointSecret(
  database: Queryable,
  encryptor: Encryptor,
  endpoint: { id: string; accountId: string; secret: string },
): Promise<Date | null> {
  const { rows } = await database.query(
    `UPDATE webhook_endpoint
        SET previous_signing_secret = signing_secret,
            previous_signing_secret_until = now() + make_interval(secs => $4),
            signing_secret = $3
      WHERE id = $1 AND account_id = $2
  RETURNING previous_signing_secret_until AS "previousValidUntil"`,
    [
      endpoint.id,
      endpoint.accountId,
      encryptor.encrypt(endpoint.secret, endpointSecretOf(endpoint.id)),
      rotationOverlapS,
    ],
  );
  return rows[0]?.previousValidUntil ?? null;
}

/**
 * Deletes an endpoint, then fails its open deliveries; if there are many, a cleanup job finishes. An attempt in progress is left
 * to the transaction that records its outcome, which then finds no endpoint.
 *
 * @returns false if the account has no such endpoint.
 */
export async function deleteEndpoint(
  pool: pg.Pool,
  endpoint: { id: string; accountId: string },
  at: Date | null = null,
): Promise<boolean> {
  const deleted = await transaction(pool, async (connection) => {
    // The statement waits for transactions that insert events for the endpoint, so that the later steps see their deliveries.
    const { rowCount } = await connection.query('DELETE FROM webhook_endpoint WHERE id = $1 AND account_id = $2', [
      endpoint.id,
      endpoint.accountId,
    ]);
    if (rowCount === 0) return false;
    await noteBacklog(connection, endpoint.id);
    return true;
  });
  if (deleted) await followEndpoint(pool, endpoint.id, { at });
  return deleted;
}
