import type { PageRequest } from '@capture/contract/options/fill-page';
import type { IsolationLevel } from '@capture/contract/options/isolation';
import type { SiteIsolation } from '../browser/chromium-flags.ts';

/** The isolation level of captures that hold no personal state and ask for no level: the operator's choice. */
export type SharedLevel = Exclude<IsolationLevel, 'strict'>;

/** Whether a capture brings state that clearing a page does not undo, or secrets that only its own page may see. */
export function isPersonal(request: PageRequest): boolean {
  const { cookies, headers, basic_auth: auth, js, click, geolocation } = request;
  return click.length > 0 || [cookies, headers, auth, js, geolocation].some((option) => option !== undefined);
}

/**
 * The level at which a capture runs. With `auto`, a document of the client gets no process in which a web page has run: the
 * document may show private data.
 */
export function isolationOf(request: PageRequest, shared: SharedLevel): IsolationLevel {
  const { isolation } = request;
  if (isolation === 'account' || isolation === 'strict') return isolation;
  // With site isolation and a page that is used once, the capture shares nothing.
  if (isPersonal(request)) return 'strict';
  return isolation === 'site' || request.html !== undefined ? 'site' : shared;
}

/** The kind of cell in which captures of a level run. */
export function siteIsolationOf(level: IsolationLevel): SiteIsolation {
  return level === 'account' ? 'off' : 'on';
}
