import { ApiError } from '@capture/contract/errors';
import type { Request, Response } from 'express';
import type { Dependencies } from '../dependencies.ts';
import { callingPage } from './calling-page.ts';
import { sessionCookieOf } from './session-cookie.ts';
import type { SessionClaims } from './session-token.ts';

export type SessionDependencies = Pick<Dependencies, 'sessionTokens' | 'links'>;

/** What only a page of ours can send: for another's, browsers ask first whether they may, and nobody answers yes. */
const isFromDashboard = (req: Request) => req.get('X-Requested-With') === 'dashboard';

/**
 * The session that stands in for a key that the request does not carry. Whether it still holds is for who looks it up.
 *
 * What changes something must come from our page and say so in `X-Requested-With`. Of a read by an unknown page the
 * answer stays with the browser, which shows it to no other origin; but one that costs something must say so too, since a
 * picture in a neighbour's page would be enough to have it made.
 *
 * @param metered whether the request takes something from the account's limits.
 * @returns null if there is none, or another page had the browser send it.
 * @throws {ApiError} `FORBIDDEN` without the header where it is needed.
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
      'With a session in place of a key this request needs the header X-Requested-With: dashboard.',
    );
  }
  return claims;
}

/**
 * Whether a request tries a session that nobody was given here. One that is over, or was ended, is not tried but old:
 * the page that has it only learns so.
 */
export function triesSession({ sessionTokens, links }: SessionDependencies, req: Request): boolean {
  const token = carriesKey(req) ? null : sessionCookieOf(req, links.publicUrl);
  return token !== null && !sessionTokens.isOurs(token);
}

/** A key in a header is meant, whatever it is worth; a scheme other than Bearer is a proxy's before us. */
function carriesKey({ headers }: Request): boolean {
  return headers['x-api-key'] !== undefined || /^bearer\b/i.test(headers.authorization ?? '');
}

/**
 * What is answered to a cookie is for that browser's page alone: no cache may keep it, as it would not keep what is
 * answered to `Authorization`, and no other origin may embed it.
 */
export function keepToOwnPage(res: Response): void {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
}
