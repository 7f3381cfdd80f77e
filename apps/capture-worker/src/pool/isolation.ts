import type { PageRequest } from '@capture/contract/options/fill-page';
import type { IsolationLevel } from '@capture/contract/options/isolation';
import type { SiteIsolation } from '../browser/chromium-flags.ts';

/** The isolation level of captures with nothing personal, unless they ask for another one: the operator's choice. */
export type SharedLevel = Exclude<IsolationLevel, 'strict'>;

/** Whether a capture brings what clearing a page does not undo, or what only its own page may see. */
export function isPersonal(request: PageRequest): boolean {
  const { cookies, headers, basic_auth: auth, js, click, geolocation } = request;
  return click.length > 0 || [cookies, headers, auth, js, geolocation].some((option) => option !== undefined);
}

/**
 * The level at which a capture runs. By itself a document of the client gets no process in which a web page has run: what it
 * shows may be the client's own.
 */
export function isolationOf(request: PageRequest, shared: SharedLevel): IsolationLevel {
  const { isolation } = request;
  if (isolation === 'account' || isolation === 'strict') return isolation;
  // With site isolation, and a page that is used once, it shares nothing.
  if (isPersonal(request)) return 'strict';
  return isolation === 'site' || request.html !== undefined ? 'site' : shared;
}

/** The kind of cell in which captures of a level run. */
export function siteIsolationOf(level: IsolationLevel): SiteIsolation {
  return level === 'account' ? 'off' : 'on';
}
