import type { HTTPRequest, Page, ResourceType } from 'puppeteer';
import { getDomain } from 'tldts';
import { maxKeptFailures } from '../limits.ts';

/** A request that has not ended. */
export interface InFlightRequest {
  url: string;
  /** The URL that the page requested, before redirects. */
  from: string;
  method: string;
  type: ResourceType;
  /** Whether a frame of the page sent it. */
  inFrame: boolean;
  /** Whether the request goes to the page's own site. */
  isOwn: boolean;
  /**
   * When the request was sent, as `performance.now()`, or when the request before it in Chromium's queue had ended: Chromium
   * sends cacheable requests for one URL one after the other.
   */
  sentAt: number;
  /** How many requests the page has sent to the same URL, without its query, one after the other. */
  repeats: number;
}

/** Characters of a URL that decide whether to wait for the request. Servers accept 8 to 16 kB; a page may request 2 MB. */
const maxComparedLength = 16_000;

/** How many URLs are counted for repetitions. */
const maxCountedUrls = 500;

/** With more requests in flight, the queue of equal URLs is ignored: searching it at each end would take too long. */
const maxQueued = 100;

/** Resource types for which the page never waits: some do not end while the page is open, others show nothing. */
const neverWaitedFor: ReadonlySet<ResourceType> = new Set([
  'eventsource',
  'websocket',
  'media',
  'ping',
  'prefetch',
  'manifest',
  'cspviolationreport',
  'preflight',
]);

interface State {
  /** The number of the request, which is higher than the number of each earlier request. */
  number: number;
  /** The URL without its query. */
  path: string;
  sentAt: number;
}

/** The requests of a page that have not ended, and may become visible. */
export class RequestsInFlight {
  readonly #page: Page;
  readonly #states = new Map<HTTPRequest, State>();
  /** How many requests in flight go to each path: searching all of them for each request would take the worker seconds. */
  readonly #toPath = new Map<string, number>();
  /** How often each path was requested. */
  readonly #repeats = new Map<string, number>();

  constructor(page: Page) {
    this.#page = page;
  }

  get size(): number {
    return this.#states.size;
  }

  has(request: HTTPRequest): boolean {
    return this.#states.has(request);
  }

  /** Lists the first requests in flight of a page with this URL. */
  list(pageUrl: string): InFlightRequest[] {
    const own = domainOf(pageUrl.slice(0, maxComparedLength));
    return [...this.#states].slice(0, maxKeptFailures).map(([request, { path, sentAt }]) => ({
      url: urlOf(request),
      from: firstUrl(request),
      method: request.method(),
      type: request.resourceType(),
      inFrame: request.frame() !== this.#page.mainFrame(),
      isOwn: domainOf(urlOf(request)) === own,
      sentAt,
      repeats: this.#repeats.get(path) ?? 1,
    }));
  }

  /** Lists the same requests as Puppeteer's objects. */
  first(): HTTPRequest[] {
    return [...this.#states.keys()].slice(0, maxKeptFailures);
  }

  /** Adds a request, unless its type is never waited for. */
  add(request: HTTPRequest, number: number): void {
    if (neverWaitedFor.has(request.resourceType())) return;
    const path = withoutQuery(urlOf(request));
    this.#countRepeats(path);
    this.#states.set(request, { number, path, sentAt: performance.now() });
    this.#toPath.set(path, (this.#toPath.get(path) ?? 0) + 1);
  }

  /** Ends a request, and starts the time of the requests that queued behind it. */
  end(request: HTTPRequest): void {
    this.#leave(request);
    if (this.size > maxQueued) return;
    const url = urlOf(request);
    for (const [other, state] of this.#states) if (urlOf(other) === url) state.sentAt = performance.now();
  }

  /** Drops the requests that meet a condition, because their end is not reported. */
  forget(condition: (request: HTTPRequest, number: number) => boolean): void {
    for (const [request, { number }] of this.#states) if (condition(request, number)) this.#leave(request);
  }

  #countRepeats(path: string): void {
    const repeats = this.#repeats.get(path) ?? 0;
    // A poll starts when the previous poll has ended.
    if (repeats > 0 && this.#toPath.has(path)) return;
    if (repeats > 0 || this.#repeats.size < maxCountedUrls) this.#repeats.set(path, repeats + 1);
  }

  #leave(request: HTTPRequest): void {
    const path = this.#states.get(request)?.path;
    if (path === undefined) return;
    this.#states.delete(request);
    const others = (this.#toPath.get(path) ?? 1) - 1;
    if (others > 0) this.#toPath.set(path, others);
    else this.#toPath.delete(path);
  }
}

/** Returns the URL of a request, or the beginning of a very long URL. */
function urlOf(request: HTTPRequest): string {
  return request.url().slice(0, maxComparedLength);
}

/** Returns the URL that the page requested, before redirects. */
export function firstUrl(request: HTTPRequest): string {
  return urlOf(request.redirectChain()[0] ?? request);
}

/**
 * Returns the registrable domain of a URL: `example.co.uk`. Hosts under a suffix that is open for registration, such as
 * `github.io`, are separate domains; an IP address or a name without a suffix is a domain with its port. Null for a text that is
 * no URL.
 */
export function domainOf(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed && (getDomain(parsed.hostname, { allowPrivateDomains: true }) ?? parsed.host);
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}
