import { signInRequest } from '@capture/contract/api/account-requests';
import * as schemas from '@capture/contract/api/account-responses';
import { isWellFormedApiKey } from '@capture/contract/api/api-key';
import { monthOf } from '@capture/contract/api/month';
import { ApiError } from '@capture/contract/errors';
import { parseRequest } from '@capture/contract/options/parse-request';
import { findKey } from '@capture/database/accounts/find-key';
import { closeSession, openSession } from '@capture/database/accounts/sessions';
import { hashLinkToken } from '@capture/database/accounts/sign-in-links';
import { useSignInLink } from '@capture/database/accounts/use-sign-in-link';
import type { Database } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import { fingerprintOf, isOperatorKey } from '../../auth/authenticate-operator.ts';
import { callingPage } from '../../auth/calling-page.ts';
import { clearSessionCookie, sessionCookieOf, setSessionCookie } from '../../auth/session-cookie.ts';
import { keepToOwnPage, type SessionDependencies } from '../../auth/session-of-request.ts';
import { type SessionClaims, sessionTtlS } from '../../auth/session-token.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';
import type { Admission } from '../../limits/admission.ts';
import { type ClientLimits, subscriberOf } from '../../limits/client-limit.ts';

const path = '/api/auth/session';

interface SignOutDependencies extends SessionDependencies {
  database: Database;
}

interface SignInDependencies extends SignOutDependencies {
  operatorKey: string;
  admission: Admission;
  clientLimits: Pick<ClientLimits, 'failedSignIns'>;
}

/** Exchanges a key, or the token of a sign-in link, for a session cookie. */
export function signInRoute(dependencies: SignInDependencies): Route {
  const { links, sessionTokens, admission, clientLimits } = dependencies;
  return {
    method: 'POST',
    path,
    auth: 'none',
    showsSecret: true,
    id: 'signIn',
    tag: 'Account',
    summary: 'Sign in to the dashboard',
    description:
      'The cookie replaces the key for 12 hours, only in requests from the service’s own pages. Requests that change something also need the header `X-Requested-With: dashboard`. The session ends when its key is revoked; a session from a sign-in link ends when another link of the account is used. Failed sign-ins are limited to 20 per hour and client IP address.',
    body: { schema: signInRequest, example: { api_key: 'cap_live_…' }, required: true },
    responses: { 200: { description: 'Signed in.', json: schemas.session, headers: ['Set-Cookie'] } },
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
    async handle(exchange) {
      const { req, res, facts } = exchange;
      refuseOtherPage(dependencies, exchange);
      const given = parseRequest(signInRequest, req.body, 'a session');
      const createdAt = databaseNow();
      const times = { createdAt, expiresAt: new Date(createdAt.getTime() + sessionTtlS * 1_000) };
      const opened = await admission.run('client', subscriberOf(req.ip ?? ''), () => open(dependencies, given, times));
      if (opened === null) {
        // Only failures count, so another client at the same address cannot lock a valid key out.
        const waitMs = await clientLimits.failedSignIns.take(req.ip ?? '');
        if (waitMs === 0) throw refusalOf(given);
        throw new ApiError('RATE_LIMITED', 'Too many failed sign-ins from this IP address within an hour.', {
          retryAfterS: Math.ceil(waitMs / 1_000),
        });
      }
      if (opened === 'suspended') throw new ApiError('FORBIDDEN', 'This account is suspended.');

      await endPreviousSession(dependencies, exchange);
      const { claims, ...ids } = opened;
      Object.assign(facts, ids);
      setSessionCookie(res, links.publicUrl, sessionTokens.sign(claims));
      keepToOwnPage(res);
      res.json({ role: claims.of === 'operator' ? 'operator' : 'account' });
    },
  };
}

type Given = ReturnType<(typeof signInRequest)['parse']>;

const refusalOf = ({ link_token }: Given) =>
  new ApiError(
    'UNAUTHORIZED',
    link_token === undefined
      ? 'This key is invalid or has been revoked.'
      : 'This sign-in link was used before or has expired. Request a new one.',
  );

/** A new session, with its ids for the log. */
interface Opened {
  claims: SessionClaims;
  session_id: string;
  account_id?: string;
  key_id?: string;
}

/** @returns null for an invalid key or token. */
async function open(
  { database, operatorKey }: SignInDependencies,
  { api_key, operator_key, link_token }: Given,
  times: { createdAt: Date; expiresAt: Date },
): Promise<Opened | 'suspended' | null> {
  if (link_token !== undefined) {
    const used = await useSignInLink(database.pool, hashLinkToken(link_token), times);
    if (used === null || used === 'suspended') return used;
    const { sessionId, accountId } = used;
    return { claims: { sessionId, of: { accountId } }, session_id: sessionId, account_id: accountId };
  }
  if (operator_key !== undefined) {
    if (!isOperatorKey(operator_key.trim(), operatorKey)) return null;
    const sessionId = await openSession(database, { operatorFingerprint: fingerprintOf(operatorKey) }, times);
    return sessionId === null ? null : { claims: { sessionId, of: 'operator' }, session_id: sessionId };
  }
  const apiKey = api_key?.trim() ?? '';
  const owner = isWellFormedApiKey(apiKey) ? await findKey(database.pool, apiKey, monthOf(times.createdAt)) : null;
  if (owner?.status === 'suspended') return 'suspended';
  if (!owner) return null;
  const { keyId, accountId } = owner;
  const sessionId = await openSession(database, { keyId }, times);
  if (sessionId === null) return null;
  return { claims: { sessionId, of: { keyId } }, session_id: sessionId, account_id: accountId, key_id: keyId };
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

/** Refuses another site's page, which must neither sign a browser in nor out. */
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
