import { reencryptRequest } from '@capture/contract/api/account-requests';
import * as schemas from '@capture/contract/api/account-responses';
import { invalidRequest } from '@capture/contract/errors';
import { parseRequest } from '@capture/contract/options/parse-request';
import type { Database } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import {
  countEncrypted,
  firstReencrypt,
  type ReencryptCursor,
  reencryptSome,
} from '@capture/database/operator/reencrypt-secrets';
import type { Route } from '../../http/route.ts';

type SecretsDependencies = { database: Database; encryptor: Encryptor };

/** Counts the stored client secrets by the `SECRET_KEY` that decrypts them. */
export function operatorCountSecretsRoute({ database, encryptor }: SecretsDependencies): Route {
  return {
    method: 'GET',
    path: '/api/operator/secrets',
    auth: 'operator',
    id: 'countSecrets',
    tag: 'Operator',
    summary: 'Count stored secrets by their encryption key',
    description: 'Shows whether a change of `SECRET_KEY` is complete: `previous` is 0 when nothing needs the old key.',
    responses: { 200: { description: 'The counts.', json: schemas.encryptedCount } },
    async handle({ res }) {
      res.json({
        previous_key_set: encryptor.keyIds.previous !== null,
        ...(await countEncrypted(database.pool, encryptor)),
      });
    },
  };
}

/** Re-encrypts some of the previous key's secrets; the caller continues from `next_cursor`. */
export function operatorReencryptRoute({ database, encryptor }: SecretsDependencies): Route {
  return {
    method: 'POST',
    path: '/api/operator/secrets/reencrypt',
    auth: 'operator',
    id: 'reencryptSecrets',
    tag: 'Operator',
    summary: 'Encrypt stored secrets with the new key',
    description:
      'One step of a rotation of `SECRET_KEY`. Call it again with `next_cursor` until that is null. You can stop at any time and start again.',
    body: { schema: reencryptRequest, example: {}, required: false },
    responses: { 200: { description: 'The result of this step.', json: schemas.reencrypted } },
    async handle({ req, res, facts }) {
      const { cursor } = parseRequest(reencryptRequest, req.body ?? {}, 'a rotation');
      const { reencrypted, unreadable, next } = await reencryptSome(database.pool, encryptor, readCursor(cursor));
      facts.secrets_reencrypted = reencrypted;
      if (unreadable > 0) facts.secrets_unreadable = unreadable;
      res.json({ reencrypted, unreadable, next_cursor: next && `${next.place}.${next.after}` });
    },
  };
}

function readCursor(text: string | undefined): ReencryptCursor {
  if (text === undefined) return firstReencrypt;
  const [, place, after] = /^(\d)\.(\w*)$/.exec(text) ?? [];
  if (place === undefined || after === undefined) {
    throw invalidRequest([{ field: 'cursor', message: 'is not a next_cursor of this list' }]);
  }
  return { place: Number(place), after };
}
