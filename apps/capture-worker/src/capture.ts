import type { ScreenshotRequest } from '@capture/contract/capture-options';
import type { ContractForm } from '@capture/contract/forms';
import type { AddressRules } from '@capture/egress/address-rules';
import type { EgressCounts } from '@capture/egress/capture-proxy';
import type { Browser } from './browser.ts';
import { BrowserTrouble, CaptureFailure } from './capture-failure.ts';
import { type CapturePage, timedOut } from './capture-page.ts';
import type { ContextPool } from './context-pool.ts';
import { Deadline, withinTime } from './deadline.ts';
import { type LoadReport, load } from './load.ts';
import { judgeDocument } from './navigation-verdict.ts';
import { checkScreenshot, type Picture, takeScreenshot } from './render/screenshot.ts';

/** A capture that failed by the browser's fault is tried this often in all. */
const triesAtMost = 2;

export interface CaptureDependencies {
  browser: Browser;
  pool: Pick<ContextPool, 'take'>;
  rules: AddressRules;
  form: ContractForm;
}

/** What was learnt of a capture on the way, whatever came of it: for its log line. */
export interface CaptureReport extends Partial<LoadReport> {
  tries: number;
  /** Why the tries before the last one failed. */
  troubles: string[];
  /** Milliseconds for the picture. */
  pictureMs?: number;
  /** Of the main document. */
  httpStatus?: number | null;
  requests?: number;
  failedRequests?: number;
  redirects?: number;
  egress?: EgressCounts;
}

export interface CaptureAttempt {
  /** Rejects with `CaptureFailure`: no other error is thrown on purpose. */
  picture: Promise<Picture>;
  report: CaptureReport;
  /** To be called when the outcome has been told: throws away what the capture used. */
  tidyUp(): Promise<void>;
}

/**
 * Captures a page: opens it in a page of the pool, waits, draws. When the browser lets it down it is tried once more, on
 * a fresh page (of a fresh browser, where the old one is gone).
 */
export function captureScreenshot(dependencies: CaptureDependencies, request: ScreenshotRequest): CaptureAttempt {
  const deadline = new Deadline(request.timeout_ms);
  const report: CaptureReport = { tries: 0, troubles: [] };
  const used: CapturePage[] = [];
  const tryOnce = async () => {
    const page = await takePage(dependencies.pool, deadline);
    used.push(page);
    try {
      return await renderScreenshot(page, request, { ...dependencies, deadline, report });
    } finally {
      note(report, page);
    }
  };
  return {
    report,
    picture: captureWithRetry(tryOnce, report, (trouble) => {
      const page = used.at(-1);
      // Without waiting: a browser that hangs takes its time to be found out, and the pool gives a page of another.
      if (page && trouble.kind === 'hung') void dependencies.browser.suspect(page.chromium);
    }),
    async tidyUp() {
      for (const page of used) dependencies.browser.captured(page.chromium);
      await Promise.all(used.map((page) => page.close()));
    },
  };
}

async function renderScreenshot(
  page: CapturePage,
  request: ScreenshotRequest,
  { rules, form, deadline, report }: CaptureDependencies & { deadline: Deadline; report: CaptureReport },
): Promise<Picture> {
  checkScreenshot(request);
  Object.assign(report, await load(page, request, { rules, form, deadline }));
  const started = performance.now();
  const picture = await takeScreenshot(page, request, deadline);
  report.pictureMs = performance.now() - started;
  // What the page led to while the picture was taken may be in it.
  await judgeDocument(page, form, deadline);
  return picture;
}

async function takePage(pool: Pick<ContextPool, 'take'>, deadline: Deadline): Promise<CapturePage> {
  const taking = pool.take();
  try {
    return await withinTime('waiting for a page', deadline.left(), taking);
  } catch (error) {
    taking.then(
      (late) => late.close(),
      () => undefined,
    );
    if (error instanceof BrowserTrouble) throw error;
    throw timedOut('the wait for a page', error);
  }
}

async function captureWithRetry<T>(
  tryOnce: () => Promise<T>,
  report: CaptureReport,
  onTrouble: (trouble: BrowserTrouble) => void,
): Promise<T> {
  for (;;) {
    report.tries += 1;
    try {
      return await tryOnce();
    } catch (error) {
      if (error instanceof CaptureFailure) throw error;
      const trouble = error instanceof BrowserTrouble ? error : unexpected(error);
      report.troubles.push(`${trouble.kind}: ${trouble.message}`);
      onTrouble(trouble);
      if (report.tries >= triesAtMost) throw renderingFailed(trouble);
    }
  }
}

/** Chromium refused a call, or the fault is ours; the log tells which. */
function unexpected(cause: unknown): BrowserTrouble {
  return new BrowserTrouble('crashed', cause instanceof Error ? cause.message : String(cause), { cause });
}

function renderingFailed(trouble: BrowserTrouble): CaptureFailure {
  const what = {
    ended: 'the browser ended while it drew the page',
    crashed: 'the page made the browser crash',
    hung: 'the browser did not finish drawing the page',
    unavailable: 'no browser could be had',
  }[trouble.kind];
  return new CaptureFailure('RENDERING_FAILED', `The page could not be rendered: ${what}, twice.`, { cause: trouble });
}

function note(report: CaptureReport, { activity, proxy }: CapturePage): void {
  report.httpStatus = activity.document?.status ?? activity.mainResponse?.status() ?? null;
  report.requests = activity.requests;
  report.failedRequests = activity.failedRequests;
  report.redirects = activity.redirects;
  report.egress = proxy.counts;
}
