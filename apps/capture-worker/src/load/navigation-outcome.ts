import type { ContractForm } from '@capture/contract/forms/forms';
import type { EgressDecision } from '@capture/egress/egress-record';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { waitUntil } from '../page/wait-until.ts';

/**
 * Chromium tells what it shows at once; Puppeteer tells of requests when it knows all of them, some milliseconds later.
 */
const toldWithinMs = 500;

/**
 * Looks at the document that the page shows now: is it one of the web that may be captured? The proxy knows what it let
 * through, and to a browser what it refused looks like a page; so its decision comes first, and Chromium's own error only
 * where it alone can know (certificates, redirects, answers that are no HTTP).
 *
 * @throws {CaptureFailure} `URL_BLOCKED`, or the form's code of a page that could not be reached.
 */
export async function checkDocument(page: CapturePage, form: ContractForm, deadline: Deadline): Promise<void> {
  const { document } = page.activity;
  if (!document) throw unreachable(form, 'the page did not load');
  // Ours from its first byte to its last; where it leads to from here is another document.
  if (document.written) return;
  const decision = (await page.proxy.record()).decision(document.unreachableUrl ?? document.url);
  if (decision) throw refused(form, decision);
  if (document.unreachableUrl !== null) {
    await waitUntil(page, { deadline, limitMs: toldWithinMs }, ({ mainFailure }) => mainFailure !== null);
    throw failed(form, page.activity.mainFailure);
  }
  const { protocol } = new URL(document.url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw unreachable(form, `the page leads to an address that is not http or https (${protocol}//)`);
  }
}

/**
 * What came of a navigation that Chromium gave up: the page shows its error, or still what was there before.
 *
 * @param errorText Chromium's, such as `net::ERR_NAME_NOT_RESOLVED`.
 */
export async function checkFailedNavigation(
  page: CapturePage,
  form: ContractForm,
  { url, errorText, isDownload }: { url: string; errorText: string; isDownload: boolean },
  deadline: Deadline,
): Promise<CaptureFailure> {
  // An aborted navigation shows nothing, but may have had an answer; every other one shows an error, with its address.
  const aborted = errorText === 'net::ERR_ABORTED';
  await waitUntil(
    page,
    { deadline, limitMs: toldWithinMs },
    (it) => (aborted ? it.mainResponse : it.document) !== null,
  );
  const { document, mainUrl, mainResponse } = page.activity;
  const decision = (await page.proxy.record()).decision(document?.unreachableUrl ?? mainUrl ?? url);
  if (decision) return refused(form, decision);
  if (isDownload) return unreachable(form, `it gives a file to download${typeOf(mainResponse?.headers())}, not a page`);
  const status = mainResponse?.status();
  if (aborted && (status === 204 || status === 205)) {
    return unreachable(form, `it answered with status ${status}, which has no content`);
  }
  return failed(form, errorText);
}

/** What comes of a page that leads on to others without end: what comes of one that redirects so. */
export function redirectsTooOften(form: ContractForm): CaptureFailure {
  return failed(form, 'net::ERR_TOO_MANY_REDIRECTS');
}

export function blocked(message: string): CaptureFailure {
  return new CaptureFailure('URL_BLOCKED', message);
}

function refused(form: ContractForm, decision: EgressDecision): CaptureFailure {
  if (decision.reason === 'blocked') return blocked(decision.message);
  return unreachable(form, asReason(decision.message));
}

function failed(form: ContractForm, errorText: string | null): CaptureFailure {
  const name = errorText?.replace(/^net::/, '') ?? '';
  if (name in blockedErrors) return blocked(blockedErrors[name] ?? '');
  return unreachable(
    form,
    reasons.find(([pattern]) => pattern.test(name))?.[1] ?? 'the page could not be loaded',
    name,
  );
}

function unreachable(form: ContractForm, reason: string, cause?: string): CaptureFailure {
  const { unreachable: code, unreachableMessage } = form.errors;
  return new CaptureFailure(code, unreachableMessage(reason), cause ? { cause: new Error(cause) } : undefined);
}

/** A sentence of the proxy's as the part of one: it begins small and has no full stop. */
function asReason(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^(The|No) /, (first) => first.toLowerCase());
}

function typeOf(headers: Record<string, string> | undefined): string {
  const type = headers?.['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/.test(type) ? ` (${type})` : '';
}

const blockedErrors: Record<string, string> = {
  ERR_UNSAFE_REDIRECT: 'The URL redirects to an address that captures may not open.',
  ERR_UNSAFE_PORT: 'The port of the URL is one that browsers do not open.',
  ERR_DISALLOWED_URL_SCHEME: 'Only http and https may be captured.',
  ERR_UNKNOWN_URL_SCHEME: 'Only http and https may be captured.',
  ERR_ACCESS_DENIED: 'The URL leads to an address that captures may not open.',
};

/** Chromium's net errors (net/base/net_error_list.h) in the words of the contract's reasons. */
const reasons: readonly [RegExp, string][] = [
  [/^ERR_(CERT_|SSL_|BAD_SSL|ECH_)/, 'no trusted TLS connection could be made'],
  [/^ERR_TOO_MANY_REDIRECTS$/, 'it redirects too often'],
  [/^ERR_EMPTY_RESPONSE$/, 'it closed the connection before it answered'],
  [/^ERR_CONNECTION_(RESET|CLOSED|ABORTED)$/, 'the connection was reset'],
  [/^ERR_CONNECTION_REFUSED$/, 'the connection was refused'],
  [/^ERR_(NAME_|DNS_)/, 'its name could not be resolved'],
  [/^ERR_(TIMED_OUT|CONNECTION_TIMED_OUT)$/, 'it did not answer in time'],
  [/^ERR_(INVALID_|RESPONSE_|HTTP|QUIC|CONTENT_|INCOMPLETE_|UNEXPECTED)/, 'its answer is not valid HTTP'],
  [/^ERR_BLOCKED_BY_RESPONSE$/, 'it does not let itself be opened'],
  [/^ERR_(SOCKS|PROXY)_/, 'no connection could be made'],
  [/^ERR_ABORTED$/, 'it leads to no page'],
];
