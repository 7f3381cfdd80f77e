import { newKeyRequest, rotateKeyRequest } from '@capture/contract/api/account-requests';
import { ApiError } from '@capture/contract/errors';
import { parseRequest } from '@capture/contract/options/parse-request';
import { type IssuedKey, insertKey } from '@capture/database/accounts/insert-key';
import { listKeys } from '@capture/database/accounts/list-keys';
import { revokeKey } from '@capture/database/accounts/revoke-key';
import { rotateKey } from '@capture/database/accounts/rotate-key';
import type { Dependencies } from '../../dependencies.ts';
import { pageOf, parsePage, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

const noSuchKey = () => new ApiError('NOT_FOUND', 'This account has no such key.');

/** A key as it is shown once. */
export function issuedKey(key: IssuedKey) {
  return {
    id: key.id,
    apiKey: key.apiKey,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: key.createdAt.toISOString(),
  };
}

export function listKeysRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path: '/api/v1/keys',
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const page = parsePage(req);
      const keys = await listKeys(database, {
        accountId: caller.accountId,
        after: page.after,
        limit: page.limit + 1,
        at: new Date(),
      });
      const show = (key: (typeof keys)[number]) => ({
        id: key.id,
        name: key.name,
        prefix: key.prefix,
        last_four: key.lastFour,
        created_at: key.createdAt.toISOString(),
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
        expires_at: key.expiresAt?.toISOString() ?? null,
      });
      res.json(pageOf('keys', keys, page.limit, show));
    },
  };
}

export function addKeyRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'POST',
    path: '/api/v1/keys',
    auth: 'key',
    cost: 'none',
    body: 'json',
    showsSecret: true,
    async handle({ req, res, caller }) {
      const { name } = parseRequest(newKeyRequest, req.body ?? {}, 'a key');
      const key = await insertKey(database.pool, {
        accountId: caller.accountId,
        name: name ?? null,
        createdAt: new Date(),
      });
      res.status(201).json(issuedKey(key));
    },
  };
}

export function revokeKeyRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'DELETE',
    path: '/api/v1/keys/:id',
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const outcome = await revokeKey(database.pool, { id: pathParameter(req, 'id'), accountId: caller.accountId });
      if (outcome === 'not found') throw noSuchKey();
      if (outcome === 'last key') {
        throw new ApiError('LAST_KEY', 'This is the last key of the account: rotate it instead.');
      }
      res.status(204).end();
    },
  };
}

export function rotateKeyRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'POST',
    path: '/api/v1/keys/:id/rotate',
    auth: 'key',
    cost: 'none',
    body: 'json',
    showsSecret: true,
    async handle({ req, res, caller }) {
      const { overlap_s } = parseRequest(rotateKeyRequest, req.body ?? {}, 'a rotation');
      const key = await rotateKey(database.pool, {
        id: pathParameter(req, 'id'),
        accountId: caller.accountId,
        overlapS: overlap_s,
        at: new Date(),
      });
      if (!key) throw noSuchKey();
      res.status(201).json({ ...issuedKey(key), previous_expires_at: key.previousExpiresAt.toISOString() });
    },
  };
}
