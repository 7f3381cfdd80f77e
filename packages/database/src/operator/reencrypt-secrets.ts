import { endpointSecretOf, signingSecretOf } from '../accounts/signing-secret.ts';
import { encryptedOptionsKey, secretOptionsContext } from '../captures/secret-options.ts';
import type { Queryable } from '../database.ts';
import type { Encryptor } from '../encryption.ts';

/** Somewhere that sealed texts are stored. */
interface Place {
  table: string;
  /** SQL: the sealed text of a row `t`; null where it has none. */
  sealed: string;
  /** SQL: sets it to `n.sealed`. */
  set: string;
  /** SQL: which rows can have one at all, in the words of the index that finds them. */
  among: string;
  /** What a row's text is sealed for. */
  belongsTo(id: string): string;
}

/**
 * What is confided to a capture is dropped when it ends. Open ones are in an index each: those that wait, those in the queue,
 * those being rendered; in the order in which they go on, so that one that goes on meanwhile is met again.
 */
const openCaptures = (among: string): Place => ({
  table: 'capture',
  sealed: `t.options->>'${encryptedOptionsKey}'`,
  set: `options = t.options || jsonb_build_object('${encryptedOptionsKey}', n.sealed)`,
  among,
  belongsTo: secretOptionsContext,
});

const column = (table: string, name: string, belongsTo: Place['belongsTo']): Place => ({
  table,
  sealed: `t.${name}`,
  set: `${name} = n.sealed`,
  among: 'true',
  belongsTo,
});

/**
 * Every place where something sealed is stored. A current secret comes before the one that it becomes when it is
 * rotated, so that one rotated meanwhile is met again.
 */
const places: readonly Place[] = [
  column('account', 'signing_secret', signingSecretOf),
  column('account', 'previous_signing_secret', signingSecretOf),
  column('webhook_endpoint', 'signing_secret', endpointSecretOf),
  column('webhook_endpoint', 'previous_signing_secret', endpointSecretOf),
  openCaptures("t.status = 'queued' AND t.enqueued_at IS NULL"),
  openCaptures("t.status = 'queued' AND t.enqueued_at IS NOT NULL"),
  openCaptures("t.status = 'processing'"),
];

/** Rows of one statement: some milliseconds of work each time. */
const rowsAtOnce = 500;

/** How many sealed texts there are, by the key that opens them. */
export interface EncryptedCount {
  current: number;
  /** Under the key before, while that is set. */
  previous: number;
  /** Under a key that is not set any more: nobody can read them. */
  unreadable: number;
}

export async function countEncrypted(database: Queryable, { keyIds }: Encryptor): Promise<EncryptedCount> {
  const count = { current: 0, previous: 0, unreadable: 0 };
  for (const { table, sealed, among } of places) {
    const { rows } = await database.query<{ keyId: string; count: number }>(
      `SELECT split_part(${sealed}, '.', 2) AS "keyId", count(*)::int AS count
         FROM ${table} t WHERE ${among} AND ${sealed} IS NOT NULL GROUP BY 1`,
    );
    for (const { keyId, count: found } of rows) {
      if (keyId === keyIds.current) count.current += found;
      else if (keyId === keyIds.previous) count.previous += found;
      else count.unreadable += found;
    }
  }
  return count;
}

/** Where a pass over all places stands. */
export interface ReencryptCursor {
  place: number;
  /** The id of the last row that was looked at. */
  after: string;
}

export const firstReencrypt: ReencryptCursor = { place: 0, after: '' };

export interface Resealed {
  resealed: number;
  /** Texts under the key before that do not open: altered, or another row's. They stay as they are. */
  unreadable: number;
  /** Where to go on; null when all places are done. */
  next: ReencryptCursor | null;
}

/**
 * Encrypts anew, with the key of today, some of what the key before has sealed; to be called until `next` is null.
 * Each text is replaced only if it is still the one that was read, so the platform may run meanwhile, and a pass may be
 * broken off or done twice.
 */
export async function reencryptSome(
  database: Queryable,
  encryptor: Encryptor,
  cursor: ReencryptCursor,
): Promise<Resealed> {
  const place = places[cursor.place];
  if (!place || encryptor.keyIds.previous === null) return { resealed: 0, unreadable: 0, next: null };
  const { rows } = await database.query<{ id: string; sealed: string }>(
    `SELECT t.id, ${place.sealed} AS sealed FROM ${place.table} t
      WHERE ${place.among} AND split_part(${place.sealed}, '.', 2) = $1 AND t.id > $2 ORDER BY t.id LIMIT $3`,
    [encryptor.keyIds.previous, cursor.after, rowsAtOnce],
  );
  const anew = rows.flatMap(({ id, sealed }) => {
    const text = reseal(encryptor, sealed, place.belongsTo(id));
    return text === null ? [] : [{ id, former: sealed, sealed: text }];
  });
  const last = rows.at(-1);
  return {
    resealed: await replace(database, place, anew),
    unreadable: rows.length - anew.length,
    next: rows.length === rowsAtOnce && last ? { ...cursor, after: last.id } : nextPlace(cursor),
  };
}

function nextPlace({ place }: ReencryptCursor): ReencryptCursor | null {
  return place + 1 < places.length ? { place: place + 1, after: '' } : null;
}

function reseal(encryptor: Encryptor, sealed: string, belongsTo: string): string | null {
  try {
    return encryptor.encrypt(encryptor.decrypt(sealed, belongsTo), belongsTo);
  } catch {
    return null;
  }
}

async function replace(
  database: Queryable,
  { table, sealed, set }: Place,
  anew: readonly { id: string; former: string; sealed: string }[],
): Promise<number> {
  if (anew.length === 0) return 0;
  const { rowCount } = await database.query(
    `UPDATE ${table} t SET ${set}
       FROM unnest($1::text[], $2::text[], $3::text[]) AS n(id, former, sealed)
      WHERE t.id = n.id AND ${sealed} = n.former`,
    [anew.map(({ id }) => id), anew.map(({ former }) => former), anew.map((row) => row.sealed)],
  );
  return rowCount ?? 0;
}
