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

/** Exchanges a key for a session cookie. */
export function signInRoute(dependencies: SignInDependencies): Route {
  const { database, links, sessionTokens, signInLimit } = dependencies;
  return {
    method: 'POST',
    path,
    auth: 'none',
    showsSecret: true,
    id: 'signIn',
    tag: 'Account',
    summary: 'Sign in to the dashboard',
    description:
      'The cookie replaces the key for 12 hours, only in requests from the service’s own pages. Requests that change something also need the header `X-Requested-With: dashboard`. The session ends when its key is revoked. Failed sign-ins are limited to 20 per hour and client IP address.',
    body: { schema: signInRequest, example: { api_key: 'cap_live_…' }, required: true },
    responses: { 200: { description: 'Signed in.', json: schemas.session, headers: ['Set-Cookie'] } },
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
    async handle(exchange) {
      const { req, res, facts } = exchange;
      refuseOtherPage(dependencies, exchange);
      const keys = parseRequest(signInRequest, req.body, 'a session');
      const owner = await findOwner(dependencies, exchange, keys);
      if (owner === null) {
        // Only failures count: another client behind the same address cannot lock a valid key out.
        const waitMs = await signInLimit.take(req.ip ?? '');
        if (waitMs === 0) throw invalidKey();
        throw new ApiError('RATE_LIMITED', 'Too many failed sign-ins from this IP address within an hour.', {
          retryAfterS: Math.ceil(waitMs / 1_000),
        });
      }
      if (owner === 'suspended') throw new ApiError('FORBIDDEN', 'This account is suspended.');

      await endPreviousSession(dependencies, exchange);
      const createdAt = new Date();
      const expiresAt = new Date(createdAt.getTime() + sessionTtlS * 1_000);
      const sessionId = await openSession(database, owner, { createdAt, expiresAt });
      if (sessionId === null) throw invalidKey();
      facts.session_id = sessionId;
      const keyId = 'keyId' in owner ? owner.keyId : null;
      setSessionCookie(res, links.publicUrl, sessionTokens.sign({ sessionId, keyId }));
      keepToOwnPage(res);
      res.json({ role: keyId === null ? 'operator' : 'account' });
    },
  };
}

const invalidKey = () => new ApiError('UNAUTHORIZED', 'This key is invalid or has been revoked.');

/** @returns null for an invalid key. */
async function findOwner(
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

/** Ends the session permanently, whatever the state of its key, and clears the cookie. */
export function signOutRoute(dependencies: SignOutDependencies): Route {
  return {
    method: 'DELETE',
    path,
    auth: 'none',
    id: 'signOut',
    tag: 'Account',
    summary: 'Sign out',
    description: 'Ends the session permanently, including for copies of its cookie.',
    responses: { 204: { description: 'Signed out.', headers: ['Set-Cookie'] } },
    errors: ['FORBIDDEN'],
    async handle(exchange) {
      refuseOtherPage(dependencies, exchange);
      await endPreviousSession(dependencies, exchange);
      clearSessionCookie(exchange.res, dependencies.links.publicUrl);
      exchange.res.status(204).end();
    },
  };
}

/** Another site's page can neither sign a browser in nor out. */
function refuseOtherPage({ links }: SignOutDependencies, { req }: Exchange): void {
  if (callingPage(req, links.publicUrl) === 'another') {
    throw new ApiError('FORBIDDEN', 'Another site’s page cannot sign in or out here.');
  }
}

async function endPreviousSession(
  { database, links, sessionTokens }: SignOutDependencies,
  { req }: Exchange,
): Promise<void> {
  const token = sessionCookieOf(req, links.publicUrl);
  const previous = token === null ? null : sessionTokens.verify(token);
  if (previous) await closeSession(database, previous.sessionId);
}
