import { signingSecretOf } from '@capture/database/accounts/signing-secret';
import { createEncryptor, type Encryptor } from '@capture/database/encryption';
import { countEncrypted } from '@capture/database/operator/reencrypt-secrets';
import pg from 'pg';
import { FailedError } from '../exit-codes.ts';
import { CannotCheck, fault, group, notChecked, ok, required, warning } from './check.ts';

/** Opened one by one: enough to see that they do. */
const triedAtMost = 100;

interface Subject {
  client: pg.Client;
  encryptor: Encryptor;
  previousSet: boolean;
}

export const secrets = group<Subject>({
  name: 'secrets',
  async open({ secretKey, database, env }) {
    const key = required(secretKey);
    const client = new pg.Client({ connectionString: required(database), connectionTimeoutMillis: 10_000 });
    client.on('error', () => {});
    try {
      await client.connect();
    } catch {
      throw new CannotCheck(notChecked('see database.reachable'));
    }
    const previous = env.SECRET_KEY_PREVIOUS || undefined;
    return { client, encryptor: createEncryptor(key, previous), previousSet: previous !== undefined };
  },
  close: ({ client }) => client.end(),
  checks: [
    {
      name: 'readable',
      about: 'SECRET_KEY, or SECRET_KEY_PREVIOUS, opens every stored secret',
      async run({ client, encryptor }) {
        const { current, previous, unreadable } = await countEncrypted(client, encryptor);
        const fix = 'set the key that sealed them as SECRET_KEY_PREVIOUS, and run `npm run ops -- secrets reencrypt`';
        if (unreadable > 0) return fault(`${unreadable} of ${current + previous + unreadable} need another key`, fix);
        await openSome(client, encryptor);
        return ok(`${current + previous} stored secrets`);
      },
    },
    {
      name: 'rotation',
      about: 'no rotation of SECRET_KEY was left half done',
      async run({ client, encryptor, previousSet }) {
        const { previous } = await countEncrypted(client, encryptor);
        const reencrypt = 'npm run ops -- secrets reencrypt, then docs/secrets.md';
        if (previous > 0) return warning(`${previous} are still sealed with SECRET_KEY_PREVIOUS`, reencrypt);
        if (!previousSet) return ok('none is under way');
        return warning(
          'nothing needs SECRET_KEY_PREVIOUS any more',
          'take it away when the links of before may end: docs/secrets.md',
        );
      },
    },
  ],
});

/** @throws {FailedError} for one that is altered: its key is right and it does not open. */
async function openSome(client: pg.Client, encryptor: Encryptor): Promise<void> {
  const { rows } = await client.query(
    'SELECT id, signing_secret AS sealed FROM account WHERE deleted_at IS NULL ORDER BY id DESC LIMIT $1',
    [triedAtMost],
  );
  for (const { id, sealed } of rows) {
    try {
      encryptor.decrypt(sealed, signingSecretOf(id));
    } catch (cause) {
      throw new FailedError(`the signing secret of ${id} does not open: it was altered`, { cause });
    }
  }
}
