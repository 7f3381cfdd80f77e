import type { CookieOptions, Request, Response } from 'express';
import { sessionTtlS } from './session-token.ts';

const isHttps = (publicUrl: string) => publicUrl.startsWith('https:');

/** Over https the name begins with `__Host-`: browsers accept such a cookie from this host only, so no subdomain can replace it. */
const nameOf = (publicUrl: string) => (isHttps(publicUrl) ? '__Host-capture_session' : 'capture_session');

const optionsOf = (publicUrl: string): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  secure: isHttps(publicUrl),
  path: '/',
});

/** The name of the cookie, for the OpenAPI document. */
export const sessionCookieName = nameOf;

export function setSessionCookie(res: Response, publicUrl: string, token: string): void {
  res.cookie(nameOf(publicUrl), token, { ...optionsOf(publicUrl), maxAge: sessionTtlS * 1_000 });
}

export function clearSessionCookie(res: Response, publicUrl: string): void {
  res.clearCookie(nameOf(publicUrl), optionsOf(publicUrl));
}

/**
 * Returns the session token of a request, or null. Two tokens count as no token: over plain http another site on the same
 * domain can add a token, and the gateway cannot distinguish the two.
 */
export function sessionCookieOf(req: Request, publicUrl: string): string | null {
  const prefix = `${nameOf(publicUrl)}=`;
  const cookies = (req.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const [token, ...others] = cookies.filter((cookie) => cookie.startsWith(prefix));
  return token === undefined || others.length > 0 ? null : token.slice(prefix.length);
}
