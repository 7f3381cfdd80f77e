import type { LinkPolicy } from '@capture/contract/links/link-policy';
import type { Owner } from '../accounts/find-key.ts';
import type { Queryable } from '../database.ts';
import type { Encryptor } from '../encryption.ts';
import { linkSecretOf } from './link-secret.ts';

/** The account of a render link. */
export interface LinkOwner extends Owner {
  keyId: string;
  /** The secrets that may have signed the link: the current secret and, during the overlap of a rotation, the previous secret. */
  secrets: string[];
  policy: LinkPolicy;
}

/**
 * Finds the account of a link by the id of its key. The result is not cached, so that revoking a key or deleting a secret ends
 * all links at once.
 *
 * @returns null for an unknown or revoked key, and for an account without a link secret.
 */
export async function findLinkOwner(
  database: Queryable,
  encryptor: Encryptor,
  keyId: string,
  month: string,
): Promise<LinkOwner | null> {
  const { rows } = await database.query<Omit<LinkOwner, 'secrets'> & { current: string; previous: string | null }>({
    name: 'find-link-owner',
    text: `SELECT k.id AS "keyId", a.id AS "accountId", a.plan, a.status,
                  coalesce(u.used, 0) AS used, coalesce(u.reserved, 0) AS reserved,
                  a.link_secret AS current, coalesce(a.link_policy, '{}') AS policy,
                  CASE WHEN a.previous_link_secret_until > now() THEN a.previous_link_secret END AS previous
             FROM api_key k
             JOIN account a ON a.id = k.account_id AND a.deleted_at IS NULL AND a.link_secret IS NOT NULL
             LEFT JOIN usage u ON u.account_id = a.id AND u.month = $2
            WHERE k.id = $1 AND (k.expires_at IS NULL OR k.expires_at > now())`,
    values: [keyId, month],
  });
  const [found] = rows;
  if (!found) return null;
  const { current, previous, ...owner } = found;
  const encrypted = previous === null ? [current] : [current, previous];
  return { ...owner, secrets: encrypted.map((each) => encryptor.decrypt(each, linkSecretOf(owner.accountId))) };
}
