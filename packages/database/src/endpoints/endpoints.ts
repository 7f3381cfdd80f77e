import type { EventName } from '@capture/contract/forms/forms';
import type pg from 'pg';
import { endpointSecretOf, rotationOverlapS } from '../accounts/signing-secret.ts';
import { type Queryable, transaction } from '../database.ts';
import { underWay } from '../deliveries/delivery-conditions.ts';
import type { Encryptor } from '../encryption.ts';

/** A registered endpoint as its owner sees it; its secret is shown nowhere again. */
export interface StoredEndpoint {
  id: string;
  url: string;
  events: EventName[];
  status: 'active' | 'paused' | 'disabled';
  /** Why we disabled it, in one sentence. */
  disabledReason: string | null;
  createdAt: Date;
}

export const endpointColumns = `id, url, events, status, disabled_reason AS "disabledReason", created_at AS "createdAt"`;

/** Endpoints of one account: each event is a delivery to every one of them that subscribed, in one transaction. */
export const endpointsAtMost = 50;

export interface NewEndpoint {
  id: string;
  accountId: string;
  url: string;
  events: readonly string[];
  /** EncryptedValue for this endpoint (`endpointSecretOf`). */
  signingSecret: string;
  createdAt: Date;
}

/**
 * Registers an endpoint, which is active at once.
 *
 * @returns null if the account has as many as it may; then nothing was changed.
 */
export async function registerEndpoint(pool: pg.Pool, endpoint: NewEndpoint): Promise<StoredEndpoint | null> {
  return transaction(pool, async (connection) => {
    // The weakest lock that two registrations cannot share: captures of the account, which refer to it, go on meanwhile.
    await connection.query('SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE', [endpoint.accountId]);
    const { rows } = await connection.query<StoredEndpoint>(
      `INSERT INTO webhook_endpoint (id, account_id, url, events, signing_secret, created_at)
       SELECT $1, $2, $3, $4, $5, $6
        WHERE (SELECT count(*) FROM webhook_endpoint WHERE account_id = $2) < $7
       RETURNING ${endpointColumns}`,
      [
        endpoint.id,
        endpoint.accountId,
        endpoint.url,
        endpoint.events,
        endpoint.signingSecret,
        endpoint.createdAt,
        endpointsAtMost,
      ],
    );
    return rows[0] ?? null;
  });
}

interface EndpointKey {
  id: string;
  accountId: string;
}

/** @returns null if the account has no such endpoint. */
export async function findEndpoint(database: Queryable, key: EndpointKey): Promise<StoredEndpoint | null> {
  const { rows } = await database.query<StoredEndpoint>(
    `SELECT ${endpointColumns} FROM webhook_endpoint WHERE id = $1 AND account_id = $2`,
    [key.id, key.accountId],
  );
  return rows[0] ?? null;
}

/** One page of an account's endpoints, newest first. @param page.after the id of the last row of the page before. */
export async function listEndpoints(
  database: Queryable,
  page: { accountId: string; after: string | null; limit: number },
): Promise<StoredEndpoint[]> {
  const { rows } = await database.query<StoredEndpoint>(
    `SELECT ${endpointColumns} FROM webhook_endpoint
      WHERE account_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [page.accountId, page.after, page.limit],
  );
  return rows;
}

/**
 * What signs a delivery to an endpoint now: its secret, then the one before while the overlap of a rotation lasts.
 *
 * @returns null if the account has no such endpoint.
 */
export async function readEndpointSecrets(
  database: Queryable,
  encryptor: Encryptor,
  key: EndpointKey,
): Promise<[current: string, previous?: string] | null> {
  const { rows } = await database.query(
    `SELECT signing_secret AS current,
            CASE WHEN previous_signing_secret_until > now() THEN previous_signing_secret END AS previous
       FROM webhook_endpoint WHERE id = $1 AND account_id = $2`,
    [key.id, key.accountId],
  );
  const [row] = rows;
  if (!row) return null;
  const open = (sealed: string) => encryptor.decrypt(sealed, endpointSecretOf(key.id));
  return row.previous === null ? [open(row.current)] : [open(row.current), open(row.previous)];
}

/**
 * Gives an endpoint another signing secret, which signs at once; the former one signs beside it for the overlap.
 *
 * @returns until when the former one signs; null if the account has no such endpoint.
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
 * Deletes an endpoint; its open deliveries have failed with that. An attempt that is under way is left to who records its
 * outcome and finds no endpoint any more.
 *
 * @returns false if the account has no such endpoint.
 */
export async function deleteEndpoint(
  pool: pg.Pool,
  endpoint: { id: string; accountId: string },
  at: Date,
): Promise<boolean> {
  return transaction(pool, async (connection) => {
    // Waits for the events that are just being inserted for it, so that the next statement sees their deliveries.
    const { rowCount } = await connection.query('DELETE FROM webhook_endpoint WHERE id = $1 AND account_id = $2', [
      endpoint.id,
      endpoint.accountId,
    ]);
    if (rowCount === 0) return false;
    await connection.query(
      `UPDATE delivery d
          SET status = 'failed', last_error = 'endpoint_deleted', completed_at = $2, lease_until = NULL,
              next_attempt_at = NULL
        WHERE d.webhook_id = $1 AND d.status IN ('pending', 'paused') AND NOT ${underWay('$2')}`,
      [endpoint.id, at],
    );
    return true;
  });
}
