import { endpointSecretOf } from '../accounts/signing-secret.ts';
import type { Queryable } from '../database.ts';
import type { Encryptor } from '../encryption.ts';
import { endpointColumns, type StoredEndpoint } from './endpoint-row.ts';

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
  const open = (sealed: string) => encryptor.open(sealed, endpointSecretOf(key.id));
  return row.previous === null ? [open(row.current)] : [open(row.current), open(row.previous)];
}
