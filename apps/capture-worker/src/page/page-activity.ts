import type { CDPSession, HTTPRequest, HTTPResponse, Page, ResourceType } from 'puppeteer';
import { maxDocuments, maxKeptFailures, maxRedirects, maxUrlLength, maxWatchedRequests } from '../limits.ts';
import { firstUrl, type InFlightRequest, RequestsInFlight } from './requests-in-flight.ts';

/** The document that the page shows. */
export interface MainDocument {
  /** The document's URL; changes of the fragment and `history.pushState` update it. */
  url: string;
  /** The URL that could not be loaded, if Chromium shows its own error page. */
  unreachableUrl: string | null;
  /** Null if there was no HTTP response (`about:`, `blob:`, an error page). */
  status: number | null;
  mimeType: string;
  contentLoaded: boolean;
  loaded: boolean;
  /** Whether the worker wrote the document (option `html`), which then has no URL. */
  written: boolean;
  /** Whether the connection ended before the whole document had arrived. */
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

/** The event that ends a page's capture, or its network. */
export type PageLimit = 'documents' | 'requests' | 'truncated';

/**
 * The end of a short body is assumed, milliseconds after the headers: when a page reads only the status of a response and leaves
 * the body, Chromium never reports the end. The size is in bytes.
 */
const shortBody = { bytes: 65_536, withinMs: 300 };

/** Tracks the document that a page shows, and its requests in flight. */
export class PageActivity {
  /** Null until the first document. */
  document: MainDocument | null = null;
  /** Chromium's id of the main frame; null until the first document. */
  mainFrameId: string | null = null;
  /** URL of the main frame's latest navigation, after redirects. */
  mainUrl: string | null = null;
  /** The response to that navigation, even a download. May arrive after the document. */
  mainResponse: HTTPResponse | null = null;
  /** Chromium's error name (`net::ERR_…`) if the main frame's latest navigation failed. */
  mainFailure: string | null = null;
  requests = 0;
  /** Requests without a response, or with a status of 400 or higher. */
  failedRequests = 0;
  /** Failed requests that the worker blocked: ads, `block_resources`. */
  refusedRequests = 0;
  readonly failures: FailedRequest[] = [];
  /** The URLs that redirected on the way to the latest document. */
  redirects: readonly string[] = [];
  /** The first documents of the main frame, by URL. */
  readonly documents: string[] = [];
  /** When the page's activity last changed, as `performance.now()`. */
  movedAt = performance.now();

  readonly #page: Page;
  readonly #inFlight: RequestsInFlight;
  readonly #counted = new WeakSet<HTTPRequest>();
  /** Requests of this capture. In a warm page, responses of the previous capture may still arrive. */
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
    this.#inFlight = new RequestsInFlight(page);
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
    return this.#inFlight.list(this.document?.url ?? '');
  }

  /** The URLs of the first requests in flight. */
  get pending(): string[] {
    return this.#inFlight.first().map(toRecord);
  }

  /** Calls `listener` on each change until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resets the document's state. The worker calls this before it writes the document, which then loads again. */
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
    this.#inFlight.add(request, this.requests);
    if (this.requests === maxWatchedRequests) this.#stopListening();
    this.#changed();
  }

  /** Drops the requests in flight, because no further events of them arrive. */
  #stopListening(): void {
    this.#inFlight.forget(() => true);
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
    this.#inFlight.end(request);
    this.#changed();
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
    // Requests of the previous document end with the document, and not always with an event.
    this.#inFlight.forget((_, number) => number < this.#navigation);
    this.#changed();
  }

  /** Notes a truncated document: Chromium stops parsing it, and reports neither event of its end. */
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

  /** Treats a stream as loaded, because it never loads. */
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
    // The request of a prefetched or prerendered document has no event of its end.
    this.#inFlight.forget((request) => this.#isMainNavigation(request));
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

function toRecord(request: HTTPRequest): string {
  return request.url().slice(0, maxUrlLength);
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
