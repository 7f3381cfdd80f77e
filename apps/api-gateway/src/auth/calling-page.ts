import type { Request } from 'express';

/** Which page had a browser send a request: one of ours, somebody else's, or none that the request tells of. */
export type CallingPage = 'own' | 'another' | 'unknown';

/**
 * Tells by what no page can write itself. `Sec-Fetch-Site` is the browser's own word, and only `same-origin` is ours: a
 * sub-domain's `same-site` is as strange as anybody's. Browsers send it over https and to localhost; elsewhere there is
 * `Origin`, which must be the public URL's, or the host that the request went to (a service is reached by other names
 * than its public one: an address in the local network, a name behind a proxy), with the public URL's scheme.
 *
 * Neither is there in a read of our own page over plain http, nor in what no page has caused.
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

/** The host that the request went to, in the spelling of an origin: without the scheme's own port. */
function hostOf(req: Request, protocol: string): string | null {
  const url = `${protocol}//${req.headers.host ?? ''}`;
  return URL.canParse(url) ? new URL(url).host : null;
}
