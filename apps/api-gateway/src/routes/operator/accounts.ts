import { accountChange } from '@capture/contract/api/account-requests';
import { monthOf } from '@capture/contract/api/month';
import { pageRequest } from '@capture/contract/api/paging';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import { parseRequest } from '@capture/contract/options/parse-request';
import { changeAccount } from '@capture/database/accounts/change-account';
import { deleteAccount } from '@capture/database/accounts/delete-account';
import { type AccountRow, findAccount, listAccounts } from '@capture/database/accounts/find-accounts';
import { insertKey } from '@capture/database/accounts/insert-key';
import { rotateSigningSecret } from '@capture/database/accounts/signing-secret';
import { z } from 'zod';
import type { Dependencies } from '../../dependencies.ts';
import { pageOf, parseQuery, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { issuedKey } from '../accounts/keys.ts';

/** Which accounts a list shows. */
export const accountListRequest = pageRequest.extend({ email: z.string().trim().toLowerCase().optional() });

const noSuchAccount = () => new ApiError('NOT_FOUND', 'There is no such account.');

function accountRow(account: AccountRow) {
  return {
    id: account.id,
    email: account.email,
    plan: account.plan,
    status: account.status,
    created_at: account.createdAt.toISOString(),
    used: account.used,
  };
}

export function operatorListAccountsRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path: '/api/operator/accounts',
    auth: 'operator',
    cost: 'none',
    async handle({ req, res }) {
      const { email, limit, cursor } = parseQuery(req, accountListRequest, 'this list');
      const accounts = await listAccounts(database.pool, {
        email: email ?? null,
        after: cursor ?? null,
        limit: limit + 1,
        month: monthOf(new Date()),
      });
      res.json(pageOf('accounts', accounts, limit, accountRow));
    },
  };
}

export function operatorChangeAccountRoute({ database, form }: Pick<Dependencies, 'database' | 'form'>): Route {
  return {
    method: 'PATCH',
    path: '/api/operator/accounts/:id',
    auth: 'operator',
    cost: 'none',
    body: 'json',
    async handle({ req, res, facts }) {
      const change = parseRequest(accountChange, req.body, 'an account');
      if (change.plan !== undefined && !Object.hasOwn(form.plans, change.plan)) {
        throw invalidRequest([{ field: 'plan', message: `must be one of ${Object.keys(form.plans).join(', ')}` }]);
      }
      const id = pathParameter(req, 'id');
      facts.account_id = id;
      if (!(await changeAccount(database.pool, id, change))) throw noSuchAccount();
      const account = await findAccount(database.pool, id, monthOf(new Date()));
      if (!account) throw noSuchAccount();
      res.json(accountRow(account));
    },
  };
}

/** For everybody outside it is gone with the answer; what it leaves behind goes soon, and that of a small one before it. */
export function operatorDeleteAccountRoute({
  database,
  accountRemoval,
}: Pick<Dependencies, 'database' | 'accountRemoval'>): Route {
  return {
    method: 'DELETE',
    path: '/api/operator/accounts/:id',
    auth: 'operator',
    cost: 'none',
    async handle({ req, res, facts }) {
      const id = pathParameter(req, 'id');
      facts.account_id = id;
      if (!(await deleteAccount(database.pool, id))) throw noSuchAccount();
      await accountRemoval.begin();
      res.status(204).end();
    },
  };
}

/** A new key for who lost the last one. */
export function operatorIssueKeyRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'POST',
    path: '/api/operator/accounts/:id/keys',
    auth: 'operator',
    cost: 'none',
    showsSecret: true,
    async handle({ req, res, facts }) {
      const id = pathParameter(req, 'id');
      facts.account_id = id;
      if (!(await findAccount(database.pool, id, monthOf(new Date())))) throw noSuchAccount();
      const key = await insertKey(database.pool, { accountId: id, name: null, createdAt: new Date() });
      res.status(201).json(issuedKey(key));
    },
  };
}

/** A new signing secret, shown once; where accounts cannot read theirs this is how they get it. */
export function operatorIssueSecretRoute({ database, encryptor }: Pick<Dependencies, 'database' | 'encryptor'>): Route {
  return {
    method: 'POST',
    path: '/api/operator/accounts/:id/signing-secret',
    auth: 'operator',
    cost: 'none',
    showsSecret: true,
    async handle({ req, res, facts }) {
      const id = pathParameter(req, 'id');
      facts.account_id = id;
      const rotated = await rotateSigningSecret(database.pool, encryptor, id);
      if (!rotated) throw noSuchAccount();
      res.json({ secret: rotated.secret });
    },
  };
}
