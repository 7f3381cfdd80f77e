import * as schemas from '@capture/contract/api/link-schemas';
import { ApiError } from '@capture/contract/errors';
import { linkPolicy } from '@capture/contract/links/link-policy';
import { parseRequest } from '@capture/contract/options/parse-request';
import type { Database } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import {
  deleteLinkSecret,
  linkSecretCreatedAt,
  readLinkPolicy,
  rotateLinkSecret,
  writeLinkPolicy,
} from '@capture/database/links/link-secret';
import type { KeyExchange } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';

interface LinkSettingsDependencies {
  database: Database;
  encryptor: Encryptor;
}

const secretPath = '/api/v1/links/secret';

/** The error for an account without a link secret. */
export const noLinkSecret = (): ApiError =>
  new ApiError('NOT_FOUND', `This account has no link secret. POST ${secretPath} creates one.`);

const common = { auth: 'key', cost: 'none', tag: 'Links' } as const;

export function linkSettingsRoutes({ database, encryptor }: LinkSettingsDependencies): Route[] {
  const policyPath = '/api/v1/links/policy';
  return [
    {
      ...common,
      method: 'POST',
      path: secretPath,
      showsSecret: true,
      id: 'rotateLinkSecret',
      summary: 'Create or rotate the link secret',
      description:
        'The secret signs render links. It is shown once. Links of the previous secret stay valid for `overlap_s`.',
      body: { schema: schemas.linkSecretRequest, example: { overlap_s: 86_400 }, required: false },
      responses: { 201: { description: 'The new secret.', json: schemas.linkSecret } },
      async handle({ req, res, caller }: KeyExchange) {
        const { overlap_s } = parseRequest(schemas.linkSecretRequest, req.body ?? {}, 'a link secret');
        const rotated = await rotateLinkSecret(database.pool, encryptor, caller.accountId, overlap_s);
        if (!rotated) throw new ApiError('NOT_FOUND', 'This account has been deleted.');
        res.status(201).json({
          secret: rotated.secret,
          created_at: rotated.createdAt.toISOString(),
          previous_valid_until: rotated.previousValidUntil?.toISOString() ?? null,
        });
      },
    },
    {
      ...common,
      method: 'GET',
      path: secretPath,
      id: 'getLinkSecret',
      summary: 'Get when the link secret was created',
      description: 'Whether the account can sign links, and since when.',
      responses: { 200: { description: 'Not the secret itself, which is shown once.', json: schemas.linkSecretFacts } },
      errors: ['NOT_FOUND'],
      async handle({ res, caller }: KeyExchange) {
        const createdAt = await linkSecretCreatedAt(database.pool, caller.accountId);
        if (!createdAt) throw noLinkSecret();
        res.json({ created_at: createdAt.toISOString() });
      },
    },
    {
      ...common,
      method: 'DELETE',
      path: secretPath,
      id: 'deleteLinkSecret',
      summary: 'Delete the link secret',
      description:
        'All links of the account stop at once. Caches may show their images for as long as `Cache-Control` said.',
      responses: { 204: { description: 'Deleted, or there was none.' } },
      async handle({ res, caller }: KeyExchange) {
        await deleteLinkSecret(database.pool, caller.accountId);
        res.status(204).end();
      },
    },
    {
      ...common,
      method: 'GET',
      path: policyPath,
      id: 'getLinkPolicy',
      summary: 'Get the link policy',
      description: 'The limits of all links of the account.',
      responses: { 200: { description: 'The policy; empty without limits.', json: linkPolicy } },
      async handle({ res, caller }: KeyExchange) {
        res.json(await readLinkPolicy(database.pool, caller.accountId));
      },
    },
    {
      ...common,
      method: 'PUT',
      path: policyPath,
      id: 'putLinkPolicy',
      summary: 'Set the link policy',
      description:
        'Replaces the whole policy, for all links of the account, at once. A field that is left out has no limit.',
      body: { schema: linkPolicy, example: { allowed_hosts: ['example.com'], renders_per_day: 1_000 }, required: true },
      responses: { 200: { description: 'The policy.', json: linkPolicy } },
      async handle({ req, res, caller }: KeyExchange) {
        const policy = parseRequest(linkPolicy, req.body, 'a link policy');
        await writeLinkPolicy(database.pool, caller.accountId, policy);
        res.json(policy);
      },
    },
  ];
}
