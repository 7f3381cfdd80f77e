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
 * Takes the next due request and gives it a new token, or deletes it: if the address belongs to no active account, if another
 * mail to it is being sent, or if it got as many as it may. Lock order: link, account.
 *
 * @param tokenHash of the token that the mail will contain.
 * @returns 'none' if none is due.
 */
export async function claimSignInLink(pool: pg.Pool, tokenHash: Buffer): Promise<ClaimedLink | 'dropped' | 'none'> {
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
    if (!account || !(await mayGetMail(connection, account, link.id))) {
      await connection.query('DELETE FROM sign_in_link WHERE id = $1', [link.id]);
      return 'dropped';
    }
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
