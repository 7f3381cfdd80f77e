import type { EgressCounts } from '@capture/egress/egress-record';
import type { ActReport } from '../act/act.ts';
import type { CleanReport } from '../clean/clean.ts';
import type { LoadReport } from '../load/load.ts';
import type { CapturePage } from '../page/capture-page.ts';
import type { FailedRequest } from '../page/page-activity.ts';
import type { PageFacts } from './read-facts.ts';

/** What was learnt of a capture on the way, whatever came of it: for its receipt and its log line. */
export interface CaptureReport extends Partial<LoadReport>, Partial<ActReport> {
  tries: number;
  /** Why the tries before the last one failed. */
  problems: string[];
  /** Milliseconds until there was a page to draw in. */
  pageMs?: number;
  /** Milliseconds for what was done to the page. */
  actingMs?: number;
  /** Milliseconds for the picture. */
  imageMs?: number;
  /** Of the main document; null where there was no HTTP answer. */
  httpStatus?: number | null;
  finalUrl?: string | null;
  /** The addresses that redirected on the way there. */
  redirects?: readonly string[];
  page?: PageFacts | null;
  requests?: number;
  failedRequests?: number;
  refusedRequests?: number;
  failures?: readonly FailedRequest[];
  egress?: EgressCounts;
  cleaning?: CleanReport | null;
}

/** Requests that a receipt names; those that hang come after those that failed. */
const failuresAtMost = 50;

/** Notes which document the page shows: before it is drawn, as drawing may put another in its place. */
export function noteDocument(report: CaptureReport, { activity }: CapturePage): void {
  const { document, mainResponse, redirects } = activity;
  report.httpStatus = document?.status ?? mainResponse?.status() ?? null;
  report.finalUrl = document?.unreachableUrl ?? document?.url ?? activity.mainUrl;
  report.redirects = redirects;
}

/** Notes what the page has loaded, when nothing more is asked of it. Never rejects. */
export async function noteTraffic(report: CaptureReport, { activity, proxy }: CapturePage): Promise<void> {
  const record = await proxy.record().catch(() => null);
  report.requests = activity.requests;
  report.failedRequests = activity.failedRequests;
  report.refusedRequests = activity.refusedRequests;
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
  report.failures = [...failures, ...pending].slice(0, failuresAtMost);
  if (record) report.egress = record.counts;
}
