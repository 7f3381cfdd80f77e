import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import type { Database, Queryable } from '../database.ts';
import type { Encryptor } from '../encryption.ts';

/** How long the previous secret keeps signing after a rotation: 24 h, the overlap of the contract. */
export const rotationOverlapS = 86_400;

/** Names the row that an account's signing secret is encrypted for (see `Encryptor`). */
export function signingSecretOf(accountId: string): string {
  return `${accountId} signing secret`;
}

/** Names the row that a registered endpoint's signing secret is encrypted for. */
export function endpointSecretOf(webhookId: string): string {
  return `${webhookId} signing secret`;
}

/** Reads an account's signing secret in plain text; null if the account does not exist. */
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

/** The secrets that sign now: the current secret and, while the overlap of a rotation lasts, the previous secret. */
export type ValidSecrets = [current: string, previous?: string];

/** SQL: the columns that `validSecrets` reads. Postgres decides whether the overlap has ended: all gateways share its clock. */
export const secretColumns = `signing_secret AS current,
            CASE WHEN previous_signing_secret_until > now() THEN previous_signing_secret END AS previous`;

export function validSecrets(
  row: { current: string; previous: string | null },
  decrypt: (encrypted: string) => string,
): ValidSecrets {
  return row.previous === null ? [decrypt(row.current)] : [decrypt(row.current), decrypt(row.previous)];
}

/** Reads the secrets that sign a delivery to the URL of a request; null if the account does not exist. */
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
 * Gives an account a new signing secret, which signs at once; the previous secret signs too until the overlap ends. This is SQL
 * because the statement moves one column's value to another column.
 *
 * @returns null if the account does not exist.
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
