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

/** What is stored of clients' secrets, by the `SECRET_KEY` that it needs. */
export function operatorCountSecretsRoute({ database, encryptor }: SecretsDependencies): Route {
  return {
    method: 'GET',
    path: '/api/operator/secrets',
    auth: 'operator',
    cost: 'none',
    docs: {
      id: 'countSecrets',
      tag: 'Operator',
      summary: 'See which key the stored secrets need',
      responses: { 200: { description: 'How many need which.', json: schemas.encryptedCount } },
    },
    async handle({ res }) {
      res.json({
        previous_key_set: encryptor.keyIds.previous !== null,
        ...(await countEncrypted(database.pool, encryptor)),
      });
    },
  };
}

/** Takes one step of encrypting anew what the key before has sealed; whoever calls goes on from `next_cursor`. */
export function operatorReencryptRoute({ database, encryptor }: SecretsDependencies): Route {
  return {
    method: 'POST',
    path: '/api/operator/secrets/reseal',
    auth: 'operator',
    cost: 'none',
    body: 'json',
    docs: {
      id: 'reencryptSecrets',
      tag: 'Operator',
      summary: 'Encrypt stored secrets with the new key',
      description:
        'One step of a rotation of `SECRET_KEY`: to be called again with `next_cursor` until that is null. It may be broken off and repeated.',
      body: { schema: reencryptRequest, example: {}, required: false },
      responses: { 200: { description: 'What this step has done.', json: schemas.resealed } },
    },
    async handle({ req, res, facts }) {
      const { cursor } = parseRequest(reencryptRequest, req.body ?? {}, 'a rotation');
      const { resealed, unreadable, next } = await reencryptSome(database.pool, encryptor, readCursor(cursor));
      facts.secrets_resealed = resealed;
      if (unreadable > 0) facts.secrets_unreadable = unreadable;
      res.json({ resealed, unreadable, next_cursor: next && `${next.place}.${next.after}` });
    },
  };
}

function readCursor(text: string | undefined): ReencryptCursor {
  if (text === undefined) return firstReencrypt;
  const [, place, after] = /^(\d)\.(\w*)$/.exec(text) ?? [];
  if (place === undefined || after === undefined) {
    throw invalidRequest([{ field: 'cursor', message: 'is not one of ours' }]);
  }
  return { place: Number(place), after };
}
