import type { ContractForm } from '@capture/contract/forms/forms';
import type { EgressDecision } from '@capture/egress/egress-record';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { waitUntil } from '../page/wait-until.ts';

/** How long to wait for a document's requests, milliseconds: Puppeteer reports them shortly after the document. */
const reportedWithinMs = 500;

/**
 * Checks whether the document that the page shows may be captured. The proxy's decision comes first, because a refused connection
 * looks like a page to the browser. Chromium's error decides only in cases that only Chromium sees (certificates, redirects,
 * invalid HTTP).
 *
 * @throws {CaptureFailure} `URL_BLOCKED`, or the form's code for an unreachable page.
 */
export async function checkDocument(page: CapturePage, form: ContractForm, deadline: Deadline): Promise<void> {
  const { document } = page.activity;
  if (!document) throw unreachable(form, 'the page did not load');
  // The worker wrote this document; a document that it navigates to is a different one.
  if (document.written) return;
  const decision = (await page.proxy.record()).decision(document.unreachableUrl ?? document.url);
  if (decision) throw refused(form, decision);
  if (document.unreachableUrl !== null) {
    await waitUntil(page, { deadline, limitMs: reportedWithinMs }, ({ mainFailure }) => mainFailure !== null);
    throw failed(form, page.activity.mainFailure);
  }
  const { protocol } = new URL(document.url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw unreachable(form, `the page leads to a URL that is not http or https (${protocol}//)`);
  }
}

/**
 * Explains a navigation that Chromium reports as failed. The page shows Chromium's error page, or still the previous document.
 *
 * @param errorText Chromium's error name, such as `net::ERR_NAME_NOT_RESOLVED`.
 */
export async function checkFailedNavigation(
  page: CapturePage,
  form: ContractForm,
  { url, errorText, isDownload }: { url: string; errorText: string; isDownload: boolean },
  deadline: Deadline,
): Promise<CaptureFailure> {
  // An aborted navigation shows nothing, but may have a response. Any other failed navigation shows an error page with the URL.
  const aborted = errorText === 'net::ERR_ABORTED';
  await waitUntil(
    page,
    { deadline, limitMs: reportedWithinMs },
    (activity) => (aborted ? activity.mainResponse : activity.document) !== null,
  );
  const { document, mainUrl, mainResponse } = page.activity;
  const decision = (await page.proxy.record()).decision(document?.unreachableUrl ?? mainUrl ?? url);
  if (decision) return refused(form, decision);
  if (isDownload) return unreachable(form, `it is a file to download${typeOf(mainResponse?.headers())}, not a page`);
  const status = mainResponse?.status();
  if (aborted && (status === 204 || status === 205)) {
    return unreachable(form, `it responded with status ${status}, which has no content`);
  }
  return failed(form, errorText);
}

/** Returns the failure of a page that navigates without end: the same as for endless redirects. */
export function redirectsTooOften(form: ContractForm): CaptureFailure {
  return failed(form, 'net::ERR_TOO_MANY_REDIRECTS');
}

/** Returns the failure of a document that was cut off in the middle. */
export function truncatedDocument(form: ContractForm, cause: Error): CaptureFailure {
  const { unreachable: code, unreachableMessage } = form.errors;
  return new CaptureFailure(code, unreachableMessage('its connection ended before the complete page had arrived'), {
    cause,
  });
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

/** Turns a sentence of the proxy into a clause: lower case, no full stop. */
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

/** The reasons for Chromium's net errors (net/base/net_error_list.h), worded as in the contract. */
const reasons: readonly [RegExp, string][] = [
  [/^ERR_(CERT_|SSL_|BAD_SSL|ECH_)/, 'no trusted TLS connection could be made'],
  [/^ERR_TOO_MANY_REDIRECTS$/, 'it has too many redirects'],
  [/^ERR_EMPTY_RESPONSE$/, 'it closed the connection before it responded'],
  [/^ERR_CONNECTION_(RESET|CLOSED|ABORTED)$/, 'the connection was reset'],
  [/^ERR_CONNECTION_REFUSED$/, 'the connection was refused'],
  [/^ERR_(NAME_|DNS_)/, 'its name could not be resolved'],
  [/^ERR_(TIMED_OUT|CONNECTION_TIMED_OUT)$/, 'it did not respond in time'],
  [/^ERR_(INVALID_|RESPONSE_|HTTP|QUIC|CONTENT_|INCOMPLETE_|UNEXPECTED)/, 'its response is not valid HTTP'],
  [/^ERR_BLOCKED_BY_RESPONSE$/, 'it does not allow being opened'],
  [/^ERR_(SOCKS|PROXY)_/, 'no connection could be made'],
  [/^ERR_ABORTED$/, 'it leads to no page'],
];
