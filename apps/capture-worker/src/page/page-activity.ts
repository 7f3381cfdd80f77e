import type { CDPSession, HTTPRequest, HTTPResponse, Page, ResourceType } from 'puppeteer';
import { getDomain } from 'tldts';
import { maxDocuments, maxKeptFailures, maxRedirects, maxUrlLength, maxWatchedRequests } from '../limits.ts';

/** The document that the page shows. */
export interface MainDocument {
  /** Its URL; changes of the fragment and `history.pushState` update it. */
  url: string;
  /** The URL that could not be loaded, if Chromium shows its own error page. */
  unreachableUrl: string | null;
  /** Null if there was no HTTP response (`about:`, `blob:`, an error page). */
  status: number | null;
  mimeType: string;
  contentLoaded: boolean;
  loaded: boolean;
  /** Whether we wrote it (option `html`), so that it has no URL. */
  written: boolean;
  /** Whether its connection ended before all of it had arrived. */
  truncated: boolean;
}

export interface FailedRequest {
  url: string;
  /** Chromium's error name (`net::ERR_…`), or the status of the response. */
  reason: string;
  type: ResourceType;
  /** The URL that the page requested, before redirects. */
  from: string;
}

/** A request that has not ended. */
export interface InFlightRequest {
  url: string;
  /** The URL that the page requested, before redirects. */
  from: string;
  method: string;
  type: ResourceType;
  /** Whether a frame of the page sent it. */
  inFrame: boolean;
  /** Whether it goes to the page's own site. */
  isOwn: boolean;
  /**
   * When it was sent, as `performance.now()`, or when the request that it queued behind had ended: Chromium sends requests for
   * one URL that may be cached one after the other.
   */
  sentAt: number;
  /** How many requests the page has sent to the same URL, without its query, one after the other. */
  repeats: number;
}

/** Errors of a connection that ended in the middle of a response (net/base/net_error_list.h). */
const truncations: ReadonlySet<string> = new Set(
  [
    'CONTENT_LENGTH_MISMATCH',
    'INCOMPLETE_CHUNKED_ENCODING',
    'INVALID_CHUNKED_ENCODING',
    'CONNECTION_RESET',
    'CONNECTION_CLOSED',
    'CONNECTION_ABORTED',
    'EMPTY_RESPONSE',
    'SOCKET_NOT_CONNECTED',
    'HTTP2_PROTOCOL_ERROR',
    'HTTP2_PING_FAILED',
    'CONTENT_DECODING_FAILED',
    'TIMED_OUT',
    'FAILED',
  ].map((name) => `net::ERR_${name}`),
);

/** What can happen to a page that ends its capture, or its network. */
export type PageLimit = 'documents' | 'requests' | 'truncated';

/**
 * A page that reads only the status of a response leaves the body, and Chromium never reports its end. A body this short, in
 * bytes, has arrived this many milliseconds after the headers.
 */
const shortBody = { bytes: 65_536, withinMs: 300 };

/** Characters of a URL that decide what is waited for. Servers accept 8 to 16 kB; a page may request 2 MB. */
const maxComparedLength = 16_000;

/** URLs whose repetitions are counted. */
const maxCountedUrls = 500;

/** With more requests in flight than this, none is given its turn: that would take too long for each that ends. */
const maxQueued = 100;

/** Resource types that are never waited for: some do not end while the page is open, others show nothing. */
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

/** Tracks the document that a page shows, and its requests in flight. */
export class PageActivity {
  /** Null until the first document. */
  document: MainDocument | null = null;
  /** Chromium's id of the main frame; null until the first document. */
  mainFrameId: string | null = null;
  /** URL of the main frame's latest navigation, after redirects. */
  mainUrl: string | null = null;
  /** The response to it, including a download. May come later than the document. */
  mainResponse: HTTPResponse | null = null;
  /** Chromium's error name (`net::ERR_…`) if the main frame's latest navigation failed. */
  mainFailure: string | null = null;
  requests = 0;
  /** Requests without a response, or with a status of 400 or higher. */
  failedRequests = 0;
  /** Failed requests that we blocked: ads, `block_resources`. */
  refusedRequests = 0;
  /** The first failed requests. */
  readonly failures: FailedRequest[] = [];
  /** The URLs that redirected on the way to the latest document. */
  redirects: readonly string[] = [];
  /** The URLs of the documents that the main frame has had, the first ones. */
  readonly documents: string[] = [];
  /** When something last happened, as `performance.now()`. */
  movedAt = performance.now();

  readonly #page: Page;
  /** Requests in flight that may be waited for, with their number, their URL without its query, and when they were sent. */
  readonly #inFlight = new Map<HTTPRequest, { number: number; path: string; sentAt: number }>();
  /** How many of these go to each URL without its query: a look through all for each request would take the worker seconds. */
  readonly #inFlightTo = new Map<string, number>();
  /** How often each URL was requested. */
  readonly #repeats = new Map<string, number>();
  readonly #counted = new WeakSet<HTTPRequest>();
  /** Requests of this capture. In a warm page, responses of the previous capture may come late. */
  readonly #own = new WeakSet<HTTPRequest>();
  /** The number of the main frame's latest navigation request. */
  #navigation = 0;
  readonly #listeners = new Set<() => void>();
  readonly #onLimit: (limit: PageLimit) => void;

  /**
   * @param session has the `Page` domain enabled.
   * @param onLimit called once when the page reaches the limit of documents or requests, and when a document is truncated.
   */
  constructor(page: Page, session: CDPSession, onLimit: (limit: PageLimit) => void) {
    this.#page = page;
    this.#onLimit = onLimit;
    page.on('request', (request) => this.#requested(request));
    page.on('response', (response) => this.#responded(response));
    page.on('requestfinished', (request) => this.#ended(request, false));
    page.on('requestfailed', (request) => this.#ended(request, true));
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.mainFrameId = frame.id;
      this.#committed(frame.url, frame.unreachableUrl ?? null, frame.mimeType);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (this.document && frameId === this.mainFrameId) this.document.url = url;
    });
    session.on('Page.domContentEventFired', () => this.#mark('contentLoaded'));
    session.on('Page.loadEventFired', () => this.#mark('loaded'));
  }

  /** Requests in flight that may become visible. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** The first requests in flight. */
  get requestsInFlight(): InFlightRequest[] {
    const own = domainOf((this.document?.url ?? '').slice(0, maxComparedLength));
    return [...this.#inFlight].slice(0, maxKeptFailures).map(([request, { path, sentAt }]) => ({
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

  /** The URLs of the first requests in flight. */
  get pending(): string[] {
    return [...this.#inFlight.keys()].slice(0, maxKeptFailures).map(toRecord);
  }

  /** Calls `listener` on each change until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Call it before writing the document, which then loads again. */
  rewritten(): void {
    if (this.document) Object.assign(this.document, { contentLoaded: false, loaded: false, written: true });
  }

  #requested(request: HTTPRequest): void {
    if (this.requests >= maxWatchedRequests) return;
    this.#own.add(request);
    this.requests += 1;
    if (this.#isMainNavigation(request)) {
      this.#navigation = this.requests;
      this.redirects = request.redirectChain().slice(0, maxRedirects).map(toRecord);
      this.mainUrl = request.url();
      this.mainResponse = null;
      this.mainFailure = null;
    }
    if (!neverWaitedFor.has(request.resourceType())) {
      const path = withoutQuery(urlOf(request));
      this.#countRepeats(path);
      this.#inFlight.set(request, { number: this.requests, path, sentAt: performance.now() });
      this.#inFlightTo.set(path, (this.#inFlightTo.get(path) ?? 0) + 1);
    }
    if (this.requests === maxWatchedRequests) this.#stopListening();
    this.#changed();
  }

  #countRepeats(url: string): void {
    const repeats = this.#repeats.get(url) ?? 0;
    // A poll begins when the one before has ended.
    if (repeats > 0 && this.#inFlightTo.has(url)) return;
    if (repeats > 0 || this.#repeats.size < maxCountedUrls) this.#repeats.set(url, repeats + 1);
  }

  /** There will be no more events of requests in flight. */
  #stopListening(): void {
    this.#inFlight.clear();
    this.#inFlightTo.clear();
    this.#onLimit('requests');
  }

  #responded(response: HTTPResponse): void {
    if (!this.#own.has(response.request())) return;
    if (this.#isMainNavigation(response.request())) {
      this.mainResponse = response;
      this.#noteStatus();
      this.#noteStream();
    } else if (response.status() >= 400) {
      this.#failed(response.request(), String(response.status()));
    }
    this.#endUnread(response);
    this.#changed();
  }

  #endUnread(response: HTTPResponse): void {
    const request = response.request();
    const length = response.headers()['content-length'];
    if (request.resourceType() !== 'fetch' || length === undefined || Number(length) > shortBody.bytes) return;
    const end = () => {
      if (this.#inFlight.has(request)) this.#ended(request, false);
    };
    setTimeout(end, shortBody.withinMs).unref();
  }

  #ended(request: HTTPRequest, failed: boolean): void {
    if (!this.#own.has(request)) return;
    if (failed) {
      const reason = request.failure()?.errorText ?? null;
      this.#failed(request, reason ?? 'unknown');
      if (this.#isMainNavigation(request)) {
        this.mainFailure = reason;
        this.#noteTruncation();
      }
    }
    this.#leave(request);
    this.#giveTurn(urlOf(request));
    this.#changed();
  }

  /** The request is no longer in flight. */
  #leave(request: HTTPRequest): void {
    const path = this.#inFlight.get(request)?.path;
    if (path === undefined) return;
    this.#inFlight.delete(request);
    const others = (this.#inFlightTo.get(path) ?? 1) - 1;
    if (others > 0) this.#inFlightTo.set(path, others);
    else this.#inFlightTo.delete(path);
  }

  /** The turn of the requests that queued behind one to the same URL has come. */
  #giveTurn(url: string): void {
    if (this.#inFlight.size > maxQueued) return;
    for (const [request, state] of this.#inFlight) if (urlOf(request) === url) state.sentAt = performance.now();
  }

  /** Counts a failure once. Chromium reports a style sheet with status 503 twice: as a response and as unusable. */
  #failed(request: HTTPRequest, reason: string): void {
    if (this.#counted.has(request)) return;
    this.#counted.add(request);
    this.failedRequests += 1;
    if (reason.startsWith('net::ERR_BLOCKED_BY_CLIENT')) this.refusedRequests += 1;
    if (this.failures.length < maxKeptFailures)
      this.failures.push({
        url: toRecord(request),
        reason,
        type: request.resourceType(),
        from: firstUrl(request).slice(0, maxUrlLength),
      });
  }

  #committed(url: string, unreachableUrl: string | null, mimeType: string): void {
    const progress = { contentLoaded: false, loaded: false, written: false, truncated: false };
    this.document = { url, unreachableUrl, status: null, mimeType, ...progress };
    if (this.documents.length < maxDocuments && this.documents.push(url) === maxDocuments) this.#onLimit('documents');
    this.#noteStatus();
    this.#noteTruncation();
    this.#noteStream();
    // Requests of the previous document end with it, and not always with an event.
    for (const [request, { number }] of this.#inFlight) if (number < this.#navigation) this.#leave(request);
    this.#changed();
  }

  /** Chromium stops parsing a document that is cut off in the middle, and reports neither event of its end. */
  #noteTruncation(): void {
    const { document, mainFailure, mainUrl } = this;
    if (!document || document.unreachableUrl !== null || document.written || document.truncated) return;
    if (mainFailure === null || !truncations.has(mainFailure)) return;
    if (withoutFragment(mainUrl ?? '') !== withoutFragment(document.url)) return;
    Object.assign(document, { truncated: true, contentLoaded: true, loaded: true });
    this.#onLimit('truncated');
  }

  /** Whether the document is a camera's stream, an image that is replaced without end. */
  get isStream(): boolean {
    return /^multipart\/x-mixed-replace/i.test(this.mainResponse?.headers()['content-type'] ?? '');
  }

  /** A stream never loads. */
  #noteStream(): void {
    if (this.document && this.isStream) this.#mark('loaded');
  }

  #noteStatus(): void {
    const { document, mainResponse } = this;
    if (!document || document.unreachableUrl !== null || !mainResponse) return;
    if (withoutFragment(mainResponse.url()) === withoutFragment(document.url)) document.status = mainResponse.status();
  }

  #mark(event: 'contentLoaded' | 'loaded'): void {
    if (this.document) {
      this.document[event] = true;
      this.document.contentLoaded = true;
    }
    // The request of a document that was prefetched, or prerendered, has no event of its end.
    for (const request of this.#inFlight.keys()) if (this.#isMainNavigation(request)) this.#leave(request);
    this.#changed();
  }

  #isMainNavigation(request: HTTPRequest): boolean {
    return request.isNavigationRequest() && request.frame() === this.#page.mainFrame();
  }

  #changed(): void {
    this.movedAt = performance.now();
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The URL of a request, or the beginning of one of megabytes. */
function urlOf(request: HTTPRequest): string {
  return request.url().slice(0, maxComparedLength);
}

function firstUrl(request: HTTPRequest): string {
  return urlOf(request.redirectChain()[0] ?? request);
}

function toRecord(request: HTTPRequest): string {
  return request.url().slice(0, maxUrlLength);
}

/**
 * The registrable domain of a URL: `example.co.uk`. Hosts under a suffix that is open for registration, such as `github.io`,
 * are domains of their own; an IP address or a name without a suffix is one with its port. Null for a text that is no URL.
 */
export function domainOf(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed && (getDomain(parsed.hostname, { allowPrivateDomains: true }) ?? parsed.host);
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
