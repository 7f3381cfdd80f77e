import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { inSlices } from '../in-slices.ts';

/** How long a link works after it was sent, seconds. */
export const linkTtlS = 900;

/** A token's 256 random bits, and what is stored of it. */
export function newLinkToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashLinkToken(token) };
}

export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Records that a link was requested for an address, whether it belongs to an account or not: what the client can observe is
 * the same.
 *
 * @param email trimmed and in lower case.
 * @returns its id.
 */
export async function insertSignInLink(database: Queryable, email: string): Promise<string> {
  const id = newId('lnk');
  // The column has milliseconds: rounded up, the request would not be due yet.
  await database.query(
    `INSERT INTO sign_in_link (id, email, requested_at, due_at)
     VALUES ($1, $2, now(), date_trunc('milliseconds', now()))`,
    [id, email],
  );
  return id;
}

/** A mail server has taken or finally refused the mail: it is not sent again, and counts against the address's limit. */
export async function endSignInLink(database: Queryable, id: string): Promise<void> {
  await database.query('UPDATE sign_in_link SET due_at = NULL WHERE id = $1', [id]);
}

/**
 * The mail could not be sent.
 *
 * @param retryAfterS when it is tried again; null if it is not, and then the request is forgotten: nothing was sent.
 */
export async function postponeSignInLink(database: Queryable, id: string, retryAfterS: number | null): Promise<void> {
  if (retryAfterS === null) await database.query('DELETE FROM sign_in_link WHERE id = $1', [id]);
  else {
    await database.query('UPDATE sign_in_link SET due_at = now() + make_interval(secs => $2::float8) WHERE id = $1', [
      id,
      retryAfterS,
    ]);
  }
}

/** Deletes requests that no longer count against a limit. @returns how many. */
export async function deleteOldSignInLinks(database: Queryable): Promise<number> {
  return inSlices(5_000, async (size) => {
    const { rowCount } = await database.query(
      `DELETE FROM sign_in_link WHERE id IN (
         SELECT id FROM sign_in_link WHERE requested_at < now() - interval '25 hours' ORDER BY requested_at LIMIT $1)`,
      [size],
    );
    return rowCount ?? 0;
  });
}
