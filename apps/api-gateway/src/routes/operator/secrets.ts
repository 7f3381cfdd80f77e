import { resealRequest } from '@capture/contract/api/account-requests';
import { invalidRequest } from '@capture/contract/errors';
import { parseRequest } from '@capture/contract/options/parse-request';
import { countSealed, firstReseal, type ResealCursor, resealSome } from '@capture/database/operator/reencrypt-secrets';
import type { Dependencies } from '../../dependencies.ts';
import type { Route } from '../../http/route.ts';

type SecretsDependencies = Pick<Dependencies, 'database' | 'sealer'>;

/** What is stored of clients' secrets, by the `SECRET_KEY` that it needs. */
export function operatorCountSecretsRoute({ database, sealer }: SecretsDependencies): Route {
  return {
    method: 'GET',
    path: '/api/operator/secrets',
    auth: 'operator',
    cost: 'none',
    async handle({ res }) {
      res.json({ previous_key_set: sealer.keyIds.previous !== null, ...(await countSealed(database.pool, sealer)) });
    },
  };
}

/** Takes one step of encrypting anew what the key before has sealed; whoever calls goes on from `next_cursor`. */
export function operatorResealRoute({ database, sealer }: SecretsDependencies): Route {
  return {
    method: 'POST',
    path: '/api/operator/secrets/reseal',
    auth: 'operator',
    cost: 'none',
    body: 'json',
    async handle({ req, res, facts }) {
      const { cursor } = parseRequest(resealRequest, req.body ?? {}, 'a rotation');
      const { resealed, unreadable, next } = await resealSome(database.pool, sealer, readCursor(cursor));
      facts.secrets_resealed = resealed;
      if (unreadable > 0) facts.secrets_unreadable = unreadable;
      res.json({ resealed, unreadable, next_cursor: next && `${next.place}.${next.after}` });
    },
  };
}

function readCursor(text: string | undefined): ResealCursor {
  if (text === undefined) return firstReseal;
  const [, place, after] = /^(\d)\.(\w*)$/.exec(text) ?? [];
  if (place === undefined || after === undefined) {
    throw invalidRequest([{ field: 'cursor', message: 'is not one of ours' }]);
  }
  return { place: Number(place), after };
}
