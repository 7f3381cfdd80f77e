import { apiKeyPrefix, generateApiKey, hashApiKey, lastFour } from '@capture/contract/api/api-key';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';

/** A key as it is shown once, when it is issued. */
export interface IssuedKey {
  id: string;
  apiKey: string;
  name: string | null;
  prefix: string;
  lastFour: string;
  createdAt: Date;
}

/** Issues a key to an account; only its hash is stored. */
export async function insertKey(
  database: Queryable,
  key: { accountId: string; name: string | null; createdAt: Date },
): Promise<IssuedKey> {
  const apiKey = generateApiKey();
  const issued = {
    id: newId('key', key.createdAt),
    apiKey,
    name: key.name,
    prefix: apiKeyPrefix,
    lastFour: lastFour(apiKey),
    createdAt: key.createdAt,
  };
  await database.query(
    `INSERT INTO api_key (id, account_id, hash, name, prefix, last_four, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [issued.id, key.accountId, hashApiKey(apiKey), issued.name, issued.prefix, issued.lastFour, issued.createdAt],
  );
  return issued;
}
