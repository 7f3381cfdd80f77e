import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Browser } from '../browser/browser.ts';
import { BrowserProblem, CaptureFailure } from '../capture-failure.ts';
import { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import type { RenderedFile, Renderer } from '../render/renderer.ts';
import { type CaptureTerms, captureOnce, type Try } from './capture-once.ts';
import { type CaptureReport, mergeReports, type StageReports } from './capture-report.ts';

/** A capture that failed by the browser's fault is tried this often in all. */
const triesAtMost = 2;

export interface CaptureDependencies extends CaptureTerms {
  browser: Browser;
}

export interface EndedAttempt {
  /** The error is a `CaptureFailure`: no other is thrown on purpose. */
  result: { file: RenderedFile } | { error: unknown };
  /** What was learned of it, whatever came of it. */
  report: CaptureReport;
}

export interface CaptureAttempt {
  /** Never rejects. */
  ended: Promise<EndedAttempt>;
  /** To be called when the outcome has been told: leaves what the capture used. */
  tidyUp(): Promise<void>;
}

/**
 * Captures a page: opens it in a page of the pool, waits, acts on it, draws. When the browser lets it down it is tried once
 * more, on a fresh page (of a browser of its own, where the old one is gone).
 */
export function startCapture<Request extends PageRequest>(
  dependencies: CaptureDependencies,
  renderer: Renderer<Request>,
  request: Request,
): CaptureAttempt {
  const { browser, pool } = dependencies;
  const deadline = new Deadline(request.timeout_ms);
  const used: CapturePage[] = [];
  const tryOnce = async (isolated: boolean) => {
    const attempt = await captureOnce({ ...dependencies, deadline, isolated }, renderer, request);
    if (attempt.page) used.push(attempt.page);
    return attempt;
  };
  const ended = captureWithRetry(tryOnce, browser);
  return {
    ended,
    async tidyUp() {
      for (const page of used) browser.captured(page.chromium);
      const { result, report } = await ended;
      const drawn = 'file' in result ? used.at(-1) : undefined;
      await Promise.all(used.map((page) => pool.leave(page, page === drawn ? report : null)));
    },
  };
}

async function captureWithRetry(
  tryOnce: (isolated: boolean) => Promise<Try>,
  browser: Pick<Browser, 'suspect'>,
): Promise<EndedAttempt> {
  const reports: StageReports[] = [];
  const problems: string[] = [];
  let isolated = false;
  for (let tries = 1; ; tries += 1) {
    const { page, result, report } = await tryOnce(isolated);
    reports.push(report);
    const end = (result: EndedAttempt['result']) => ({ result, report: { ...mergeReports(reports), tries, problems } });
    if ('file' in result || result.error instanceof CaptureFailure) return end(result);
    const problem = result.error instanceof BrowserProblem ? result.error : unexpected(result.error);
    problems.push(`${problem.kind}: ${problem.message}`);
    // Of all captures of a browser that ended one may be to blame: tried again beside it, the others would end as well.
    isolated = problem.kind === 'ended';
    // Without waiting: a browser that hangs takes its time to be found out, and the pool gives a page of another.
    if (page && problem.kind === 'hung') void browser.suspect(page.chromium);
    if (tries >= triesAtMost) return end({ error: renderingFailed(problem) });
  }
}

/** Chromium refused a call, or the fault is ours; the log tells which. */
function unexpected(cause: unknown): BrowserProblem {
  return new BrowserProblem('crashed', cause instanceof Error ? cause.message : String(cause), { cause });
}

function renderingFailed(problem: BrowserProblem): CaptureFailure {
  const what = {
    ended: 'the browser ended while it drew the page',
    crashed: 'the page made the browser crash',
    hung: 'the browser did not finish drawing the page',
    unavailable: 'no browser could be had',
  }[problem.kind];
  return new CaptureFailure('RENDERING_FAILED', `The page could not be rendered: ${what}, twice.`, { cause: problem });
}
