import { endpointSecretOf, signingSecretOf } from '../accounts/signing-secret.ts';
import { encryptedOptionsKey, secretOptionsContext } from '../captures/secret-options.ts';
import type { Queryable } from '../database.ts';
import type { Encryptor } from '../encryption.ts';
import { linkSecretOf } from '../links/link-secret.ts';

/** A column that contains encrypted texts. */
interface Place {
  table: string;
  /** SQL: the encrypted text of a row `t`; null if the row has none. */
  encrypted: string;
  /** SQL that sets the text to `n.encrypted`. */
  set: string;
  /** SQL: which rows can have a text, as the condition of the index that finds them. */
  condition: string;
  /** Names the row that a text is encrypted for. */
  belongsTo(id: string): string;
}

/** The place of the secret options in a table. */
const options = (table: string, condition: string): Place => ({
  table,
  encrypted: `t.options->>'${encryptedOptionsKey}'`,
  set: `options = t.options || jsonb_build_object('${encryptedOptionsKey}', n.encrypted)`,
  condition,
  belongsTo: secretOptionsContext,
});

/**
 * A capture's secret options are deleted when it ends. Open captures are in three indexes: waiting, scheduled, processing. The
 * places follow that order, so that a capture that proceeds meanwhile is found again.
 */
const openCaptures = (condition: string) => options('capture', condition);

const column = (table: string, name: string, belongsTo: Place['belongsTo']): Place => ({
  table,
  encrypted: `t.${name}`,
  set: `${name} = n.encrypted`,
  condition: 'true',
  belongsTo,
});

/**
 * Every place that contains encrypted texts. A current secret comes before the column that a rotation moves it to, so that a
 * secret rotated meanwhile is found again.
 */
const places: readonly Place[] = [
  column('account', 'signing_secret', signingSecretOf),
  column('account', 'previous_signing_secret', signingSecretOf),
  column('webhook_endpoint', 'signing_secret', endpointSecretOf),
  column('webhook_endpoint', 'previous_signing_secret', endpointSecretOf),
  options('preset', `t.options ? '${encryptedOptionsKey}'`),
  openCaptures("t.status = 'queued' AND t.enqueued_at IS NULL"),
  openCaptures("t.status = 'queued' AND t.enqueued_at IS NOT NULL"),
  openCaptures("t.status = 'processing'"),
  column('account', 'link_secret', linkSecretOf),
  column('account', 'previous_link_secret', linkSecretOf),
];

/** The rows of one statement, which takes some milliseconds. */
const chunkSize = 500;

/** The number of encrypted texts, by the key that decrypts them. */
export interface EncryptedCount {
  current: number;
  /** The texts under the previous key, while it is set. */
  previous: number;
  /** The texts under a key that is no longer set; they cannot be read. */
  unreadable: number;
}

export async function countEncrypted(database: Queryable, { keyIds }: Encryptor): Promise<EncryptedCount> {
  const count = { current: 0, previous: 0, unreadable: 0 };
  for (const { table, encrypted, condition } of places) {
    const { rows } = await database.query<{ keyId: string; count: number }>(
      `SELECT split_part(${encrypted}, '.', 2) AS "keyId", count(*)::int AS count
         FROM ${table} t WHERE ${condition} AND ${encrypted} IS NOT NULL GROUP BY 1`,
    );
    for (const { keyId, count: found } of rows) {
      if (keyId === keyIds.current) count.current += found;
      else if (keyId === keyIds.previous) count.previous += found;
      else count.unreadable += found;
    }
  }
  return count;
}

/** The position of a pass over all places. */
export interface ReencryptCursor {
  place: number;
  /** The id of the last processed row. */
  after: string;
}

export const firstReencrypt: ReencryptCursor = { place: 0, after: '' };

export interface Resealed {
  reencrypted: number;
  /** The texts under the previous key that cannot be decrypted (altered, or of another row). They are not changed. */
  unreadable: number;
  /** Where to continue; null when all places are done. */
  next: ReencryptCursor | null;
}

/**
 * Re-encrypts some texts from the previous key to the current key; the caller repeats the call until `next` is null. Each text is
 * replaced only if it did not change since it was read, so the platform may run meanwhile, and a pass may be interrupted or
 * repeated.
 */
export async function reencryptSome(
  database: Queryable,
  encryptor: Encryptor,
  cursor: ReencryptCursor,
): Promise<Resealed> {
  const place = places[cursor.place];
  if (!place || encryptor.keyIds.previous === null) return { reencrypted: 0, unreadable: 0, next: null };
  const { rows } = await database.query<{ id: string; encrypted: string }>(
    `SELECT t.id, ${place.encrypted} AS encrypted FROM ${place.table} t
      WHERE ${place.condition} AND split_part(${place.encrypted}, '.', 2) = $1 AND t.id > $2 ORDER BY t.id LIMIT $3`,
    [encryptor.keyIds.previous, cursor.after, chunkSize],
  );
  const replacements = rows.flatMap(({ id, encrypted: previous }) => {
    const encrypted = reencrypt(encryptor, previous, place.belongsTo(id));
    return encrypted === null ? [] : [{ id, previous, encrypted }];
  });
  const last = rows.at(-1);
  return {
    reencrypted: await replace(database, place, replacements),
    unreadable: rows.length - replacements.length,
    next: rows.length === chunkSize && last ? { ...cursor, after: last.id } : nextPlace(cursor),
  };
}

function nextPlace({ place }: ReencryptCursor): ReencryptCursor | null {
  return place + 1 < places.length ? { place: place + 1, after: '' } : null;
}

function reencrypt(encryptor: Encryptor, encrypted: string, belongsTo: string): string | null {
  try {
    return encryptor.encrypt(encryptor.decrypt(encrypted, belongsTo), belongsTo);
  } catch {
    return null;
  }
}

async function replace(
  database: Queryable,
  { table, encrypted, set }: Place,
  replacements: readonly { id: string; previous: string; encrypted: string }[],
): Promise<number> {
  if (replacements.length === 0) return 0;
  const { rowCount } = await database.query(
    `UPDATE ${table} t SET ${set}
       FROM unnest($1::text[], $2::text[], $3::text[]) AS n(id, previous, encrypted)
      WHERE t.id = n.id AND ${encrypted} = n.previous`,
    [
      replacements.map(({ id }) => id),
      replacements.map(({ previous }) => previous),
      replacements.map((row) => row.encrypted),
    ],
  );
  return rowCount ?? 0;
}
