import { Request, type RequestType } from '@ghostery/adblocker';
import type { Protocol } from 'puppeteer';
import type { CapturePage } from '../page/capture-page.ts';
import type { Filters } from './filters.ts';
import type { FrameSessions } from './frame-sessions.ts';

type Paused = Protocol.Fetch.RequestPausedEvent;

/** Limits the memory for a page that requests ads without end. All URLs together are one message to the browser. */
const maxEntries = 1_000;
const maxCharacters = 1_000_000;

/** A page's blocked requests. */
export class BlockedRequests {
  count = 0;
  readonly #hosts = new Map<string, number>();
  readonly #urls = new Set<string>();
  #charactersLeft = maxCharacters;

  add(url: string): void {
    this.count += 1;
    const { host } = new URL(url);
    const count = this.#hosts.get(host);
    if (count !== undefined || this.#hosts.size < maxEntries) this.#hosts.set(host, (count ?? 0) + 1);
    if (this.#urls.size >= maxEntries || url.length > this.#charactersLeft || this.#urls.has(url)) return;
    this.#charactersLeft -= url.length;
    this.#urls.add(url);
  }

  /** The blocked URLs, whose frames and images leave empty boxes in the page. */
  get urls(): string[] {
    return [...this.#urls];
  }

  /** The hosts with the most blocked requests, with their counts. */
  hosts(atMost: number): Record<string, number> {
    return Object.fromEntries([...this.#hosts].sort((a, b) => b[1] - a[1]).slice(0, atMost));
  }
}

/** Filters, and the requests that they blocked. */
export interface Blocker {
  filters: Filters;
  blocked: BlockedRequests;
}

/** Blocks requests that match the filters from now on, except for the page's main document. */
export async function blockRequests(
  page: CapturePage,
  sessions: FrameSessions,
  blockers: readonly Blocker[],
): Promise<void> {
  let pageUrl = page.activity.mainUrl ?? '';
  const decide = (paused: Paused) => {
    const { url } = paused.request;
    if (isMainDocument(page, paused)) {
      pageUrl = url;
      return 'continue';
    }
    const blocker = blockers.find(({ filters }) => matches(filters, paused, pageUrl));
    blocker?.blocked.add(url);
    return blocker ? 'block' : 'continue';
  };
  await sessions.each((each) => {
    each.on('Fetch.requestPaused', (paused: Paused) => {
      const { requestId } = paused;
      const decided =
        decide(paused) === 'block'
          ? each.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
          : each.send('Fetch.continueRequest', { requestId });
      // The call fails if the request was cancelled or the page closed.
      decided.catch(() => undefined);
    });
    return each.send('Fetch.enable', { patterns: [{ urlPattern: 'http*' }] });
  });
}

function isMainDocument({ activity }: CapturePage, { resourceType, frameId }: Paused): boolean {
  // Before the main frame exists, the only document request is that of the page.
  return resourceType === 'Document' && (activity.mainFrameId === null || frameId === activity.mainFrameId);
}

/**
 * Characters of a URL that are compared with filters: as many as the engine reads to choose filters. A page may request a URL
 * of 2 MB, on which the wildcards of one filter take minutes.
 */
export const maxComparedLength = 2_048;

function matches({ engine }: Filters, { request, resourceType }: Paused, pageUrl: string): boolean {
  const details = Request.fromRawDetails({
    url: request.url.slice(0, maxComparedLength),
    // Without a referrer, a frame's requests are treated like the page's.
    sourceUrl: (request.headers.Referer ?? pageUrl).slice(0, maxComparedLength),
    type: requestType(resourceType),
  });
  return engine.match(details).match;
}

/** Maps Chromium's resource type to the filter lists' request type. */
function requestType(resourceType: Protocol.Network.ResourceType): RequestType {
  return resourceType === 'Document' ? 'sub_frame' : (resourceType.toLowerCase() as RequestType);
}
