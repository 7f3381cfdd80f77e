import type { CookieOptions, Request, Response } from 'express';
import { sessionTtlS } from './session-token.ts';

const isHttps = (publicUrl: string) => publicUrl.startsWith('https:');

/**
 * Over https the name begins with `__Host-`: browsers take such a cookie from this host alone, so that no sub-domain can
 * put one of its own in its place.
 */
const nameOf = (publicUrl: string) => (isHttps(publicUrl) ? '__Host-capture_session' : 'capture_session');

const optionsOf = (publicUrl: string): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  secure: isHttps(publicUrl),
  path: '/',
});

/** The name of the cookie, for the document. */
export const sessionCookieName = nameOf;

export function setSessionCookie(res: Response, publicUrl: string, token: string): void {
  res.cookie(nameOf(publicUrl), token, { ...optionsOf(publicUrl), maxAge: sessionTtlS * 1_000 });
}

export function clearSessionCookie(res: Response, publicUrl: string): void {
  res.clearCookie(nameOf(publicUrl), optionsOf(publicUrl));
}

/**
 * The token that a request brings, or null. Two of them are none: over plain http a neighbour can add one of its own, and
 * whose it is cannot be told.
 */
export function sessionCookieOf(req: Request, publicUrl: string): string | null {
  const beginning = `${nameOf(publicUrl)}=`;
  const cookies = (req.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const [token, ...others] = cookies.filter((cookie) => cookie.startsWith(beginning));
  return token === undefined || others.length > 0 ? null : token.slice(beginning.length);
}
