import { Request, type RequestType } from '@ghostery/adblocker';
import type { Protocol } from 'puppeteer';
import type { CapturePage } from '../page/capture-page.ts';
import type { Filters } from './filters.ts';
import type { FrameSessions } from './frame-sessions.ts';

type Paused = Protocol.Fetch.RequestPausedEvent;

/** A page that asks for the same advertisement without end does not fill our memory. */
const rememberedAtMost = 1_000;

/** What of a page's requests was not let through. */
export class BlockedRequests {
  count = 0;
  readonly #hosts = new Map<string, number>();
  readonly #urls = new Set<string>();

  add(url: string): void {
    this.count += 1;
    const { host } = new URL(url);
    const before = this.#hosts.get(host);
    if (before !== undefined || this.#hosts.size < rememberedAtMost) this.#hosts.set(host, (before ?? 0) + 1);
    if (this.#urls.size < rememberedAtMost) this.#urls.add(url);
  }

  /** The URLs themselves: frames and images of them are empty places in the page. */
  get urls(): string[] {
    return [...this.#urls];
  }

  /** The hosts that most were for, with how many. */
  hosts(atMost: number): Record<string, number> {
    return Object.fromEntries([...this.#hosts].sort((a, b) => b[1] - a[1]).slice(0, atMost));
  }
}

/** Lists to judge by, and what they have named. */
export interface Judge {
  filters: Filters;
  blocked: BlockedRequests;
}

/**
 * From now on what the filters name does not leave the page. The page's own document always does: it is what the capture is
 * of.
 */
export async function blockRequests(
  page: CapturePage,
  sessions: FrameSessions,
  judges: readonly Judge[],
): Promise<void> {
  let pageUrl = page.activity.mainUrl ?? '';
  const decide = (paused: Paused) => {
    const { url } = paused.request;
    if (isMainDocument(page, paused)) {
      pageUrl = url;
      return 'continue';
    }
    const judge = judges.find(({ filters }) => isNamed(filters, paused, pageUrl));
    judge?.blocked.add(url);
    return judge ? 'block' : 'continue';
  };
  await sessions.each((each) => {
    each.on('Fetch.requestPaused', (paused: Paused) => {
      const { requestId } = paused;
      const answer =
        decide(paused) === 'block'
          ? each.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
          : each.send('Fetch.continueRequest', { requestId });
      // The page went on without it, or is gone.
      answer.catch(() => undefined);
    });
    return each.send('Fetch.enable', { patterns: [{ urlPattern: 'http*' }] });
  });
}

function isMainDocument({ activity }: CapturePage, { resourceType, frameId }: Paused): boolean {
  // Before there is a document there is only the one that is coming.
  return resourceType === 'Document' && (activity.mainFrameId === null || frameId === activity.mainFrameId);
}

function isNamed({ engine }: Filters, { request, resourceType }: Paused, pageUrl: string): boolean {
  const judged = Request.fromRawDetails({
    url: request.url,
    // Where a page keeps the referrer to itself, a frame's requests are judged as the page's.
    sourceUrl: request.headers.Referer ?? pageUrl,
    type: typeOf(resourceType),
  });
  return engine.match(judged).match;
}

/** Chromium's name for a kind of request as the lists have it. */
function typeOf(resourceType: Protocol.Network.ResourceType): RequestType {
  return resourceType === 'Document' ? 'sub_frame' : (resourceType.toLowerCase() as RequestType);
}
