import * as schemas from '@capture/contract/api/account-responses';
import { monthOf, nextMonth } from '@capture/contract/api/month';
import { ApiError } from '@capture/contract/errors';
import { findAccount } from '@capture/database/accounts/accounts';
import { readSigningSecret, rotateSigningSecret } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import type { Encryptor } from '@capture/database/encryption';
import type { Route } from '../../http/route.ts';

const noSuchAccount = () => new ApiError('NOT_FOUND', 'This account has been deleted.');

export function accountRoute({ database }: { database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/v1/account',
    auth: 'key',
    cost: 'none',
    id: 'getAccount',
    tag: 'Account',
    summary: 'Get the account and its usage',
    description: 'The plan, and how much of this month’s quota is used.',
    responses: { 200: { description: 'The account.', json: schemas.account } },
    async handle({ res, caller }) {
      const now = databaseNow();
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

/** Routes of an account's signing secret. A form in which only the operator issues secrets has none of them. */
export function signingSecretRoutes({ database, encryptor }: SecretDependencies): Route[] {
  const path = '/api/v1/account/signing-secret';
  return [
    {
      method: 'GET',
      path,
      auth: 'key',
      cost: 'none',
      id: 'getSigningSecret',
      tag: 'Account',
      summary: 'Get the signing secret',
      description: 'The secret signs the events sent to a request’s own `webhook_url`.',
      responses: { 200: { description: 'The secret.', json: schemas.signingSecret } },
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
      id: 'rotateSigningSecret',
      tag: 'Account',
      summary: 'Rotate the signing secret',
      description:
        'The new secret signs immediately. For 24 hours, events also carry a signature made with the previous secret.',
      responses: { 200: { description: 'The new secret.', json: schemas.rotatedSecret } },
      async handle({ res, caller }) {
        const rotated = await rotateSigningSecret(database.pool, encryptor, caller.accountId);
        if (!rotated) throw noSuchAccount();
        res.json({ secret: rotated.secret, previous_valid_until: rotated.previousValidUntil.toISOString() });
      },
    },
  ];
}
