import { newKeyRequest, rotateKeyRequest } from '@capture/contract/api/account-requests';
import * as schemas from '@capture/contract/api/account-responses';
import { pageRequest } from '@capture/contract/api/paging';
import { pageOfRows } from '@capture/contract/api/responses';
import { ApiError } from '@capture/contract/errors';
import { parseRequest } from '@capture/contract/options/parse-request';
import { addKey, type IssuedKey, listKeys, maxKeys, revokeKey, rotateKey } from '@capture/database/accounts/keys';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import { pageOf, parsePage, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';

const noSuchKey = () => new ApiError('NOT_FOUND', 'This account has no key with this ID (key_…).');

const tooManyKeys = () =>
  new ApiError('FORBIDDEN', `An account has at most ${maxKeys} keys. Revoke one, or rotate one without an overlap.`);

/** The only record that shows the key itself. */
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

export function listKeysRoute({ database }: { database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/v1/keys',
    auth: 'key',
    cost: 'none',
    id: 'listKeys',
    tag: 'Account',
    summary: 'List keys',
    description: 'Newest first: name, last four characters and last use. The keys themselves are not stored.',
    query: pageRequest('key'),
    responses: { 200: { description: 'A page of the account’s keys.', json: pageOfRows('keys', schemas.keyRow) } },
    async handle({ req, res, caller }) {
      const page = parsePage(req, 'key');
      const keys = await listKeys(database, {
        accountId: caller.accountId,
        after: page.after,
        limit: page.limit + 1,
        at: databaseNow(),
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

export function addKeyRoute({ database }: { database: Database }): Route {
  return {
    method: 'POST',
    path: '/api/v1/keys',
    auth: 'key',
    cost: 'none',
    showsSecret: true,
    id: 'addKey',
    tag: 'Account',
    summary: 'Add a key',
    description:
      'Returns the key once. Give each service a key of its own, so that you can revoke one without the others.',
    body: { schema: newKeyRequest, example: { name: 'CI' }, required: false },
    responses: { 201: { description: 'The key. It is shown only once.', json: schemas.issuedKey } },
    errors: ['FORBIDDEN'],
    async handle({ req, res, caller }) {
      const { name } = parseRequest(newKeyRequest, req.body ?? {}, 'a key');
      const key = await addKey(database, {
        accountId: caller.accountId,
        name: name ?? null,
        createdAt: databaseNow(),
      });
      if (!key) throw tooManyKeys();
      res.status(201).json(issuedKey(key));
    },
  };
}

export function revokeKeyRoute({ database }: { database: Database }): Route {
  return {
    method: 'DELETE',
    path: '/api/v1/keys/:id',
    auth: 'key',
    cost: 'none',
    id: 'revokeKey',
    tag: 'Account',
    summary: 'Revoke a key',
    description: 'The key stops working within a second. The last key of an account cannot be revoked, only rotated.',
    responses: { 204: { description: 'Revoked.' } },
    errors: ['LAST_KEY'],
    async handle({ req, res, caller }) {
      const outcome = await revokeKey(database, { id: pathParameter(req, 'id'), accountId: caller.accountId });
      if (outcome === 'not found') throw noSuchKey();
      if (outcome === 'last key') {
        throw new ApiError('LAST_KEY', 'The account’s last key cannot be revoked. Rotate it instead.');
      }
      res.status(204).end();
    },
  };
}

export function rotateKeyRoute({ database }: { database: Database }): Route {
  return {
    method: 'POST',
    path: '/api/v1/keys/:id/rotate',
    auth: 'key',
    cost: 'none',
    showsSecret: true,
    id: 'rotateKey',
    tag: 'Account',
    summary: 'Rotate a key',
    description:
      'Returns a new key once. With `overlap_s` the previous key works for that long; otherwise it stops at once.',
    body: { schema: rotateKeyRequest, example: { overlap_s: 3_600 }, required: false },
    responses: { 201: { description: 'The new key. It is shown only once.', json: schemas.rotatedKey } },
    errors: ['FORBIDDEN'],
    async handle({ req, res, caller }) {
      const { overlap_s } = parseRequest(rotateKeyRequest, req.body ?? {}, 'a rotation');
      const key = await rotateKey(database, {
        id: pathParameter(req, 'id'),
        accountId: caller.accountId,
        overlapS: overlap_s,
        at: databaseNow(),
      });
      if (key === 'not found') throw noSuchKey();
      if (key === 'too many keys') throw tooManyKeys();
      res.status(201).json({ ...issuedKey(key), previous_expires_at: key.previousExpiresAt.toISOString() });
    },
  };
}
