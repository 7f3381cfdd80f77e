import type { PageRequest } from '@capture/contract/options/fill-page';
import { notOfTheImage } from '@capture/contract/options/request-options';
import { isStill } from '../load/still-document.ts';
import { domainOf } from '../page/requests-in-flight.ts';

/**
 * Which captures may use a page one after the other: those of one account and one site. Null for a capture that needs a page
 * of its own, because it asks for one, or brings cookies, headers, credentials, scripts, clicks or permissions, or holds
 * the page still for `outputs`, in ways that clearing does not undo. Documents of clients have no URL, and count as one site;
 * still ones share pages with those of the same options, because `emptyPage` keeps what the options have set.
 */
export function warmKey(accountId: string, request: PageRequest & { outputs?: unknown }): string | null {
  const { isolation, cookies, headers, basic_auth: auth, js, click, geolocation, html, outputs } = request;
  const personal = [cookies, headers, auth, js, geolocation, outputs];
  if (isolation === 'strict' || click.length > 0 || personal.some((option) => option !== undefined)) return null;
  if (html === undefined) return `${accountId} ${siteOf(request.url)}`;
  // It is written into a document that exists already, and sockets are blocked when a document starts.
  if (request.block_resources.includes('websocket')) return null;
  return isStill(request) ? `${accountId} ${appearanceOf(request)}` : `${accountId} html`;
}

/** Options that set nothing in the window, beside those that are not of the image. */
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
