import { randomBytes } from 'node:crypto';
import { forms } from '@capture/contract/forms/forms';
import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import { createAccount } from '@capture/database/accounts/accounts';
import { endpointSecretOf, signingSecretOf } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';

const accountCount = 2_000;
const dayMs = 86_400_000;

/** An account in whose name requests are made. */
export interface NamedAccount {
  id: string;
  apiKey: string;
  /** The ids of its endpoints, all at the receiver. */
  endpointIds: string[];
}

export interface Population {
  /** All accounts by size. The first has some 13 % of all captures, the last almost none. */
  accountIds: string[];
  /** The first account, which has no OG images, so that a list of OG images reads to its end. */
  huge: NamedAccount;
  /** The second account, which has not used the service for a while. */
  asleep: NamedAccount;
  /** An account with a few thousand captures of ten million. */
  middle: NamedAccount;
  /** The smallest account, which is deleted in the end. */
  small: NamedAccount;
}

/** The positions of the named accounts among all. */
const places = { huge: 0, asleep: 1, middle: 200, small: accountCount - 1 };

/** Returns the number of an account's endpoints. */
const endpointsOf = (place: number) => (place < 2 ? 5 : 2);

const eventNames = forms.B.events.names;

/** Creates the accounts and their endpoints, with valid secrets, and keys for the named accounts. */
export async function populate(
  { pool, prisma }: Database,
  encryptor: Encryptor,
  receiverUrl: string,
): Promise<Population> {
  const createdAt = new Date(Date.now() - 120 * dayMs);
  const accountIds = Array.from({ length: accountCount }, () => newId('acc', createdAt));
  const signingSecret = (id: string) => encryptor.encrypt(generateSigningSecret(), signingSecretOf(id));
  const endpoints = accountIds.flatMap((accountId, place) =>
    Array.from({ length: endpointsOf(place) }, (_, turn) => {
      const id = newId('wh', createdAt);
      const isNamed = Object.values(places).includes(place);
      return {
        id,
        accountId,
        url: isNamed ? `${receiverUrl}/${turn}` : `https://hooks-${place}.example.com/${turn}`,
        // Every hundredth endpoint holds back its deliveries.
        status: place % 50 === 49 && turn === 1 ? 'paused' : 'active',
        secret: encryptor.encrypt(generateSigningSecret(), endpointSecretOf(id)),
      };
    }),
  );

  const named = async (place: number): Promise<NamedAccount> => {
    const id = accountIds[place] as string;
    const email = `customer-${place}@example.com`;
    const key = await createAccount({ prisma }, { id, email, createdAt, signingSecret: signingSecret(id) });
    if (!key) throw new Error(`${email} is there already`);
    await pool.query(`UPDATE account SET plan = 'enterprise' WHERE id = $1`, [id]);
    return {
      id,
      apiKey: key.apiKey,
      endpointIds: endpoints.filter(({ accountId }) => accountId === id).map((endpoint) => endpoint.id),
    };
  };
  const huge = await named(places.huge);
  const asleep = await named(places.asleep);
  const middle = await named(places.middle);
  const small = await named(places.small);
  await pool.query(
    `INSERT INTO account (id, email, plan, created_at, signing_secret, signing_secret_created_at)
     SELECT id, 'customer-' || place - 1 || '@example.com', 'starter', $3, secret, $3
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS a (id, secret, place)
     ON CONFLICT DO NOTHING`,
    [accountIds, accountIds.map(signingSecret), createdAt],
  );
  await pool.query(
    `INSERT INTO webhook_endpoint (id, account_id, url, events, status, signing_secret, created_at)
     SELECT id, account_id, url, $6, status, secret, $7
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS e (id, account_id, url, status, secret)`,
    [
      endpoints.map(({ id }) => id),
      endpoints.map(({ accountId }) => accountId),
      endpoints.map(({ url }) => url),
      endpoints.map(({ status }) => status),
      endpoints.map(({ secret }) => secret),
      eventNames,
      createdAt,
    ],
  );
  // Each account has five presets with four versions.
  await pool.query(
    `INSERT INTO preset (id, account_id, name, version, latest, options, created_at)
     SELECT 'pre_' || lpad((row_number() OVER ())::text, 26, '0'), account_id, 'preset-' || name, version, version = 4,
            '{"width": 800}', $2
       FROM unnest($1::text[]) AS account_id, generate_series(1, 5) AS name, generate_series(1, 4) AS version`,
    [accountIds, createdAt],
  );
  // Each account has two more keys, one of which has expired.
  const keys = accountIds.flatMap((accountId) => [accountId, accountId]);
  await pool.query(
    `INSERT INTO api_key (id, account_id, hash, prefix, last_four, created_at, last_used_at, expires_at)
     SELECT id, account_id, hash, 'sk_', 'wxyz', $4, now() - interval '1 hour',
            CASE WHEN place % 2 = 0 THEN now() - interval '1 day' END
       FROM unnest($1::text[], $2::text[], $3::bytea[]) WITH ORDINALITY AS k (id, account_id, hash, place)`,
    [keys.map(() => newId('key', createdAt)), keys, keys.map(() => randomBytes(32)), createdAt],
  );
  return { accountIds, huge, asleep, middle, small };
}
