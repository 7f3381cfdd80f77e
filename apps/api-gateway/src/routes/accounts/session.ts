import { signInRequest } from '@capture/contract/api/account-requests';
import * as schemas from '@capture/contract/api/account-responses';
import { isWellFormedApiKey } from '@capture/contract/api/api-key';
import { monthOf } from '@capture/contract/api/month';
import { ApiError } from '@capture/contract/errors';
import { parseRequest } from '@capture/contract/options/parse-request';
import { findKey } from '@capture/database/accounts/find-key';
import { closeSession, openSession, type SessionOf } from '@capture/database/accounts/sessions';
import type { Database } from '@capture/database/database';
import { fingerprintOf, isOperatorKey } from '../../auth/authenticate-operator.ts';
import { callingPage } from '../../auth/calling-page.ts';
import { clearSessionCookie, sessionCookieOf, setSessionCookie } from '../../auth/session-cookie.ts';
import { keepToOwnPage, type SessionDependencies } from '../../auth/session-of-request.ts';
import { sessionTtlS } from '../../auth/session-token.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';
import type { ClientLimit } from '../../limits/client-limit.ts';

const path = '/api/auth/session';

interface SignOutDependencies extends SessionDependencies {
  database: Database;
}

interface SignInDependencies extends SignOutDependencies {
  operatorKey: string;
  signInLimit: ClientLimit;
}

/** Takes a key once and gives the browser a cookie in its place. */
export function signInRoute(dependencies: SignInDependencies): Route {
  const { database, links, sessionTokens, signInLimit } = dependencies;
  return {
    method: 'POST',
    path,
    auth: 'none',
    cost: 'none',
    body: 'json',
    showsSecret: true,
    docs: {
      id: 'signIn',
      tag: 'Account',
      summary: 'Sign in at the dashboard',
      description:
        'The cookie stands in for the key for 12 hours, for requests of the service’s own pages alone; those that change something also need the header `X-Requested-With: dashboard`. It ends with its key. Sign-ins that fail are counted by client address, 20 an hour.',
      body: { schema: signInRequest, example: { api_key: 'cap_live_…' }, required: true },
      responses: { 200: { description: 'Signed in.', json: schemas.session, headers: ['Set-Cookie'] } },
      errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
    },
    async handle(exchange) {
      const { req, res, facts } = exchange;
      refuseAnotherPage(dependencies, exchange);
      const keys = parseRequest(signInRequest, req.body, 'a session');
      const of = await whose(dependencies, exchange, keys);
      if (of === null) {
        // Only those that fail count, so that nobody is shut out by what a neighbour behind the same address tries.
        const waitMs = await signInLimit.take(req.ip ?? '');
        if (waitMs === 0) throw notAKey();
        throw new ApiError('RATE_LIMITED', 'Too many sign-ins from this address have failed within an hour.', {
          retryAfterS: Math.ceil(waitMs / 1_000),
        });
      }
      if (of === 'suspended') throw new ApiError('FORBIDDEN', 'This account is suspended.');

      await endFormer(dependencies, exchange);
      const createdAt = new Date();
      const expiresAt = new Date(createdAt.getTime() + sessionTtlS * 1_000);
      const sessionId = await openSession(database, of, { createdAt, expiresAt });
      if (sessionId === null) throw notAKey();
      facts.session_id = sessionId;
      const keyId = 'keyId' in of ? of.keyId : null;
      setSessionCookie(res, links.publicUrl, sessionTokens.sign({ sessionId, keyId }));
      keepToOwnPage(res);
      res.json({ role: keyId === null ? 'operator' : 'account' });
    },
  };
}

const notAKey = () => new ApiError('UNAUTHORIZED', 'This is not a key, or it is no longer one.');

/** @returns null for what is no key. */
async function whose(
  { database, operatorKey }: SignInDependencies,
  { facts }: Exchange,
  keys: { api_key?: string | undefined; operator_key?: string | undefined },
): Promise<SessionOf | 'suspended' | null> {
  if (keys.operator_key !== undefined) {
    if (!isOperatorKey(keys.operator_key.trim(), operatorKey)) return null;
    return { operatorFingerprint: fingerprintOf(operatorKey) };
  }
  const apiKey = keys.api_key?.trim() ?? '';
  const owner = isWellFormedApiKey(apiKey) ? await findKey(database.pool, apiKey, monthOf(new Date())) : null;
  if (!owner) return null;
  facts.account_id = owner.accountId;
  facts.key_id = owner.keyId;
  return owner.status === 'suspended' ? 'suspended' : { keyId: owner.keyId };
}

/** Ends the session for good, whatever became of its key, and takes the cookie back. */
export function signOutRoute(dependencies: SignOutDependencies): Route {
  return {
    method: 'DELETE',
    path,
    auth: 'none',
    cost: 'none',
    docs: {
      id: 'signOut',
      tag: 'Account',
      summary: 'Sign out',
      description: 'The session ends for good, whoever has a copy of its cookie.',
      responses: { 204: { description: 'Signed out.', headers: ['Set-Cookie'] } },
      errors: ['FORBIDDEN'],
    },
    async handle(exchange) {
      refuseAnotherPage(dependencies, exchange);
      await endFormer(dependencies, exchange);
      clearSessionCookie(exchange.res, dependencies.links.publicUrl);
      exchange.res.status(204).end();
    },
  };
}

/** Nobody is signed in or out by a page that is not ours. */
function refuseAnotherPage({ links }: SignOutDependencies, { req }: Exchange): void {
  if (callingPage(req, links.publicUrl) === 'another') {
    throw new ApiError('FORBIDDEN', 'Another site may not sign anybody in or out here.');
  }
}

async function endFormer({ database, links, sessionTokens }: SignOutDependencies, { req }: Exchange): Promise<void> {
  const token = sessionCookieOf(req, links.publicUrl);
  const former = token === null ? null : sessionTokens.verify(token);
  if (former) await closeSession(database, former.sessionId);
}
