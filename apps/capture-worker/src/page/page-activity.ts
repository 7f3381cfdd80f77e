import type { CDPSession, HTTPRequest, HTTPResponse, Page, ResourceType } from 'puppeteer';
import { maxUrlLength, maxDocuments, maxKeptFailures, maxRedirects, maxWatchedRequests } from '../limits.ts';

/** The document that the page shows. */
export interface MainDocument {
  /** Where it is; a change of the fragment or by `history.pushState` moves it. */
  url: string;
  /** What could not be loaded, if Chromium shows its own page of an error instead. */
  unreachableUrl: string | null;
  /** Null where there was no HTTP answer (`about:`, `blob:`, an error page). */
  status: number | null;
  mimeType: string;
  contentLoaded: boolean;
  loaded: boolean;
  /** Whether it was written by us (`html`), and so comes from no address. */
  written: boolean;
}

/** A request that did not bring what it was made for. */
export interface FailedRequest {
  url: string;
  /** Chromium's name (`net::ERR_…`) for what went wrong, or the status of the answer. */
  reason: string;
}

/**
 * Requests of these kinds are never waited for: some do not end while the page is open, the others show nothing.
 */
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

/** What goes on in a page: the document that it shows, and the requests that are in flight. */
export class PageActivity {
  /** Null until the first one. */
  document: MainDocument | null = null;
  /** Chromium's id of the main frame, once it shows a document. */
  mainFrameId: string | null = null;
  /** Where the newest navigation of the main frame goes, redirects followed. */
  mainUrl: string | null = null;
  /** The answer to it, also one that became a download. May come later than the document. */
  mainResponse: HTTPResponse | null = null;
  /** Chromium's name (`net::ERR_…`) for why the newest navigation of the main frame failed. */
  mainFailure: string | null = null;
  requests = 0;
  /** Those that had no answer, or one with a status from 400 on. */
  failedRequests = 0;
  /** Of those, what we did not let through: ads, kinds of resources. */
  refusedRequests = 0;
  /** The first of them. */
  readonly failures: FailedRequest[] = [];
  /** The addresses on the way to the newest document, each of which redirected. */
  redirects: readonly string[] = [];
  /** When something last happened, on the clock of `performance.now()`. */
  movedAt = performance.now();

  readonly #page: Page;
  /** Documents of the main frame so far. */
  #documents = 0;
  /** The requests that are waited for, with their place in the order of all. */
  readonly #inFlight = new Map<HTTPRequest, number>();
  readonly #told = new WeakSet<HTTPRequest>();
  /** Where captures use a page in turn, an answer to one before may come late. */
  readonly #own = new WeakSet<HTTPRequest>();
  /** Where in that order the newest navigation of the main frame stands. */
  #navigation = 0;
  readonly #listeners = new Set<() => void>();
  readonly #onEndless: (what: 'documents' | 'requests') => void;

  /**
   * Begins to watch; `session` has the `Page` domain enabled.
   *
   * @param onEndless called once for what the page does more often than it may.
   */
  constructor(page: Page, session: CDPSession, onEndless: (what: 'documents' | 'requests') => void) {
    this.#page = page;
    this.#onEndless = onEndless;
    page.on('request', (request) => this.#requested(request));
    page.on('response', (response) => this.#answered(response));
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

  /** Requests in flight that something visible may come of. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** The addresses of the first of them. */
  get pending(): string[] {
    return [...this.#inFlight.keys()].slice(0, maxKeptFailures).map((request) => request.url().slice(0, maxUrlLength));
  }

  /** Calls `listener` on each change until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notes that the document is about to be written anew by us: it loads once more. */
  rewritten(): void {
    if (this.document) Object.assign(this.document, { contentLoaded: false, loaded: false, written: true });
  }

  #requested(request: HTTPRequest): void {
    if (this.requests >= maxWatchedRequests) return;
    this.#own.add(request);
    this.requests += 1;
    if (this.#isMainNavigation(request)) {
      this.#navigation = this.requests;
      this.redirects = request
        .redirectChain()
        .slice(0, maxRedirects)
        .map((before) => before.url().slice(0, maxUrlLength));
      this.mainUrl = request.url();
      this.mainResponse = null;
      this.mainFailure = null;
    }
    if (!neverWaitedFor.has(request.resourceType())) this.#inFlight.set(request, this.requests);
    if (this.requests === maxWatchedRequests) this.#stopListening();
    this.#changed();
  }

  /** What is in flight will not be heard of again. */
  #stopListening(): void {
    this.#inFlight.clear();
    this.#onEndless('requests');
  }

  #answered(response: HTTPResponse): void {
    if (!this.#own.has(response.request())) return;
    if (this.#isMainNavigation(response.request())) {
      this.mainResponse = response;
      this.#noteStatus();
    } else if (response.status() >= 400) {
      this.#failed(response.request(), String(response.status()));
    }
    this.#changed();
  }

  #ended(request: HTTPRequest, failed: boolean): void {
    if (!this.#own.has(request)) return;
    if (failed) {
      const reason = request.failure()?.errorText ?? null;
      this.#failed(request, reason ?? 'unknown');
      if (this.#isMainNavigation(request)) this.mainFailure = reason;
    }
    this.#inFlight.delete(request);
    this.#changed();
  }

  /** A style sheet that answers 503 is told of twice: with its answer, and as one that could not be used. */
  #failed(request: HTTPRequest, reason: string): void {
    if (this.#told.has(request)) return;
    this.#told.add(request);
    this.failedRequests += 1;
    if (reason.startsWith('net::ERR_BLOCKED_BY_CLIENT')) this.refusedRequests += 1;
    if (this.failures.length < maxKeptFailures) this.failures.push({ url: request.url().slice(0, maxUrlLength), reason });
  }

  #committed(url: string, unreachableUrl: string | null, mimeType: string): void {
    const progress = { contentLoaded: false, loaded: false, written: false };
    this.document = { url, unreachableUrl, status: null, mimeType, ...progress };
    this.#documents += 1;
    if (this.#documents === maxDocuments) this.#onEndless('documents');
    this.#noteStatus();
    // What the document before had asked for ends with it, and not always with a word.
    for (const [request, place] of this.#inFlight) if (place < this.#navigation) this.#inFlight.delete(request);
    this.#changed();
  }

  #noteStatus(): void {
    const { document, mainResponse } = this;
    if (!document || document.unreachableUrl !== null || !mainResponse) return;
    if (withoutFragment(mainResponse.url()) === withoutFragment(document.url)) document.status = mainResponse.status();
  }

  #mark(event: 'contentLoaded' | 'loaded'): void {
    if (this.document) this.document[event] = true;
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

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
