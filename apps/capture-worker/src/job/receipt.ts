import { type BrowserFailure, browserFailures } from '@capture/contract/api/receipt';
import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import type { StoredReceipt } from '@capture/database/captures/end-capture';
import type { CaptureReport } from '../capture/capture-report.ts';

/** The maximum length of a URL in a receipt, in characters. */
const maxUrlLength = 500;

/** Makes the receipt, which explains a capture to its owner. */
export function receiptOf(
  { createdAt, startedAt }: Pick<ClaimedCapture, 'createdAt' | 'startedAt'>,
  report: CaptureReport,
  { storingMs }: { storingMs: number },
): StoredReceipt {
  const { finalUrl = null, egress, cleaning } = report;
  return {
    final_url: finalUrl === null ? null : redactUrl(finalUrl),
    redirects: (report.redirects ?? []).map(redactUrl),
    http_status: report.httpStatus ?? null,
    title: report.page ? storable(report.page.title) : null,
    timings: {
      queue_ms: Math.max(0, startedAt.getTime() - createdAt.getTime()),
      browser_ms: rounded(report.pageMs),
      other_tries_ms: Math.round(report.otherTriesMs ?? 0),
      navigation_ms: rounded(report.navigationMs),
      waiting_ms: rounded(report.waitingMs),
      acting_ms: rounded(report.actingMs),
      capture_ms: rounded(report.imageMs),
      storing_ms: Math.round(storingMs),
    },
    wait: report.waitEnded ?? null,
    navigations: report.navigations ?? 1,
    tries: report.tries,
    isolation: report.isolation ?? null,
    browser_failures: report.problems.flatMap(kindOf),
    requests: {
      total: report.requests ?? 0,
      failed: report.failedRequests ?? 0,
      blocked: (report.refusedRequests ?? 0) + (egress?.blocked ?? 0),
      bytes: egress?.bytesIn ?? 0,
      cut_off: report.cutOff ?? null,
      failures: (report.failures ?? []).map(({ url, reason }) => ({ url: redactUrl(url), reason })),
    },
    dialogs: report.dialogs ?? 0,
    console_errors: (report.page?.errors ?? []).map(storable),
    script_error: report.scriptFault == null ? null : storable(report.scriptFault),
    ads: cleaning?.ads ? { ...cleaning.ads } : null,
    cookie_banner: cleaning?.cookie_banner ? { ...cleaning.cookie_banner } : null,
  };
}

/** Returns the kind of `crashed: …`. The browser's own text follows the colon, and only the log has it. */
function kindOf(problem: string): BrowserFailure[] {
  return browserFailures.filter((kind) => problem.startsWith(`${kind}:`));
}

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}

/** Makes text fit for Postgres, which stores no NUL and no half of a surrogate pair, such as a cut leaves. */
function storable(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd');
}

/** Removes the parts of a URL that often hold secrets: query, fragment, user and password. */
export function redactUrl(text: string): string {
  if (!URL.canParse(text)) return '';
  const { protocol, host, pathname } = new URL(text);
  if (host !== '') return `${protocol}//${host}${pathname}`.slice(0, maxUrlLength);
  // The page's content follows `data:`, a random id follows `blob:`.
  return protocol === 'about:' ? `about:${pathname}`.slice(0, maxUrlLength) : protocol;
}
