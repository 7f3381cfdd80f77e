import type { NetworkLimit } from '@capture/contract/api/receipt';
import type { EgressCounts } from '@capture/egress/egress-record';
import { Deadline } from '../deadline.ts';
import { maxTitleLength, maxWatchedRequests } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { runInPage } from '../page/isolated-world.ts';

/** Requests that a receipt names: first failed requests, then pending requests. */
const maxFailures = 50;

/** A page whose scripts do not yield is not waited for. */
const readWithinMs = 250;

export interface DocumentReport {
  /** The status of the main document; null if there was no HTTP response. */
  httpStatus: number | null;
  finalUrl: string | null;
  /** The URLs that redirected before the main document. */
  redirects: readonly string[];
}

/** Reads which document the page shows. Call it before rendering, which may replace the document. */
export function readDocument({ activity }: CapturePage): DocumentReport {
  const { document, mainResponse, redirects } = activity;
  return {
    httpStatus: document?.status ?? mainResponse?.status() ?? null,
    finalUrl: document?.unreachableUrl ?? document?.url ?? activity.mainUrl,
    redirects,
  };
}

interface PageFacts {
  title: string;
  /** The first console errors and uncaught exceptions. */
  errors: string[];
}

export interface PageReport {
  /** Null if the page did not respond. */
  page: PageFacts | null;
}

/** Reads the page's title and errors. Never rejects. */
export async function readFacts(page: CapturePage): Promise<PageReport> {
  if (!page.activity.document || !page.usable) return { page: null };
  const limits = { what: 'reading the title', limitMs: readWithinMs, deadline: new Deadline(readWithinMs) };
  return { page: await runInPage(page, 'readDocumentFacts', maxTitleLength, limits).catch(() => null) };
}

export interface TrafficReport {
  requests: number;
  failedRequests: number;
  refusedRequests: number;
  /** The limit at which the page's network was cut off. */
  cutOff: NetworkLimit | null;
  /** The number of dialogs that the page opened. */
  dialogs: number;
  failures: readonly { url: string; reason: string }[];
  egress?: EgressCounts;
}

/** Reads the loaded resources of a page. Call this when the capture no longer uses the page. Never rejects. */
export async function readTraffic({ activity, proxy, dialogs }: CapturePage): Promise<TrafficReport> {
  const record = await proxy.record().catch(() => null);
  const { requests, failedRequests, refusedRequests } = activity;
  const cutOff = requests >= maxWatchedRequests ? 'requests' : (record?.exhausted ?? null);
  const failures = activity.failures.map(({ url, reason }) => {
    // Chromium reports a connection that the proxy refuses as a broken connection.
    const decision = record?.decision(url);
    return {
      url,
      reason: decision && !/^\d/.test(reason) ? decision.reason : reason.replace(/^net::|\.Inspector$/g, ''),
    };
  });
  // Pending requests have not failed yet, but explain gaps in the screenshot.
  const pending = activity.pending.map((url) => ({ url, reason: 'pending' }));
  return {
    requests,
    failedRequests,
    refusedRequests,
    cutOff,
    dialogs,
    failures: [...failures, ...pending].slice(0, maxFailures),
    ...(record && { egress: record.counts }),
  };
}
