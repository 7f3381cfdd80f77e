import * as schemas from '@capture/contract/api/account-responses';
import { monthOf, nextMonth } from '@capture/contract/api/month';
import { ApiError } from '@capture/contract/errors';
import { findAccount } from '@capture/database/accounts/accounts';
import { readSigningSecret, rotateSigningSecret } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import type { Route } from '../../http/route.ts';

const noSuchAccount = () => new ApiError('NOT_FOUND', 'This account is gone.');

export function accountRoute({ database }: { database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/v1/account',
    auth: 'key',
    cost: 'none',
    docs: {
      id: 'getAccount',
      tag: 'Account',
      summary: 'Read the account and its usage',
      responses: { 200: { description: 'The account of the key.', json: schemas.account } },
    },
    async handle({ res, caller }) {
      const now = new Date();
      const account = await findAccount(database, caller.accountId, monthOf(now));
      if (!account) throw noSuchAccount();
      res.json({
        id: account.id,
        email: account.email,
        plan: account.plan,
        created_at: account.createdAt.toISOString(),
        usage: {
          month: monthOf(now),
          used: account.used,
          reserved: account.reserved,
          limit: caller.plan.monthlyLimit,
          resets_at: nextMonth(now).toISOString(),
        },
      });
    },
  };
}

type SecretDependencies = { database: Database; encryptor: Encryptor };

/** The routes of an account's own signing secret; a form in which only the operator issues it has none of them. */
export function signingSecretRoutes({ database, encryptor }: SecretDependencies): Route[] {
  const path = '/api/v1/account/signing-secret';
  return [
    {
      method: 'GET',
      path,
      auth: 'key',
      cost: 'none',
      docs: {
        id: 'getSigningSecret',
        tag: 'Account',
        summary: 'Read the signing secret',
        description: 'It signs the events that go to a request’s own `webhook_url`.',
        responses: { 200: { description: 'The secret.', json: schemas.signingSecret } },
      },
      async handle({ res, caller }) {
        const found = await readSigningSecret(database, encryptor, caller.accountId);
        if (!found) throw noSuchAccount();
        res.json({ secret: found.secret, created_at: found.createdAt.toISOString() });
      },
    },
    {
      method: 'POST',
      path,
      auth: 'key',
      cost: 'none',
      showsSecret: true,
      docs: {
        id: 'rotateSigningSecret',
        tag: 'Account',
        summary: 'Rotate the signing secret',
        description: 'The new one signs at once; the former one’s signature is sent beside it for 24 hours.',
        responses: { 200: { description: 'The new secret.', json: schemas.rotatedSecret } },
      },
      async handle({ res, caller }) {
        const rotated = await rotateSigningSecret(database.pool, encryptor, caller.accountId);
        if (!rotated) throw noSuchAccount();
        res.json({ secret: rotated.secret, previous_valid_until: rotated.previousValidUntil.toISOString() });
      },
    },
  ];
}
