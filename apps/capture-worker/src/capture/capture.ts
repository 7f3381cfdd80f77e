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
import { chooseTry, isWorthRepairing, qualityOfTry, rejection } from './repair.ts';

/** Tries of a capture, when the browser fails or the result is worth another try. */
const maxTries = 2;

/**
 * How often a capture is tried again because its browser has failed. Another page may have spoilt the shared cell, and another
 * page of the account the private cell. At the last try, the capture is alone in a cell.
 */
const maxLostBrowsers = 2;

/** How often a capture waits for a browser beyond its tries, and the pause before each wait in milliseconds. */
const maxWaits = 4;
const betweenWaitsMs = 500;

/** With less time left, another try would hardly end in time. Milliseconds. */
const worthwhileMs = 3_000;

/**
 * Every step ends by the deadline, but encoding a large image may take some seconds more. A capture that takes longer is cut
 * off, because it holds a page. Milliseconds.
 */
const graceMs = 10_000;

export interface CaptureDependencies extends CaptureTerms {
  cells: Pick<Cells, 'captured'>;
  /** The deadline; by default `timeout_ms` from now. */
  deadline?: Deadline;
}

export interface EndedAttempt {
  /** The error is a `CaptureFailure`, or `ClaimLost` after `abandon`. No other error is thrown on purpose. */
  result: { file: RenderedFile } | { error: unknown };
  report: CaptureReport;
}

interface Retried extends EndedAttempt {
  /** The page of the last try, if that try has drawn a file. */
  drawn: CapturePage | null;
}

export interface CaptureAttempt {
  /** The result of the attempt. This promise never rejects. */
  ended: Promise<EndedAttempt>;
  /** Ends the attempt at once, and closes its pages with their network. Has no effect on an attempt that has ended. */
  abandon(): void;
  /** Returns the pages that the capture used. Call it when the outcome has been recorded, or is no longer needed. */
  tidyUp(): Promise<void>;
}

/**
 * Captures a URL or document in a page of the pool. When the browser fails, the capture is tried again in a new page, and in a
 * private cell if the first browser has ended. When the result lacks parts that may come at a second try, the capture is also
 * tried again, and the better result is kept.
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
      // After the end, the page may belong to another batch item.
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

/** A page source that closes its pages when the signal is aborted, also pages still being made. A page may be left twice. */
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
    /** Takes back the page of a try, because its remaining work would delay other captures. */
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
        const [better, other] = chooseTry(first, last);
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
    // Finding a hung browser takes long, and the next page may come from another browser, so nothing awaits this.
    if (page && problem.kind === 'hung') void page.cell.check();
    if (page) leave(page);
    // Another page may have made the browser hang. The worker finds and ends a hung browser after some 20 s.
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

/** Wraps the error of a refused call to Chromium, or of our own bug. The log shows which. */
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
