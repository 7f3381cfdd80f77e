import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Quality } from '@capture/contract/quality';
import { untilAborted } from '@capture/runtime/timeout';
import { BrowserProblem, CaptureFailure, ClaimLost } from '../capture-failure.ts';
import type { Cells } from '../cells/cells.ts';
import { Deadline, pause } from '../deadline.ts';
import { type CapturePage, timedOut } from '../page/capture-page.ts';
import type { PageSource } from '../pool/page-source.ts';
import type { RenderedFile, Renderer } from '../render/renderer.ts';
import { type CaptureTerms, captureOnce, type Try } from './capture-once.ts';
import { type CaptureReport, mergeReports, type StageReports, withoutTimes } from './capture-report.ts';
import { betterOf, isWorthRepairing, qualityOfTry, rejection } from './repair.ts';

/** Tries of a capture in all, when the browser fails or the result is worth another try. */
const maxTries = 2;

/**
 * How often a capture is tried again because its browser has failed: another page may have spoilt the shared cell, and another
 * page of its account the private one. Then it is alone.
 */
const maxLostBrowsers = 2;

/** How often a capture waits for a browser beyond its tries, and how long it pauses before, milliseconds. */
const maxWaits = 4;
const betweenWaitsMs = 500;

/** With less time left, another try would hardly end in time. */
const worthwhileMs = 3_000;

/**
 * Every step ends by the deadline; encoding a large image may take some seconds more. Whatever takes longer than this is cut
 * off: it holds a page. Milliseconds.
 */
const graceMs = 10_000;

export interface CaptureDependencies extends CaptureTerms {
  cells: Pick<Cells, 'captured'>;
  /** By default `timeout_ms` from now. */
  deadline?: Deadline;
}

export interface EndedAttempt {
  /** The error is a `CaptureFailure`, or `ClaimLost` after `abandon`: no other is thrown on purpose. */
  result: { file: RenderedFile } | { error: unknown };
  report: CaptureReport;
}

interface Retried extends EndedAttempt {
  /** The page of the last try, if that has drawn a file. */
  drawn: CapturePage | null;
}

export interface CaptureAttempt {
  /** Never rejects. */
  ended: Promise<EndedAttempt>;
  /** Ends it at once, and closes its pages with their network. No effect once it has ended. */
  abandon(): void;
  /** Returns the pages that the capture used. Call it when the outcome has been recorded, or is no longer needed. */
  tidyUp(): Promise<void>;
}

/**
 * Captures a URL or document in a page of the pool. When the browser fails, it tries again with a new page, which is in a
 * private cell if the first browser has ended. When what it drew lacks something that may come at a second try, it tries
 * again too, and keeps the better result.
 */
export function startCapture<Request extends PageRequest>(
  dependencies: CaptureDependencies,
  renderer: Renderer<Request>,
  request: Request,
): CaptureAttempt {
  const { cells, pool } = dependencies;
  const { deadline = new Deadline(request.timeout_ms) } = dependencies;
  const used: CapturePage[] = [];
  const abandoning = new AbortController();
  const { signal } = abandoning;
  const pages = abandonable(pool, signal, used);
  const tryOnce = () => captureOnce({ ...dependencies, pool: pages, deadline }, renderer, request);
  const leave = (page: CapturePage) => void pages.leave(page, null);
  const ended = untilAborted(signal, captureWithRetry(tryOnce, { leave, deadline, request, signal })).catch(
    (error: unknown): Retried => ({ result: { error }, report: { tries: 0, problems: [] }, drawn: null }),
  );
  const stop = () => abandoning.abort(timedOut('a step without a limit', deadline));
  const timer = setTimeout(stop, deadline.remainingMs() + graceMs);
  let isEnded = false;
  let tidied: Promise<unknown> | null = null;
  void ended.then(() => {
    isEnded = true;
    clearTimeout(timer);
  });
  return {
    ended,
    abandon() {
      // Its page may be another item's by now.
      if (!isEnded) abandoning.abort(new ClaimLost('the capture was cancelled, or another worker has it'));
    },
    async tidyUp() {
      tidied ??= tidy();
      await tidied;
    },
  };

  async function tidy(): Promise<void> {
    for (const page of used) cells.captured(page.cell);
    const { report, drawn } = await ended;
    await Promise.all(used.map((page) => pages.leave(page, page === drawn ? report : null)));
  }
}

/**
 * A page source whose pages are closed when the signal is aborted, those that are still being made too. A page may be left again,
 * which does nothing.
 */
function abandonable(pool: PageSource, signal: AbortSignal, used: CapturePage[]): PageSource {
  const follow = (taking: Promise<CapturePage>) => {
    const taken = taking.then((page) => {
      used.push(page);
      if (signal.aborted) page.abandon(signal.reason);
      else signal.addEventListener('abort', () => page.abandon(signal.reason), { once: true });
      return page;
    });
    return untilAborted(signal, taken);
  };
  const left = new Map<CapturePage, Promise<void>>();
  return {
    take: (deadline) => follow(pool.take(deadline)),
    leave(page, use) {
      const leaving = left.get(page) ?? pool.leave(page, use);
      left.set(page, leaving);
      return leaving;
    },
  };
}

async function captureWithRetry(
  tryOnce: () => Promise<Try>,
  terms: {
    /** Takes back the page of a try: it is no longer needed, and what it still does delays others. */
    leave(page: CapturePage): void;
    deadline: Deadline;
    request: PageRequest;
    signal: AbortSignal;
  },
): Promise<Retried> {
  const { leave, deadline, request, signal } = terms;
  const startedAt = performance.now();
  const others: StageReports[] = [];
  const problems: string[] = [];
  let waits = 0;
  let lostBrowsers = 0;
  for (let tries = 1; ; tries += 1) {
    const from = performance.now();
    const first = await tryOnce();
    const elapsedMs = performance.now() - from;
    const { page, result } = first;
    let kept = first;
    let last = first;
    let keptMs = elapsedMs;
    const end = (result: EndedAttempt['result'], quality?: Quality) => {
      const otherTriesMs = performance.now() - startedAt - keptMs;
      const stages = mergeReports([...others, kept.report]);
      const report = { ...stages, tries, otherTriesMs, problems, ...(quality && { quality }) };
      return { result, report, drawn: 'file' in result && 'file' in last.result ? last.page : null };
    };
    if ('file' in result || result.error instanceof CaptureFailure) {
      if (tries < maxTries && isWorthRepairing(first, request, { deadline, elapsedMs })) {
        tries += 1;
        const again = performance.now();
        if (page) leave(page);
        last = await tryOnce();
        const [better, other] = betterOf(first, last);
        if (better !== first) keptMs = performance.now() - again;
        kept = better;
        others.push(withoutTimes(other.report));
      }
      const quality = qualityOfTry(kept, first);
      const rejected = quality && rejection(quality, request);
      return end(rejected ? { error: rejected } : kept.result, quality);
    }
    const problem = result.error instanceof BrowserProblem ? result.error : unexpected(result.error);
    problems.push(`${problem.kind}: ${problem.message}`);
    if (signal.aborted) return end({ error: signal.reason });
    // Not awaited: a hung browser takes long to detect, and the next page may come from another one.
    if (page && problem.kind === 'hung') void page.cell.check();
    if (page) leave(page);
    // Nothing was drawn. Another page may have made the browser hang, which is detected and ended after some 20 s.
    if (problem.kind === 'unavailable' && waits < maxWaits && deadline.remainingMs() > worthwhileMs) {
      waits += 1;
      tries -= 1;
      await pause(betweenWaitsMs);
    } else if (problem.kind === 'ended' && lostBrowsers < maxLostBrowsers) {
      lostBrowsers += 1;
    } else if (tries >= maxTries) return end({ error: renderingFailed(problem, tries) });
    others.push(withoutTimes(first.report));
  }
}

/** Chromium refused a call, or we have a bug; the log shows which. */
function unexpected(cause: unknown): BrowserProblem {
  return new BrowserProblem('crashed', cause instanceof Error ? cause.message : String(cause), { cause });
}

/** Chromium does not say why a renderer or the GPU process has gone, and the first try may have failed in another way. */
function renderingFailed(problem: BrowserProblem, tries: number): CaptureFailure {
  const what = {
    ended: 'the browser ended or was blocked while it rendered the page',
    crashed: 'the page crashed, or exceeded a limit such as memory',
    hung: 'the browser did not finish rendering the page',
    unavailable: 'no browser was available',
  }[problem.kind];
  return new CaptureFailure(
    'RENDERING_FAILED',
    `The page could not be rendered in ${tries === maxTries ? 'two' : 'three'} tries: ${what}.`,
    {
      cause: problem,
    },
  );
}
