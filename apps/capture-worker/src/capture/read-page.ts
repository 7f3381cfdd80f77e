/// <reference lib="dom" />

import type { EgressCounts } from '@capture/egress/egress-record';
import { Deadline } from '../deadline.ts';
import { titleKept } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { runInPage } from '../page/isolated-world.ts';
import type { FailedRequest } from '../page/page-activity.ts';

/** Requests that a receipt names; those that hang come after those that failed. */
const failuresAtMost = 50;

/** A page that is stuck in its own work has nothing to say; nobody waits for it. */
const readWithinMs = 250;

export interface DocumentReport {
  /** Of the main document; null where there was no HTTP answer. */
  httpStatus: number | null;
  finalUrl: string | null;
  /** The addresses that redirected on the way there. */
  redirects: readonly string[];
}

/** Which document the page shows. Read before drawing, which may put another in its place. */
export function readDocument({ activity }: CapturePage): DocumentReport {
  const { document, mainResponse, redirects } = activity;
  return {
    httpStatus: document?.status ?? mainResponse?.status() ?? null,
    finalUrl: document?.unreachableUrl ?? document?.url ?? activity.mainUrl,
    redirects,
  };
}

export interface PageFacts {
  title: string;
  /** What it wrote to its console as errors, or did not catch: the first of it. */
  errors: string[];
}

export interface PageReport {
  /** Null if the page did not answer. */
  page: PageFacts | null;
}

/** What the page says of itself. Never rejects. */
export async function readFacts(page: CapturePage): Promise<PageReport> {
  if (!page.activity.document || !page.usable) return { page: null };
  const limits = { what: 'reading the title', limitMs: readWithinMs, deadline: new Deadline(readWithinMs) };
  return { page: await runInPage(page, factsOf, titleKept, limits).catch(() => null) };
}

function factsOf(titleKept: number): PageFacts {
  const { captureErrors: errors = [] } = globalThis as { captureErrors?: string[] };
  return { title: document.title.slice(0, titleKept), errors };
}

export interface TrafficReport {
  requests: number;
  failedRequests: number;
  refusedRequests: number;
  failures: readonly FailedRequest[];
  egress?: EgressCounts;
}

/** What the page has loaded. Read when nothing more is asked of it. Never rejects. */
export async function readTraffic({ activity, proxy }: CapturePage): Promise<TrafficReport> {
  const record = await proxy.record().catch(() => null);
  const { requests, failedRequests, refusedRequests } = activity;
  const failures = activity.failures.map(({ url, reason }) => {
    // To a browser what the proxy refuses is a connection that breaks.
    const decision = record?.decision(url);
    return {
      url,
      reason: decision && !/^\d/.test(reason) ? decision.reason : reason.replace(/^net::|\.Inspector$/g, ''),
    };
  });
  // What hangs has not failed yet; it is what a picture without it is to be explained by.
  const pending = activity.pending.map((url) => ({ url, reason: 'pending' }));
  return {
    requests,
    failedRequests,
    refusedRequests,
    failures: [...failures, ...pending].slice(0, failuresAtMost),
    ...(record && { egress: record.counts }),
  };
}
