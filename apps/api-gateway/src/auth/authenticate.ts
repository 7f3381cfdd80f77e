import type { IncomingHttpHeaders } from 'node:http';
import { isWellFormedApiKey } from '@capture/contract/api/api-key';
import { monthOf } from '@capture/contract/api/month';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import { type ContractForm, planOf } from '@capture/contract/forms/forms';
import {
  findAccountOfSession,
  findKeyOfSession,
  type KeyOwner,
  type Owner,
  touchKey,
} from '@capture/database/accounts/find-key';
import type { Queryable } from '@capture/database/database';
import { databaseNow } from '@capture/database/database-clock';
import type { Caller, Exchange } from '../http/exchange.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';
import { setQuotaHeaders, setRetryAfterHeader } from '../limits/rate-limit-headers.ts';
import type { SharedStatements } from '../limits/shared-statements.ts';
import { type RefusedKeyDependencies, refusedKey } from './refused-key.ts';
import { keepToOwnPage, type SessionDependencies, sessionOfRequest, triesSession } from './session-of-request.ts';

/** The sender of a request: a key, or the session of a sign-in link, which belongs to the account and to no key. */
type RequestOwner = KeyOwner | (Owner & { keyId: null });

export interface AuthenticateDependencies extends SessionDependencies, RefusedKeyDependencies {
  statements: Pick<SharedStatements, 'findKey'>;
  form: ContractForm;
  database: { pool: Queryable };
  rateLimiter: RateLimiter;
}

interface Authentication {
  /** Whether the request counts against the account's limits. */
  metered: boolean;
  /**
   * For a client of another service: its key, and the place where that service expects the key. No session replaces this key.
   */
  theirs?: { key: string | null; place: string } | undefined;
}

/**
 * Finds the account of a request by its key, or by the session that replaces the key.
 *
 * @throws {ApiError} `UNAUTHORIZED` for a missing key, or a malformed, unknown or revoked one (indistinguishable from each other), or
 * `RATE_LIMITED` after many of them; `INVALID_REQUEST` for two different keys; `FORBIDDEN` for a suspended account, and for
 * a session without the header that it needs.
 */
export async function authenticate(
  dependencies: AuthenticateDependencies,
  exchange: Exchange,
  { metered, theirs }: Authentication,
): Promise<Caller> {
  const { form, database, rateLimiter } = dependencies;
  const { res, facts } = exchange;
  const now = databaseNow();
  const owner = await findOwner(dependencies, exchange, { metered, theirs, month: monthOf(now) });
  if (!owner) throw await unauthorized(dependencies, exchange, theirs);

  facts.account_id = owner.accountId;
  if (owner.keyId !== null) facts.key_id = owner.keyId;
  const plan = planOf(form, owner.plan);
  const caller = { ...owner, planName: owner.plan, plan };
  setQuotaHeaders(res, form, plan, owner, now);
  if (form.headers.retryAfter === 'always') {
    setRetryAfterHeader(res, form, (await rateLimiter.take(owner.accountId, plan, 0)).waitMs);
  }
  if (owner.status === 'suspended') throw new ApiError('FORBIDDEN', 'This account is suspended.');
  // Not awaited: `last_used_at` is a convenience, updated at most once a minute.
  if (owner.keyId !== null && owner.lastUseIsOld) touchKey(database.pool, owner.keyId).catch(() => undefined);
  return caller;
}

async function findOwner(
  dependencies: AuthenticateDependencies,
  exchange: Exchange,
  { metered, theirs, month }: Authentication & { month: string },
): Promise<(RequestOwner & Pick<Caller, 'sessionId'>) | null> {
  const { pool } = dependencies.database;
  const { req, res, facts } = exchange;
  const apiKey = theirs ? theirs.key : apiKeyOf(req.headers);
  exchange.sentKey = apiKey !== null;
  if (apiKey !== null) {
    const found = isWellFormedApiKey(apiKey) ? await dependencies.statements.findKey({ apiKey, month }) : null;
    return found && { ...found, sessionId: null };
  }
  const claims = theirs ? null : sessionOfRequest(dependencies, req, metered);
  if (!claims || claims.of === 'operator') return null;
  const { sessionId, of } = claims;
  const owner = await findSessionOwner(pool, sessionId, of, month);
  if (!owner) return null;
  facts.session_id = sessionId;
  keepToOwnPage(res);
  return { ...owner, sessionId };
}

async function findSessionOwner(
  pool: Queryable,
  id: string,
  of: { keyId: string } | { accountId: string },
  month: string,
): Promise<RequestOwner | null> {
  if ('keyId' in of) return findKeyOfSession(pool, { id, ...of }, month);
  const owner = await findAccountOfSession(pool, { id, ...of }, month);
  return owner && { ...owner, keyId: null };
}

async function unauthorized(
  dependencies: AuthenticateDependencies,
  exchange: Exchange,
  theirs: Authentication['theirs'],
): Promise<ApiError> {
  const { req, sentKey: hasKey } = exchange;
  const place = theirs?.place ?? 'in the header X-API-Key or as Authorization: Bearer';
  const error = new ApiError(
    'UNAUTHORIZED',
    hasKey
      ? 'This API key is not valid: it has a typo, or was revoked or replaced. Copy it whole, with its prefix.'
      : `This path needs an API key, ${place}. POST /api/auth/register issues one.`,
  );
  const tries = hasKey || (!theirs && triesSession(dependencies, req));
  return tries ? refusedKey(dependencies, exchange, error) : error;
}

/** The request's key, or null. */
export function apiKeyOf(headers: IncomingHttpHeaders): string | null {
  const own = headers['x-api-key'];
  const direct = typeof own === 'string' && own !== '' ? own.trim() : null;
  const bearer = bearerOf(headers);
  if (direct !== null && bearer !== null && direct !== bearer) {
    throw invalidRequest([{ field: 'X-API-Key', message: 'differs from the key in Authorization' }]);
  }
  return direct ?? bearer;
}

/** The token of `Authorization: Bearer …`, or null. The scheme is case-insensitive (RFC 9110, 11.1). */
export function bearerOf(headers: IncomingHttpHeaders): string | null {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
