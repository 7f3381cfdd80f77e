import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import type { Database, Queryable } from '../database.ts';
import type { Encryptor } from '../encryption.ts';

/** How long a rotated secret keeps signing beside the new one: 24 h, the contract's overlap. */
export const rotationOverlapS = 86_400;

/** What an account's signing secret is encrypted for. */
export function signingSecretOf(accountId: string): string {
  return `${accountId} signing secret`;
}

/** What a registered endpoint's signing secret is encrypted for. */
export function endpointSecretOf(webhookId: string): string {
  return `${webhookId} signing secret`;
}

/** An account's signing secret in plain text; null if there is no such account. */
export async function readSigningSecret(
  { prisma }: Pick<Database, 'prisma'>,
  encryptor: Encryptor,
  accountId: string,
): Promise<{ secret: string; createdAt: Date } | null> {
  const account = await prisma.account.findUnique({
    where: { id: accountId },
    select: { signingSecret: true, signingSecretCreatedAt: true },
  });
  return (
    account && {
      secret: encryptor.decrypt(account.signingSecret, signingSecretOf(accountId)),
      createdAt: account.signingSecretCreatedAt,
    }
  );
}

/** The secrets that sign now: the current one, then the previous one while the overlap of a rotation lasts. */
export type ValidSecrets = [current: string, previous?: string];

/** Selects what `validSecrets` reads. SQL, since the overlap ends by the database's clock, which all gateways share. */
export const secretColumns = `signing_secret AS current,
            CASE WHEN previous_signing_secret_until > now() THEN previous_signing_secret END AS previous`;

export function validSecrets(
  row: { current: string; previous: string | null },
  decrypt: (encrypted: string) => string,
): ValidSecrets {
  return row.previous === null ? [decrypt(row.current)] : [decrypt(row.current), decrypt(row.previous)];
}

/** What signs a delivery to the URL of an account's request now; null if there is no such account. */
export async function readSigningSecrets(
  { pool }: Pick<Database, 'pool'>,
  encryptor: Encryptor,
  accountId: string,
): Promise<ValidSecrets | null> {
  const { rows } = await pool.query(`SELECT ${secretColumns} FROM account WHERE id = $1`, [accountId]);
  return rows[0]
    ? validSecrets(rows[0], (encrypted) => encryptor.decrypt(encrypted, signingSecretOf(accountId)))
    : null;
}

/**
 * Gives an account a new signing secret, which signs at once; the previous one signs beside it for the overlap. SQL,
 * because one column becomes another in the same statement.
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
