import type pg from 'pg';
import { transaction } from '../database.ts';
import { linkTtlS } from './sign-in-links.ts';

/** A mail that the caller has to send now. */
export interface ClaimedLink {
  id: string;
  accountId: string;
  email: string;
  /** How often this mail was claimed, including this time. */
  tries: number;
}

/** After this many seconds another process may send the mail. The lease is longer than sending a mail takes. */
const leaseS = 90;

/**
 * SQL: the start of the period in which an account's requests count. Anyone can register any address, so an unverified address
 * may belong to a stranger and gets one mail a day. A verified address gets as many mails as a person needs.
 */
const countedSince = `now() - CASE WHEN $2 THEN interval '1 hour' ELSE interval '24 hours' END`;
const mailsAtMost = { verified: 5, unverified: 1 };

/**
 * The approximate limit of mails to unverified addresses per hour, chosen so that a small mail server can send them besides its
 * other mail. Mails to verified addresses neither count nor stop at this limit, so a client that triggers many mails to strangers
 * cannot lock out users who have signed in by a link before.
 */
export const unverifiedMailsAtMost = 1_000;

/**
 * Claims the next due request and gives it a new token. Deletes the request instead if no active account has the address, if
 * another mail to the address is being sent, or if the address has reached its limit. Lock order: link, account.
 *
 * @param tokenHash the hash of the token that the mail will contain.
 * @returns 'none' if no request is due; 'too many' if the request was deleted because of `unverifiedAtMost`.
 */
export async function claimSignInLink(
  pool: pg.Pool,
  tokenHash: Buffer,
  unverifiedAtMost = unverifiedMailsAtMost,
): Promise<ClaimedLink | 'dropped' | 'too many' | 'none'> {
  return transaction(pool, async (connection) => {
    const { rows: due } = await connection.query<{ id: string; email: string }>(
      `SELECT id, email FROM sign_in_link WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    const [link] = due;
    if (!link) return 'none';
    // The lock serializes the requests of one account, so that each request counts the earlier ones.
    const { rows: accounts } = await connection.query<{ id: string; verified: boolean }>(
      `SELECT id, email_verified_at IS NOT NULL AS verified FROM account
        WHERE email = $1 AND status = 'active' AND deleted_at IS NULL FOR NO KEY UPDATE`,
      [link.email],
    );
    const [account] = accounts;
    const drop = async <Reason extends string>(reason: Reason) => {
      await connection.query('DELETE FROM sign_in_link WHERE id = $1', [link.id]);
      return reason;
    };
    if (!account || !(await mayGetMail(connection, account, link.id))) return drop('dropped');
    const isTooMany = !account.verified && (await countUnverified(connection, link.id)) >= unverifiedAtMost;
    if (isTooMany) return drop('too many');
    const { rows } = await connection.query<ClaimedLink>(
      `UPDATE sign_in_link
          SET account_id = $2, tries = tries + 1, token_hash = $3, expires_at = now() + make_interval(secs => $4),
              due_at = now() + make_interval(secs => $5)
        WHERE id = $1
        RETURNING id, account_id AS "accountId", email, tries`,
      [link.id, account.id, tokenHash, linkTtlS, leaseS],
    );
    return rows[0] as ClaimedLink;
  });
}

async function mayGetMail(
  connection: pg.PoolClient,
  { id, verified }: { id: string; verified: boolean },
  linkId: string,
): Promise<boolean> {
  const { rows } = await connection.query<{ open: number; counted: number }>(
    `SELECT count(*) FILTER (WHERE due_at IS NOT NULL)::int AS open, count(*)::int AS counted
       FROM sign_in_link WHERE account_id = $1 AND id <> $3 AND requested_at > ${countedSince}`,
    [id, verified, linkId],
  );
  const { open = 0, counted = 0 } = rows[0] ?? {};
  return open === 0 && counted < (verified ? mailsAtMost.verified : mailsAtMost.unverified);
}

/** Counts the requests of the last hour that belong to an account whose address has never used a link. */
async function countUnverified(connection: pg.PoolClient, linkId: string): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM sign_in_link l JOIN account a ON a.id = l.account_id
      WHERE l.id <> $1 AND l.requested_at > now() - interval '1 hour' AND a.email_verified_at IS NULL`,
    [linkId],
  );
  return rows[0]?.count ?? 0;
}
