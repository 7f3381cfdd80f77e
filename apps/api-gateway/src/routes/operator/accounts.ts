import { accountChange, accountListQuery } from '@capture/contract/api/account-requests';
import * as schemas from '@capture/contract/api/account-responses';
import { monthOf } from '@capture/contract/api/month';
import { pageOfRows } from '@capture/contract/api/responses';
import { didYouMean } from '@capture/contract/did-you-mean';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import type { ContractForm } from '@capture/contract/forms/forms';
import { parseRequest } from '@capture/contract/options/parse-request';
import {
  type AccountRow,
  changeAccount,
  deleteAccount,
  findAccount,
  listAccounts,
} from '@capture/database/accounts/accounts';
import { insertKey } from '@capture/database/accounts/keys';
import { rotateSigningSecret } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import type { Encryptor } from '@capture/database/encryption';
import { pageOf, parseQuery, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import type { AccountRemoval } from '../../operator/account-removal.ts';
import { issuedKey } from '../accounts/keys.ts';

const noSuchAccount = () => new ApiError('NOT_FOUND', 'There is no account with this ID (acc_…).');

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

export function operatorListAccountsRoute({ database }: { database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/operator/accounts',
    auth: 'operator',
    id: 'listAccounts',
    tag: 'Operator',
    summary: 'List accounts',
    description: 'Newest first. `search` finds accounts by part of their email address, `email` by all of it.',
    query: accountListQuery,
    responses: { 200: { description: 'A page of accounts.', json: pageOfRows('accounts', schemas.accountRow) } },
    async handle({ req, res }) {
      const { email, search, limit, cursor } = parseQuery(req, accountListQuery, 'this list');
      const accounts = await listAccounts(database, {
        email: email ?? null,
        search: search ?? null,
        after: cursor ?? null,
        limit: limit + 1,
        month: monthOf(databaseNow()),
      });
      res.json(pageOf('accounts', accounts, limit, accountRow));
    },
  };
}

export function operatorChangeAccountRoute({ database, form }: { database: Database; form: ContractForm }): Route {
  return {
    method: 'PATCH',
    path: '/api/operator/accounts/:id',
    auth: 'operator',
    id: 'changeAccount',
    tag: 'Operator',
    summary: 'Change an account’s plan, suspend or resume it',
    description: 'A suspended account’s requests are refused; its data stays. A new plan applies at once.',
    body: { schema: accountChange, example: { plan: 'pro' }, required: true },
    responses: { 200: { description: 'The account.', json: schemas.accountRow } },
    async handle({ req, res, facts }) {
      const change = parseRequest(accountChange, req.body, 'an account');
      if (change.plan !== undefined && !Object.hasOwn(form.plans, change.plan)) {
        const names = Object.keys(form.plans);
        const message = `must be one of ${names.join(', ')}${didYouMean(change.plan, names)}`;
        throw invalidRequest([{ field: 'plan', message, value: change.plan.slice(0, 40) }]);
      }
      const id = pathParameter(req, 'id');
      facts.account_id = id;
      if (!(await changeAccount(database, id, change))) throw noSuchAccount();
      const account = await findAccount(database, id, monthOf(databaseNow()));
      if (!account) throw noSuchAccount();
      res.json(accountRow(account));
    },
  };
}

/** Deletes an account. Clients see it as deleted once this route responds; the data of a large account is removed later. */
export function operatorDeleteAccountRoute({
  database,
  accountRemoval,
}: {
  database: Database;
  accountRemoval: AccountRemoval;
}): Route {
  return {
    method: 'DELETE',
    path: '/api/operator/accounts/:id',
    auth: 'operator',
    id: 'deleteAccount',
    tag: 'Operator',
    summary: 'Delete an account',
    description:
      'The account’s keys, sessions and links stop working immediately, and its captures and deliveries end. Its files and records are removed in the background.',
    responses: { 204: { description: 'Deleted.' } },
    async handle({ req, res, facts }) {
      const id = pathParameter(req, 'id');
      facts.account_id = id;
      if (!(await deleteAccount(database, id))) throw noSuchAccount();
      await accountRemoval.begin();
      res.status(204).end();
    },
  };
}

export function operatorIssueKeyRoute({ database }: { database: Database }): Route {
  return {
    method: 'POST',
    path: '/api/operator/accounts/:id/keys',
    auth: 'operator',
    showsSecret: true,
    id: 'issueKey',
    tag: 'Operator',
    summary: 'Issue a further key',
    description: 'For an account that lost its last key. Returns the key once; the account’s other keys keep working.',
    responses: { 201: { description: 'The key. It is shown only once.', json: schemas.issuedKey } },
    async handle({ req, res, facts }) {
      const id = pathParameter(req, 'id');
      facts.account_id = id;
      if (!(await findAccount(database, id, monthOf(databaseNow())))) throw noSuchAccount();
      const key = await insertKey(database, { accountId: id, name: null, createdAt: databaseNow() });
      res.status(201).json(issuedKey(key));
    },
  };
}

/** Issues a new signing secret, shown once. A form whose accounts cannot read their secret has no other way to get one. */
export function operatorIssueSecretRoute({ database, encryptor }: { database: Database; encryptor: Encryptor }): Route {
  return {
    method: 'POST',
    path: '/api/operator/accounts/:id/signing-secret',
    auth: 'operator',
    showsSecret: true,
    id: 'issueSigningSecret',
    tag: 'Operator',
    summary: 'Issue a new signing secret',
    description:
      'Each call issues a new secret. For 24 hours, events also carry a signature made with the previous one.',
    responses: { 200: { description: 'The secret. It is shown only once.', json: schemas.issuedSecret } },
    async handle({ req, res, facts }) {
      const id = pathParameter(req, 'id');
      facts.account_id = id;
      const rotated = await rotateSigningSecret(database.pool, encryptor, id);
      if (!rotated) throw noSuchAccount();
      res.json({ secret: rotated.secret });
    },
  };
}
