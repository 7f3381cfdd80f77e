import type { PageRequest } from '@capture/contract/options/fill-page';
import type { IsolationLevel } from '@capture/contract/options/isolation';
import { notOfTheImage } from '@capture/contract/options/request-options';
import { isStill } from '../load/still-document.ts';
import { domainOf } from '../page/requests-in-flight.ts';
import { isPersonal } from './isolation.ts';

/**
 * Which captures may use a page one after the other: captures of one account, and at the level `site` of one site. Null for a
 * capture that needs an unused page: its level is `strict`, it is personal, or holds the page still for `outputs`, which
 * clearing does not undo. Documents of clients have no URL, and count as one site; still documents share pages only with
 * documents of the same options, because `emptyPage` keeps what the options have set.
 */
export function warmKey(
  accountId: string,
  request: PageRequest & { outputs?: unknown },
  level: IsolationLevel,
): string | null {
  const { html, outputs } = request;
  if (level === 'strict' || outputs !== undefined || isPersonal(request)) return null;
  const key = `${accountId} ${level}`;
  if (html === undefined) return level === 'account' ? key : `${key} ${siteOf(request.url)}`;
  // The client's document is written into an existing document, but sockets are blocked only when a document starts.
  if (request.block_resources.includes('websocket')) return null;
  return isStill(request) ? `${key} ${appearanceOf(request)}` : `${key} html`;
}

/** Options that set nothing in the window. Options of the image set nothing there either. */
const withoutTrace: ReadonlySet<string> = new Set([
  ...['html', 'url', 'timeout_ms', 'delay_ms', 'format', 'quality', 'resize_width', 'resize_height'],
  ...['header_html', 'footer_html', 'page_ranges', 'paper_size', 'margins', 'fail_on', 'fail_on_status'],
]);

function appearanceOf(request: PageRequest): string {
  const options = Object.entries(request).filter(([name]) => !withoutTrace.has(name) && !notOfTheImage.has(name));
  return JSON.stringify(options.sort());
}

/** The scheme and the registrable domain of a URL: `https://example.co.uk`; see `domainOf`. */
export function siteOf(url: string): string {
  return `${new URL(url).protocol}//${domainOf(url)}`;
}
