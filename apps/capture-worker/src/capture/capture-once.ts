import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { PageRequest } from '@capture/contract/options/fill-page';
import type { AddressRules } from '@capture/egress/address-rules';
import { inSpan } from '@capture/runtime/tracing/trace';
import { act } from '../act/act.ts';
import { BrowserProblem, EndlessRedirects, TruncatedDocument } from '../capture-failure.ts';
import type { Cleaner } from '../clean/clean.ts';
import { type Deadline, withTimeLimit } from '../deadline.ts';
import { checkStatus, load, noteStatus } from '../load/load.ts';
import { checkDocument, redirectsTooOften, truncatedDocument } from '../load/navigation-outcome.ts';
import { isStill } from '../load/still-document.ts';
import { type CapturePage, timedOut } from '../page/capture-page.ts';
import type { WaitEnd } from '../page/wait-end.ts';
import type { PageSource } from '../pool/page-source.ts';
import { type Assessment, assess } from '../quality/assess.ts';
import { inspect, shownArea } from '../quality/inspect.ts';
import { hasEffects, passChallenge, passChallengeOfResponse } from '../quality/pass-challenge.ts';
import type { RenderedFile, Renderer } from '../render/renderer.ts';
import { hasActed } from '../wait/settle-motion.ts';
import { mergeReports, type StageReports } from './capture-report.ts';
import { type PageReport, readDocument, readFacts, readTraffic } from './read-page.ts';

export interface CaptureTerms {
  pool: PageSource;
  cleaner: Pick<Cleaner, 'prepare'>;
  rules: AddressRules;
  form: ContractForm;
}

export interface Try {
  /** Null if no page was available. */
  page: CapturePage | null;
  result: { file: RenderedFile } | { error: unknown };
  report: StageReports;
  /** Null if nothing was drawn. */
  assessment: Assessment | null;
}

/**
 * Takes a page and runs the stages: load, act, render. Each stage returns its part of the report; if a stage fails, the
 * earlier parts are kept. Never rejects.
 */
export async function captureOnce<Request extends PageRequest>(
  terms: CaptureTerms & { deadline: Deadline },
  renderer: Renderer<Request>,
  request: Request,
): Promise<Try> {
  const reports: StageReports[] = [];
  let page: CapturePage | null = null;
  try {
    renderer.check?.(request);
    const from = performance.now();
    try {
      page = await inSpan('acquire', {}, () => openPage(terms));
    } finally {
      reports.push({ pageMs: performance.now() - from });
    }
    if (page.isolation) reports.push({ isolation: page.isolation });
    const { file, assessment } = await render(page, renderer, request, terms, (report) => reports.push(report));
    reports.push(await readTraffic(page));
    return { page, result: { file }, report: mergeReports(reports), assessment };
  } catch (error) {
    if (page) reports.push(await readTraffic(page));
    return { page, result: { error }, report: mergeReports(reports), assessment: null };
  }
}

async function openPage({ pool, deadline }: { pool: PageSource; deadline: Deadline }): Promise<CapturePage> {
  const taking = pool.take(deadline);
  try {
    return await withTimeLimit('waiting for a page', deadline.remainingMs(), taking);
  } catch (error) {
    taking.then(
      (late) => pool.leave(late, null),
      () => undefined,
    );
    if (error instanceof BrowserProblem) throw error;
    throw timedOut('the wait for a page', deadline, error);
  }
}

/** @param report called with each stage's part when the stage ends. */
async function render<Request extends PageRequest>(
  page: CapturePage,
  renderer: Renderer<Request>,
  request: Request,
  terms: CaptureTerms & { deadline: Deadline },
  report: (part: StageReports) => void,
): Promise<Drawn> {
  const { cleaner, form, deadline } = terms;
  const cleaning = await cleaner.prepare(page, request, deadline);
  let drawn: Drawn | undefined;
  const actAndDraw = async (waitEnded: WaitEnd | undefined): Promise<Drawn> => {
    const loaded = performance.now();
    report(await inSpan('act', {}, () => act(page, request, { cleaning, form, deadline })));
    await checkDocument(page, form, deadline);
    await checkStatus(page, request, deadline);
    await noteStatus(page, deadline);
    report({ actingMs: performance.now() - loaded });
    report(readDocument(page));
    drawn = await draw(page, renderer, request, { deadline, waitEnded });
    report(drawn.report);
    // If the page navigated during rendering, the file may show the new document.
    await checkDocument(page, form, deadline);
    return drawn;
  };
  try {
    renderer.further?.watch(page);
    // A document without scripts draws nothing by itself.
    const prints = renderer.prints === true && !isStill(request);
    const loading = await load(page, request, { ...terms, medium: renderer.medium, prints, report });
    report(loading);
    const wasChallenge = await passChallengeOfResponse(page, request, deadline);
    const first = await actAndDraw(loading.waitEnded);
    if (wasChallenge || hasEffects(request) || !first.assessment.leadsOn) return first;
    // The page is a challenge, although its response did not say so.
    await renderer.further?.release(page, deadline);
    return (await passChallenge(page, request, deadline)) ? await actAndDraw(loading.waitEnded) : first;
  } catch (error) {
    // The receipt of a failed capture shows the facts that are known of its page.
    if (!drawn) report(readDocument(page));
    if (!drawn?.report.page) report(await readFacts(page));
    if (error instanceof EndlessRedirects) throw redirectsTooOften(form);
    if (error instanceof TruncatedDocument) throw truncatedDocument(form, error);
    throw error;
  } finally {
    report({ cleaning: cleaning.report });
  }
}

interface Drawn {
  file: RenderedFile;
  report: PageReport & Pick<StageReports, 'waitEnded' | 'unfinished' | 'imageMs' | 'assessingMs'>;
  assessment: Assessment;
}

/** Draws the page and assesses the result. */
async function draw<Request extends PageRequest>(
  page: CapturePage,
  renderer: Renderer<Request>,
  request: Request,
  { deadline, waitEnded }: { deadline: Deadline; waitEnded: WaitEnd | undefined },
): Promise<Drawn> {
  const from = performance.now();
  const reading = readFacts(page);
  const area = shownArea(request, renderer.medium);
  // A card replaces the page.
  const isCard = 'template' in request && request.template === 'card';
  // Printing lays out the page for paper. Reading the page afterwards would lay it out again.
  const isStillOnPaper = renderer.medium === 'print' && isStill(request);
  const early = isCard || isStillOnPaper ? await inspect(page, request, area) : null;
  const before = (await renderer.further?.before(page, deadline)) ?? [];
  // A page that drawing does not change is inspected while Chromium encodes the image.
  const standsStill = area.kind === 'viewport' && !isCard && !hasActed(request);
  const { activity } = page;
  const { document, mainResponse } = activity;
  const loaded = { ended: waitEnded, unfinished: page.unfinished };
  const drawing = inSpan('shoot', {}, () => renderer.draw(page, request, deadline));
  const meanwhile = standsStill ? nextTurn().then(() => inspect(page, request, area)) : null;
  void meanwhile?.then(() => renderer.further?.meanwhile(page, deadline));
  const own = await drawing;
  const pending = activity.requestsInFlight;
  // Full pages wait again before they are drawn, for more than the first screen. A wait that was cut off is not repeated.
  const waitedAgain = request.wait_until === 'auto' && waitEnded !== 'cut off' && !isCard;
  const wait = waitedAgain ? { ended: page.waitEnded ?? waitEnded, unfinished: page.unfinished } : loaded;
  const [inspection, record] = await Promise.all([
    early ?? meanwhile ?? inspect(page, request, area),
    page.proxy.record(),
  ]);
  const outputs = [...before, ...((await renderer.further?.after(page, deadline)) ?? [])];
  const file = outputs.length > 0 ? { ...own, outputs } : own;
  const drawnAt = performance.now();
  const shown = isCard ? { document, mainResponse } : activity;
  const evidence = {
    ...{ request, area, inspection, file, pending, record, waitEnded: wait.ended, unfinished: wait.unfinished },
    ...{ document: shown.document, mainResponse: shown.mainResponse, failures: activity.failures },
  };
  const waiting = { ...(wait.ended && { waitEnded: wait.ended }), unfinished: wait.unfinished };
  const assessment = await assess(evidence);
  const times = { imageMs: drawnAt - from, assessingMs: performance.now() - drawnAt };
  return { file, assessment, report: { ...times, ...waiting, ...(await reading) } };
}
