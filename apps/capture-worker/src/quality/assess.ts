import type { PageRequest } from '@capture/contract/options/fill-page';
import { type QualityReason, qualityReasonNames } from '@capture/contract/quality';
import type { EgressRecord } from '@capture/egress/egress-record';
import type { ShownArea } from '@capture/page-scripts/world/quality/shown-box';
import type { FailedRequest, MainDocument, PageActivity } from '../page/page-activity.ts';
import type { Unfinished, WaitEnd } from '../page/wait-end.ts';
import type { RenderedFile } from '../render/renderer.ts';
import { isChallenge } from './challenges.ts';
import { isErrorPage } from './error-screens.ts';
import { type Inspection, isExcused } from './inspect.ts';
import { isLoginWall } from './login-wall.ts';
import { hasContrast, isEmptyPdf, isImage, isPaintedPdf, isSuspicious, readUniformity } from './uniform-image.ts';

export interface Evidence {
  request: PageRequest;
  area: ShownArea;
  /** Null if the page did not respond. */
  inspection: Inspection | null;
  file: RenderedFile;
  document: Pick<MainDocument, 'status' | 'truncated'> | null;
  mainResponse: PageActivity['mainResponse'];
  failures: readonly FailedRequest[];
  /** Requests that were in flight when the page was drawn. */
  pending: PageActivity['requestsInFlight'];
  record: Pick<EgressRecord, 'decision'>;
  waitEnded: WaitEnd | undefined;
  unfinished: readonly Unfinished[];
}

export interface Assessment {
  reasons: QualityReason[];
  /** Whether it is a challenge that a browser may pass by itself. */
  leadsOn: boolean;
  /** Whether another try may come out better: something failed or was late that need not be so again. */
  repairable: boolean;
  /** Requests that failed without an excuse. */
  failed: number;
}

/** Characters of a page that shows next to nothing: "Loading…", a heading. */
const nearlyNothing = 60;

/** Characters of a header and a footer. */
const frameText = 600;

/** The share of equal pixels above which an image without text shows nothing. */
const nearlyUniform = 0.995;
const entirelyUniform = 0.99999;

const waitedForInVain: ReadonlySet<Unfinished> = new Set(['frame', 'style sheet', 'data', 'loading', 'redirect']);

/** Assesses a drawn capture. */
export async function assess(evidence: Evidence): Promise<Assessment> {
  const blank = await isBlank(evidence);
  const { missing, blocked, repairable } = missingContent(evidence);
  const kind = pageKind(evidence);
  const { format } = evidence.file;
  const found: Record<QualityReason, boolean> = {
    blank,
    // What a challenge lacks is not what the client wants.
    incomplete: missing && !kind.challenge,
    truncated: evidence.document?.truncated === true || isCut(evidence.file),
    // Content is read from below it.
    overlay: evidence.inspection?.cover.cover != null && (format === 'pdf' || isImage(format)),
    blocked_content: blocked,
    ...kind,
  };
  const reasons = qualityReasonNames.filter((reason) => found[reason]);
  const isPage = !kind.challenge && (evidence.document?.status ?? 0) < 400;
  const leadsOn = kind.challenge && evidence.inspection?.found.leadsOn === true;
  return {
    reasons,
    leadsOn,
    repairable: isPage && (evidence.document?.truncated === true || repairable || (blank && wasLate(evidence))),
    failed: evidence.failures.filter((failure) => !isExcused(failure)).length,
  };
}

/** Whether the page has more content than a file of the capture. */
function isCut({ truncated, outputs = [] }: RenderedFile): boolean {
  return truncated === true || outputs.some(({ file }) => isCut(file));
}

function pageKind(evidence: Evidence): Record<'challenge' | 'login_wall' | 'error_page', boolean> {
  const { request, inspection, document, mainResponse } = evidence;
  const status = document?.status ?? null;
  // A client's own document is what it is.
  if (request.html !== undefined || !inspection) {
    const isError = request.html === undefined && status !== null && status >= 400;
    return { challenge: false, login_wall: false, error_page: isError };
  }
  const { found, content } = inspection;
  const { sample } = content;
  const headers = mainResponse?.headers() ?? {};
  const challenge = isChallenge({ headers, status, found, sample });
  return {
    challenge,
    login_wall: !challenge && isLoginWall({ requested: request.url, status, found, sample }),
    error_page: isErrorPage(status, found, sample),
  };
}

async function isBlank({ file, area, inspection }: Evidence): Promise<boolean> {
  const content = inspection?.content;
  const isEmpty = content !== undefined && content.text === 0 && content.marks === 0 && !content.drawn;
  if (file.format === 'pdf') {
    // Charts may be all lines and areas.
    return isEmptyPdf(file.bytes) && (isEmpty || content?.text !== 0 || !isPaintedPdf(file.bytes));
  }
  if (!isImage(file.format)) return isEmpty;
  if (!isSuspicious(file) && !isEmpty) return false;
  const least = isEmpty ? nearlyUniform : entirelyUniform;
  const uniformity = await readUniformity(file, least);
  if (!uniformity) return false;
  // A part of a page may be a coloured area on purpose.
  if ((area.kind === 'selector' || area.kind === 'clip') && !uniformity.isPaper) return false;
  if (uniformity.share < least) return false;
  // A word on a long page may be between the pixels that were compared.
  return isEmpty || !(await hasContrast(file));
}

interface Missing {
  missing: boolean;
  blocked: boolean;
  repairable: boolean;
}

function missingContent({ inspection, pending, record, waitEnded, unfinished, ...evidence }: Evidence): Missing {
  const failures = evidence.failures.filter((failure) => !isExcused(failure));
  const failureOf = (url: string) => failures.find((failure) => failure.url === url || failure.from === url);
  const content = inspection?.content;
  let blocked = false;
  let missing = false;
  let repairable = false;
  for (const url of content?.missing ?? []) {
    const failure = failureOf(url);
    if (record.decision(failure?.url ?? url)?.reason === 'blocked' || (failure && isRefusal(failure))) blocked = true;
    else missing = true;
    if (failure && isTransient(failure)) repairable = true;
  }
  if (content?.fonts) {
    missing = true;
    repairable ||= failures.some((failure) => failure.type === 'font' && isTransient(failure));
  }
  // What was in flight at the end of the wait may have arrived since.
  if (unfinished.some((kind) => waitedForInVain.has(kind)) && pending.length > 0) missing = true;
  if (waitEnded === 'cut off' || unfinished.includes('announced')) missing = true;
  const isBare = content && content.text < nearlyNothing && content.marks <= 1;
  // Only the frame of the page shows.
  const isFrame = content?.emptyMain === true && content.text < frameText;
  if (isBare || isFrame) {
    const isNeeded = ({ type, reason, from }: FailedRequest) =>
      isScriptOrData(type) && !(isData(type) && reason === '404') && (isBare || isOfSite(from, inspection?.found.url));
    const needed = failures.filter(isNeeded);
    if (needed.length > 0 || (isBare && pending.some(({ type }) => isScriptOrData(type)))) missing = true;
    repairable ||= needed.some(isTransient);
  }
  return { missing, blocked, repairable };
}

const isData = (type: FailedRequest['type']) => type === 'xhr' || type === 'fetch';

const isScriptOrData = (type: FailedRequest['type']) => type === 'script' || isData(type);

/** Whether a request went to the page's own site: its host, or one beside it, such as `api.`. */
function isOfSite(requested: string, page: string | undefined): boolean {
  const siteOf = (text = '') => (URL.canParse(text) ? new URL(text).hostname.split('.').slice(-2).join('.') : null);
  return siteOf(requested) === siteOf(page);
}

function wasLate({ failures, pending, unfinished }: Evidence): boolean {
  return pending.length > 0 || unfinished.length > 0 || failures.some(isTransient);
}

/** Whether Chromium refused the content because its site does not allow it here. */
function isRefusal({ reason }: FailedRequest): boolean {
  return /^net::ERR_BLOCKED_BY_(RESPONSE|CSP)/.test(reason) || reason === 'csp';
}

/** Whether the next request for it may succeed: a server with a problem, a broken connection. */
function isTransient({ reason }: Pick<FailedRequest, 'reason'>): boolean {
  if (/^(408|425|429|5\d\d)$/.test(reason)) return true;
  return /^net::ERR_(CONNECTION_(RESET|CLOSED|ABORTED|TIMED_OUT)|EMPTY_RESPONSE|TIMED_OUT|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|HTTP2_|QUIC_|SOCKET_NOT_CONNECTED|NETWORK_CHANGED|FAILED)/.test(
    reason,
  );
}
