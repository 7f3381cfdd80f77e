import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import type { Queryable } from '../database.ts';
import type { Encryptor } from '../encryption.ts';

/** For how long a rotated secret's signatures are sent beside the new one's: 24 h, the contract's overlap. */
export const rotationOverlapS = 86_400;

/** What an account's signing secret is sealed for. */
export function signingSecretOf(accountId: string): string {
  return `${accountId} signing secret`;
}

/** What a registered endpoint's signing secret is sealed for. */
export function endpointSecretOf(webhookId: string): string {
  return `${webhookId} signing secret`;
}

/** An account's signing secret in the clear; null if there is no such account. */
export async function readSigningSecret(
  database: Queryable,
  encryptor: Encryptor,
  accountId: string,
): Promise<{ secret: string; createdAt: Date } | null> {
  const { rows } = await database.query('SELECT signing_secret, signing_secret_created_at FROM account WHERE id = $1', [
    accountId,
  ]);
  const [row] = rows;
  if (!row) return null;
  return {
    secret: encryptor.decrypt(row.signing_secret, signingSecretOf(accountId)),
    createdAt: row.signing_secret_created_at,
  };
}

/**
 * What signs a delivery to the URL of an account's request now: its secret, then the one before while the overlap of a
 * rotation lasts. Null if there is no such account.
 */
export async function readSigningSecrets(
  database: Queryable,
  encryptor: Encryptor,
  accountId: string,
): Promise<[current: string, previous?: string] | null> {
  const { rows } = await database.query(
    `SELECT signing_secret AS current,
            CASE WHEN previous_signing_secret_until > now() THEN previous_signing_secret END AS previous
       FROM account WHERE id = $1`,
    [accountId],
  );
  const [row] = rows;
  if (!row) return null;
  const open = (sealed: string) => encryptor.decrypt(sealed, signingSecretOf(accountId));
  return row.previous === null ? [open(row.current)] : [open(row.current), open(row.previous)];
}

/**
 * Gives an account a new signing secret, which signs at once; the former one signs beside it for the overlap.
 *
 * @returns null if there is no such account.
 */
export async function rotateSigningSecret(
  database: Queryable,
  encryptor: Encryptor,
  accountId: string,
): Promise<{ secret: string; previousValidUntil: Date } | null> {
  const secret = generateSigningSecret();
  const { rows } = await database.query(
    `UPDATE account
        SET previous_signing_secret = signing_secret,
            previous_signing_secret_until = now() + make_interval(secs => $3),
            signing_secret = $2, signing_secret_created_at = now()
      WHERE id = $1 AND deleted_at IS NULL
      RETURNING previous_signing_secret_until AS "previousValidUntil"`,
    [accountId, encryptor.encrypt(secret, signingSecretOf(accountId)), rotationOverlapS],
  );
  return rows[0] ? { secret, previousValidUntil: rows[0].previousValidUntil } : null;
}
