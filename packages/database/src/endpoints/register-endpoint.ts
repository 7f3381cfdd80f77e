import type pg from 'pg';
import { transaction } from '../database.ts';
import { endpointColumns, type StoredEndpoint } from './endpoint-row.ts';

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
