import type pg from 'pg';
import { transaction } from '../database.ts';
import { linkTtlS } from './sign-in-links.ts';

/** A mail to send now. */
export interface ClaimedLink {
  id: string;
  accountId: string;
  email: string;
  /** This one included. */
  tries: number;
}

/** Longer than sending a mail takes: after this time another process sends it, seconds. */
const leaseS = 90;

/**
 * SQL: how many requests of an account count, and since when. Registration takes any address, so an unverified one may belong
 * to a stranger and gets one mail a day; a verified one gets as many as a person may need.
 */
const countedSince = `now() - CASE WHEN $2 THEN interval '1 hour' ELSE interval '24 hours' END`;
const mailsAtMost = { verified: 5, unverified: 1 };

/**
 * Mails to unverified addresses within an hour, about: what a small mail server sends besides. Those to verified ones do not
 * count, and are sent beyond it: a client that causes many mails to strangers keeps no user from theirs who used a link before.
 */
export const unverifiedMailsAtMost = 1_000;

/**
 * Takes the next due request and gives it a new token, or deletes it: if the address belongs to no active account, if another
 * mail to it is being sent, or if it got as many as it may. Lock order: link, account.
 *
 * @param tokenHash of the token that the mail will contain.
 * @returns 'none' if none is due; 'too many' if it was deleted because of `unverifiedAtMost`.
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
    // The lock makes requests of one account run one after the other, so that each sees those before it.
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

/** Requests within the last hour for addresses that have never used a link, without those of unknown addresses. */
async function countUnverified(connection: pg.PoolClient, linkId: string): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM sign_in_link l JOIN account a ON a.id = l.account_id
      WHERE l.id <> $1 AND l.requested_at > now() - interval '1 hour' AND a.email_verified_at IS NULL`,
    [linkId],
  );
  return rows[0]?.count ?? 0;
}
