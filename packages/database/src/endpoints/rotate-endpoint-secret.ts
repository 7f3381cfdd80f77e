import { endpointSecretOf, rotationOverlapS } from '../accounts/signing-secret.ts';
import type { Queryable } from '../database.ts';
import type { Encryptor } from '../encryption.ts';

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
    [endpoint.id, endpoint.accountId, encryptor.seal(endpoint.secret, endpointSecretOf(endpoint.id)), rotationOverlapS],
  );
  return rows[0]?.previousValidUntil ?? null;
}
