import type pg from 'pg';
import { transaction } from '../database.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { makeReceiversDue, type ReceiverKey } from './make-receivers-due.ts';

/**
 * Gives claims back, because what should have carried them on (Redis) did not: they are due at once. One whose attempt
 * was begun stays as it is: Redis had taken it after all.
 */
export async function returnClaims(pool: pg.Pool, claims: readonly ClaimedDelivery[], at: Date): Promise<void> {
  await transaction(pool, async (connection) => {
    const { rows } = await connection.query<ReceiverKey>(
      `UPDATE delivery d SET lease_until = NULL, next_attempt_at = $3
         FROM unnest($1::text[], $2::int[]) AS claim (id, attempt)
        WHERE d.id = claim.id AND d.attempt = claim.attempt AND d.begun_attempt < d.attempt AND d.status = 'pending'
          AND d.lease_until IS NOT NULL
        RETURNING d.account_id AS "accountId", d.host`,
      [claims.map((claim) => claim.id), claims.map((claim) => claim.attempt), at],
    );
    await makeReceiversDue(connection, rows, at);
  });
}
