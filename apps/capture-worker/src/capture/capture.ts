import type { ContractForm } from '@capture/contract/forms/forms';
import type { PageRequest } from '@capture/contract/options/fill-page';
import type { AddressRules } from '@capture/egress/address-rules';
import { inSpan } from '@capture/runtime/tracing/trace';
import { act } from '../act/act.ts';
import type { Browser } from '../browser/browser.ts';
import { BrowserProblem, CaptureFailure, EndlessRedirects } from '../capture-failure.ts';
import type { Cleaner } from '../clean/clean.ts';
import { Deadline, withinTime } from '../deadline.ts';
import { checkStatus, load } from '../load/load.ts';
import { checkDocument, redirectsTooOften } from '../load/navigation-outcome.ts';
import { type CapturePage, timedOut } from '../page/capture-page.ts';
import type { RenderedFile, Renderer } from '../render/renderer.ts';
import { type CaptureReport, noteDocument, noteTraffic } from './capture-report.ts';
import { readFacts } from './read-facts.ts';

/** A capture that failed by the browser's fault is tried this often in all. */
const triesAtMost = 2;

/** Where a capture takes its page from, and where it leaves it. */
export interface PageSource {
  take(): Promise<CapturePage>;
  /** One in a browser of its own. */
  takeApart(): Promise<CapturePage>;
  /**
   * Takes a page back when nothing more is asked of it. Never rejects.
   *
   * @param report of the capture that it was drawn for; null if nothing was.
   */
  leave(page: CapturePage, report: CaptureReport | null): Promise<void>;
}

export interface CaptureDependencies {
  browser: Browser;
  pool: PageSource;
  cleaner: Pick<Cleaner, 'prepare'>;
  rules: AddressRules;
  form: ContractForm;
}

export interface CaptureAttempt {
  /** Rejects with `CaptureFailure`: no other error is thrown on purpose. */
  file: Promise<RenderedFile>;
  report: CaptureReport;
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
  const deadline = new Deadline(request.timeout_ms);
  const report: CaptureReport = { tries: 0, problems: [] };
  const used: CapturePage[] = [];
  let apart = false;
  const tryOnce = async () => {
    renderer.check?.(request);
    const from = performance.now();
    const page = await inSpan('acquire', {}, () => takePage(dependencies.pool, deadline, apart));
    report.pageMs = performance.now() - from;
    used.push(page);
    try {
      return await render(page, renderer, request, { ...dependencies, deadline, report });
    } finally {
      await noteTraffic(report, page);
    }
  };
  const file = captureWithRetry(tryOnce, report, (problem) => {
    const page = used.at(-1);
    // Of all captures of a browser that ended one may be to blame: tried again beside it, the others would end as well.
    apart = problem.kind === 'ended';
    // Without waiting: a browser that hangs takes its time to be found out, and the pool gives a page of another.
    if (page && problem.kind === 'hung') void dependencies.browser.suspect(page.chromium);
  });
  return {
    report,
    file,
    async tidyUp() {
      for (const page of used) dependencies.browser.captured(page.chromium);
      const drawn = await file.then(
        () => used.at(-1),
        () => undefined,
      );
      await Promise.all(used.map((page) => dependencies.pool.leave(page, page === drawn ? report : null)));
    },
  };
}

async function render<Request extends PageRequest>(
  page: CapturePage,
  renderer: Renderer<Request>,
  request: Request,
  terms: CaptureDependencies & { deadline: Deadline; report: CaptureReport },
): Promise<RenderedFile> {
  const { cleaner, form, deadline, report } = terms;
  const cleaning = await cleaner.prepare(page, request, deadline);
  try {
    Object.assign(report, await load(page, request, { ...terms, medium: renderer.medium }));
    const loaded = performance.now();
    Object.assign(report, await inSpan('act', {}, () => act(page, request, { cleaning, form, deadline })));
    await checkDocument(page, form, deadline);
    await checkStatus(page, request, deadline);
    const acted = performance.now();
    report.actingMs = acted - loaded;
    noteDocument(report, page);
    const reading = readFacts(page);
    const file = await inSpan('shoot', {}, () => renderer.draw(page, request, deadline));
    report.imageMs = performance.now() - acted;
    report.page = await reading;
    // What the page led to while the picture was taken may be in it.
    await checkDocument(page, form, deadline);
    return file;
  } catch (error) {
    // What is known of a page that failed is what its owner wants to know.
    if (report.imageMs === undefined) noteDocument(report, page);
    report.page ??= await readFacts(page);
    throw error instanceof EndlessRedirects ? redirectsTooOften(form) : error;
  } finally {
    report.cleaning = cleaning.report;
  }
}
async function takePage(pool: PageSource, deadline: Deadline, apart: boolean): Promise<CapturePage> {
  const taking = apart ? pool.takeApart() : pool.take();
  try {
    return await withinTime('waiting for a page', deadline.left(), taking);
  } catch (error) {
    taking.then(
      (late) => late.close(),
      () => undefined,
    );
    if (error instanceof BrowserProblem) throw error;
    throw timedOut('the wait for a page', error);
  }
}

async function captureWithRetry<T>(
  tryOnce: () => Promise<T>,
  report: CaptureReport,
  onProblem: (problem: BrowserProblem) => void,
): Promise<T> {
  for (;;) {
    report.tries += 1;
    try {
      return await tryOnce();
    } catch (error) {
      if (error instanceof CaptureFailure) throw error;
      const problem = error instanceof BrowserProblem ? error : unexpected(error);
      report.problems.push(`${problem.kind}: ${problem.message}`);
      onProblem(problem);
      if (report.tries >= triesAtMost) throw renderingFailed(problem);
    }
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
