import type { Request } from 'express';

/** The page that made a browser send a request: a page of this service, of another site, or unknown. */
export type CallingPage = 'own' | 'another' | 'unknown';

/**
 * Decides by headers that no page can set. The browser itself sets `Sec-Fetch-Site`, and only `same-origin` is a page of this
 * service: `same-site`, a subdomain, counts as another site. Browsers send `Sec-Fetch-Site` over https and to localhost.
 * Elsewhere `Origin` decides: it must have the public URL's scheme, and the host of the public URL or of the request itself,
 * because the service may also be reached by an address in the local network or a name behind a proxy.
 *
 * Both headers are missing when a page of this service reads over plain http, and in requests that no page caused.
 */
export function callingPage(req: Request, publicUrl: string): CallingPage {
  const site = req.get('Sec-Fetch-Site');
  if (site === 'none') return 'unknown';
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'another';
  const origin = req.get('Origin');
  if (origin === undefined) return 'unknown';
  if (!URL.canParse(origin)) return 'another';
  const own = new URL(publicUrl);
  const { protocol, host } = new URL(origin);
  return protocol === own.protocol && (host === own.host || host === hostOf(req, protocol)) ? 'own' : 'another';
}

/** The host of the request, as an origin spells it: without the scheme's default port. */
function hostOf(req: Request, protocol: string): string | null {
  const url = `${protocol}//${req.headers.host ?? ''}`;
  return URL.canParse(url) ? new URL(url).host : null;
}
