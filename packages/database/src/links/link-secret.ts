import { randomBytes } from 'node:crypto';
import type { LinkPolicy } from '@capture/contract/links/link-policy';
import type { Queryable } from '../database.ts';
import type { Encryptor } from '../encryption.ts';

/** Names the row that an account's link secret is encrypted for. */
export function linkSecretOf(accountId: string): string {
  return `${accountId} link secret`;
}

/**
 * Gives an account a new link secret; links of the previous secret stay valid for the overlap. This is SQL because the statement
 * moves one column's value to another column.
 *
 * @returns the secret, which is shown once; `previousValidUntil` is null without an overlap.
 */
export async function rotateLinkSecret(
  database: Queryable,
  encryptor: Encryptor,
  accountId: string,
  overlapS: number,
): Promise<{ secret: string; createdAt: Date; previousValidUntil: Date | null } | null> {
  const secret = `lnk_${randomBytes(32).toString('base64url')}`;
  const { rows } = await database.query(
    `UPDATE account
        SET previous_link_secret = CASE WHEN $3 > 0 THEN link_secret END,
            previous_link_secret_until = CASE WHEN $3 > 0 AND link_secret IS NOT NULL
                                              THEN now() + make_interval(secs => $3) END,
            link_secret = $2, link_secret_created_at = now()
      WHERE id = $1 AND deleted_at IS NULL
      RETURNING link_secret_created_at AS "createdAt", previous_link_secret_until AS "previousValidUntil"`,
    [accountId, encryptor.encrypt(secret, linkSecretOf(accountId)), overlapS],
  );
  return rows[0] ? { secret, ...rows[0] } : null;
}

/** Reads when the link secret was created; null without a secret. */
export async function linkSecretCreatedAt(database: Queryable, accountId: string): Promise<Date | null> {
  const { rows } = await database.query(
    'SELECT link_secret_created_at AS "createdAt" FROM account WHERE id = $1 AND link_secret IS NOT NULL',
    [accountId],
  );
  return rows[0]?.createdAt ?? null;
}

/** Deletes the link secret: from the next request on, all links of the account are invalid. */
export async function deleteLinkSecret(database: Queryable, accountId: string): Promise<void> {
  await database.query(
    `UPDATE account SET link_secret = NULL, link_secret_created_at = NULL,
            previous_link_secret = NULL, previous_link_secret_until = NULL
      WHERE id = $1`,
    [accountId],
  );
}

/** Reads the policy of an account's links; empty if the account never set a policy. */
export async function readLinkPolicy(database: Queryable, accountId: string): Promise<LinkPolicy> {
  const { rows } = await database.query('SELECT link_policy AS policy FROM account WHERE id = $1', [accountId]);
  return rows[0]?.policy ?? {};
}

export async function writeLinkPolicy(database: Queryable, accountId: string, policy: LinkPolicy): Promise<void> {
  await database.query('UPDATE account SET link_policy = $2 WHERE id = $1', [accountId, JSON.stringify(policy)]);
}
