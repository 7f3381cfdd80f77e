import type { ContractForm } from '@capture/contract/forms/forms';
import type { PageRequest } from '@capture/contract/options/fill-page';
import type { AddressRules } from '@capture/egress/address-rules';
import { inSpan } from '@capture/runtime/tracing/trace';
import { act } from '../act/act.ts';
import { BrowserProblem, EndlessRedirects } from '../capture-failure.ts';
import type { Cleaner } from '../clean/clean.ts';
import { type Deadline, withTimeLimit } from '../deadline.ts';
import { checkStatus, load } from '../load/load.ts';
import { checkDocument, redirectsTooOften } from '../load/navigation-outcome.ts';
import { type CapturePage, timedOut } from '../page/capture-page.ts';
import type { PageSource } from '../pool/page-source.ts';
import type { RenderedFile, Renderer } from '../render/renderer.ts';
import { mergeReports, type StageReports } from './capture-report.ts';
import { type PageReport, readDocument, readFacts, readTraffic } from './read-page.ts';

export interface CaptureTerms {
  pool: PageSource;
  cleaner: Pick<Cleaner, 'prepare'>;
  rules: AddressRules;
  form: ContractForm;
}

/** One try at a capture. */
export interface Try {
  /** Null if none was available. */
  page: CapturePage | null;
  result: { file: RenderedFile } | { error: unknown };
  /** Of the stages that it completed. */
  report: StageReports;
}

/**
 * Takes a page and runs the stages: load, act, render. Each returns its part of the report; if one fails, the parts of those
 * before it are kept. Never rejects.
 *
 * @param terms.isolated whether the page needs a browser of its own.
 */
export async function captureOnce<Request extends PageRequest>(
  terms: CaptureTerms & { deadline: Deadline; isolated: boolean },
  renderer: Renderer<Request>,
  request: Request,
): Promise<Try> {
  const reports: StageReports[] = [];
  let page: CapturePage | null = null;
  try {
    renderer.check?.(request);
    const opened = await inSpan('acquire', {}, () => openPage(terms));
    page = opened.page;
    reports.push({ pageMs: opened.pageMs });
    const file = await render(page, renderer, request, terms, (report) => reports.push(report));
    reports.push(await readTraffic(page));
    return { page, result: { file }, report: mergeReports(reports) };
  } catch (error) {
    if (page) reports.push(await readTraffic(page));
    return { page, result: { error }, report: mergeReports(reports) };
  }
}

async function openPage({
  pool,
  deadline,
  isolated,
}: {
  pool: PageSource;
  deadline: Deadline;
  isolated: boolean;
}): Promise<{ page: CapturePage; pageMs: number }> {
  const from = performance.now();
  const taking = isolated ? pool.takeIsolated() : pool.take();
  try {
    const page = await withTimeLimit('waiting for a page', deadline.remainingMs(), taking);
    return { page, pageMs: performance.now() - from };
  } catch (error) {
    taking.then(
      (late) => late.close(),
      () => undefined,
    );
    if (error instanceof BrowserProblem) throw error;
    throw timedOut('the wait for a page', error);
  }
}

/** @param report called with each stage's part when the stage ends. */
async function render<Request extends PageRequest>(
  page: CapturePage,
  renderer: Renderer<Request>,
  request: Request,
  terms: CaptureTerms & { deadline: Deadline },
  report: (part: StageReports) => void,
): Promise<RenderedFile> {
  const { cleaner, form, deadline } = terms;
  const cleaning = await cleaner.prepare(page, request, deadline);
  let drawn: Drawn | undefined;
  try {
    report(await load(page, request, { ...terms, medium: renderer.medium }));
    const loaded = performance.now();
    report(await inSpan('act', {}, () => act(page, request, { cleaning, form, deadline })));
    await checkDocument(page, form, deadline);
    await checkStatus(page, request, deadline);
    report({ actingMs: performance.now() - loaded });
    report(readDocument(page));
    drawn = await draw(page, renderer, request, deadline);
    report(drawn.report);
    // If the page navigated during rendering, the file may show the new document.
    await checkDocument(page, form, deadline);
    return drawn.file;
  } catch (error) {
    // The receipt of a failed capture shows what is known of its page.
    if (!drawn) report(readDocument(page));
    if (!drawn?.report.page) report(await readFacts(page));
    throw error instanceof EndlessRedirects ? redirectsTooOften(form) : error;
  } finally {
    report({ cleaning: cleaning.report });
  }
}

interface Drawn {
  file: RenderedFile;
  report: PageReport & { imageMs: number };
}

async function draw<Request extends PageRequest>(
  page: CapturePage,
  renderer: Renderer<Request>,
  request: Request,
  deadline: Deadline,
): Promise<Drawn> {
  const from = performance.now();
  const reading = readFacts(page);
  const file = await inSpan('shoot', {}, () => renderer.draw(page, request, deadline));
  const imageMs = performance.now() - from;
  return { file, report: { imageMs, ...(await reading) } };
}
