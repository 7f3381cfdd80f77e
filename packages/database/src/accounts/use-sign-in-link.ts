import type pg from 'pg';
import { transaction } from '../database.ts';
import { newId } from '../ids.ts';

/**
 * Exchanges the token of a link for a session of its account; a token works once. The address counts as verified from then on.
 * The account's other links stop working and the sessions of earlier links end, so the owner of the mailbox can end a session
 * that a stranger opened. Lock order: link, account, session.
 *
 * @returns null for a token that was never sent, was used, or has expired.
 */
export async function useSignInLink(
  pool: pg.Pool,
  tokenHash: Buffer,
  times: { createdAt: Date; expiresAt: Date },
): Promise<{ sessionId: string; accountId: string } | 'suspended' | null> {
  return transaction(pool, async (connection) => {
    const { rows: links } = await connection.query<{ accountId: string }>(
      `SELECT account_id AS "accountId" FROM sign_in_link
        WHERE token_hash = $1 AND expires_at > now() AND account_id IS NOT NULL FOR UPDATE`,
      [tokenHash],
    );
    const [link] = links;
    if (!link) return null;
    const { accountId } = link;
    const { rows: accounts } = await connection.query<{ status: string }>(
      'SELECT status FROM account WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
      [accountId],
    );
    const [account] = accounts;
    if (!account) return null;
    if (account.status !== 'active') return 'suspended';
    // A link that another transaction is using is skipped: the two transactions would wait for each other.
    await connection.query(
      `UPDATE sign_in_link SET token_hash = NULL, due_at = NULL WHERE id IN (
         SELECT id FROM sign_in_link WHERE account_id = $1 AND token_hash IS NOT NULL FOR UPDATE SKIP LOCKED)`,
      [accountId],
    );
    await connection.query('UPDATE account SET email_verified_at = coalesce(email_verified_at, now()) WHERE id = $1', [
      accountId,
    ]);
    await connection.query('DELETE FROM session WHERE account_id = $1', [accountId]);
    const sessionId = newId('ses', times.createdAt);
    await connection.query('INSERT INTO session (id, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)', [
      sessionId,
      accountId,
      times.createdAt,
      times.expiresAt,
    ]);
    return { sessionId, accountId };
  });
}
