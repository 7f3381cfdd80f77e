import { monthOf, nextMonth } from '@capture/contract/api/month';
import { ApiError } from '@capture/contract/errors';
import { findAccount } from '@capture/database/accounts/find-accounts';
import { readSigningSecret, rotateSigningSecret } from '@capture/database/accounts/signing-secret';
import type { Dependencies } from '../../dependencies.ts';
import type { Route } from '../../http/route.ts';

const noSuchAccount = () => new ApiError('NOT_FOUND', 'This account is gone.');

export function accountRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path: '/api/v1/account',
    auth: 'key',
    cost: 'none',
    async handle({ res, caller }) {
      const now = new Date();
      const account = await findAccount(database.pool, caller.accountId, monthOf(now));
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

type SecretDependencies = Pick<Dependencies, 'database' | 'encryptor'>;

/** The routes of an account's own signing secret; a form in which only the operator issues it has none of them. */
export function signingSecretRoutes({ database, encryptor }: SecretDependencies): Route[] {
  const path = '/api/v1/account/signing-secret';
  return [
    {
      method: 'GET',
      path,
      auth: 'key',
      cost: 'none',
      async handle({ res, caller }) {
        const found = await readSigningSecret(database.pool, encryptor, caller.accountId);
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
      async handle({ res, caller }) {
        const rotated = await rotateSigningSecret(database.pool, encryptor, caller.accountId);
        if (!rotated) throw noSuchAccount();
        res.json({ secret: rotated.secret, previous_valid_until: rotated.previousValidUntil.toISOString() });
      },
    },
  ];
}
