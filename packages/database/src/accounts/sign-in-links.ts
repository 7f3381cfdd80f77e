import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { inSlices } from '../in-slices.ts';

/** How long a link works after it was sent, seconds. */
export const linkTtlS = 900;

/** Generates a token of 256 random bits, and the hash that is stored. */
export function newLinkToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashLinkToken(token) };
}

export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Records that a link was requested for an address. The request is recorded whether or not an account has the address, so a
 * client cannot find out which addresses are registered.
 *
 * @param email the address, trimmed and in lower case.
 * @returns the id of the request.
 */
export async function insertSignInLink(database: Queryable, email: string): Promise<string> {
  const id = newId('lnk');
  // The column has a precision of milliseconds. Without truncation Postgres might round the time up, and the request would not be
  // due yet.
  await database.query(
    `INSERT INTO sign_in_link (id, email, requested_at, due_at)
     VALUES ($1, $2, now(), date_trunc('milliseconds', now()))`,
    [id, email],
  );
  return id;
}

/** Ends a request whose mail a server has accepted or finally refused. The mail counts against the limit of its address. */
export async function endSignInLink(database: Queryable, id: string): Promise<void> {
  await database.query('UPDATE sign_in_link SET due_at = NULL WHERE id = $1', [id]);
}

/**
 * Records that the mail could not be sent.
 *
 * @param retryAfterS the seconds until the next try; null if there is none, in which case the request is deleted and does not
 * count because no mail was sent.
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

/** Deletes requests that no longer count against a limit. @returns the number of deleted requests. */
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
