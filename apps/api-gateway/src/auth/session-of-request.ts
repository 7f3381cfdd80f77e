import { ApiError } from '@capture/contract/errors';
import type { Request, Response } from 'express';
import { callingPage } from './calling-page.ts';
import { sessionCookieOf } from './session-cookie.ts';
import type { SessionClaims, SessionTokens } from './session-token.ts';

export interface SessionDependencies {
  sessionTokens: SessionTokens;
  links: { publicUrl: string };
}

/** Other sites' pages cannot send this header, because the gateway refuses the preflight request of their browser. */
const isFromDashboard = (req: Request) => req.get('X-Requested-With') === 'dashboard';

/**
 * Returns the session that replaces a key in a request without one. The caller looks up whether the session is still valid.
 *
 * A request that changes something must come from a page of this service and carry `X-Requested-With`. When an unknown page
 * reads, the response stays in the browser, which shows it to no other origin. A read that counts against the account's limits
 * needs the header too: an `<img>` in another site's page would be enough to cause such a read.
 *
 * @param metered whether the request counts against the account's limits.
 * @returns null without a session, or if another site's page caused the request.
 * @throws {ApiError} `FORBIDDEN` without the header where it is required.
 */
export function sessionOfRequest(
  { sessionTokens, links: { publicUrl } }: SessionDependencies,
  req: Request,
  metered: boolean,
): SessionClaims | null {
  if (carriesKey(req)) return null;
  const token = sessionCookieOf(req, publicUrl);
  const page = token === null ? 'another' : callingPage(req, publicUrl);
  if (token === null || page === 'another') return null;
  const claims = sessionTokens.verify(token);
  if (!claims) return null;
  const reads = req.method === 'GET' || req.method === 'HEAD';
  if (!(reads && (page === 'own' || !metered)) && !isFromDashboard(req)) {
    throw new ApiError(
      'FORBIDDEN',
      'With a session instead of a key, this request needs the header X-Requested-With: dashboard.',
    );
  }
  return claims;
}

/** Whether a request carries a forged session. An expired or ended session is not forged. */
export function triesSession({ sessionTokens, links }: SessionDependencies, req: Request): boolean {
  const token = carriesKey(req) ? null : sessionCookieOf(req, links.publicUrl);
  return token !== null && !sessionTokens.isOurs(token);
}

/** A key in a header always takes precedence, valid or not. A scheme other than Bearer belongs to a proxy in front of the gateway. */
function carriesKey({ headers }: Request): boolean {
  return headers['x-api-key'] !== undefined || /^bearer\b/i.test(headers.authorization ?? '');
}

/**
 * Restricts the response to a session cookie to the page of that browser: no cache may store the response, as with a response
 * to `Authorization`, and no other origin may embed it.
 */
export function keepToOwnPage(res: Response): void {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
}
