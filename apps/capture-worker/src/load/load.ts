import type { ContractForm } from '@capture/contract/forms/forms';
import type { PageRequest } from '@capture/contract/options/fill-page';
import type { AddressRules } from '@capture/egress/address-rules';
import { checkUrl } from '@capture/egress/check-url';
import { inSpan } from '@capture/runtime/tracing/trace';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage, worldOf } from '../page/isolated-world.ts';
import type { WaitEnd } from '../page/wait-end.ts';
import { waitUntil } from '../page/wait-until.ts';
import { preserveDrawings } from '../page/watch-page.ts';
import { settle } from '../wait/settle.ts';
import { type EmulatedRequest, emulate } from './emulation.ts';
import { followFrames } from './follow-frames.ts';
import { type InterceptedRequest, intercept } from './intercept.ts';
import { blocked, checkDocument, checkFailedNavigation } from './navigation-outcome.ts';
import { setCookies } from './set-cookies.ts';
import { setDocument } from './set-document.ts';

/** Time limit of a call that only configures the browser, milliseconds. */
const callWithinMs = 10_000;

/** How long to wait for the status of a response, milliseconds: Chromium reports it shortly after the document. */
const statusWithinMs = 500;

type LoadRequest = EmulatedRequest &
  InterceptedRequest &
  Pick<PageRequest, 'html' | 'cookies' | 'wait_until' | 'fail_on_status' | 'accept_truncated'>;

/** How long to wait for the first images of a stream, milliseconds: a camera sends several images a second. */
const streamWithinMs = 3_000;

interface LoadTerms {
  rules: AddressRules;
  form: ContractForm;
  /** The CSS medium that the capture type uses by itself. */
  medium: PageRequest['media'];
  /** Whether the page is printed, with the drawings of its scripts. */
  prints: boolean;
  deadline: Deadline;
  /** Called as soon as the document has arrived: its status may end the capture. */
  report: (part: Pick<LoadReport, 'navigationMs'>) => void;
}

export interface LoadReport {
  /** Milliseconds until the document's first bytes arrived. */
  navigationMs: number;
  /** Milliseconds of waiting after the first bytes. */
  waitingMs: number;
  /** The reason why the wait ended. */
  waitEnded: WaitEnd;
}

/**
 * Opens the URL, or the client's own document, with the requested emulation, and waits for `wait_until`.
 *
 * @throws {CaptureFailure} when the page is blocked, cannot be opened, or takes too long.
 * @throws {BrowserProblem} when the browser fails.
 */
export async function load(page: CapturePage, request: LoadRequest, terms: LoadTerms): Promise<LoadReport> {
  const { rules, form, medium, prints, deadline } = terms;
  const refusal = request.html === undefined && checkUrl(rules, request.url, { schemes: ['http:', 'https:'] });
  if (refusal) throw blocked(refusal.message);

  page.acceptsTruncated = request.accept_truncated;
  const started = performance.now();
  // The call is awaited, because another process stores cookies, and the navigation would not wait for it.
  if (request.cookies) await setCookies(page, request, { form, deadline });
  const preparing = [
    emulate(page, request, medium, deadline),
    intercept(page, request, deadline),
    followFrames(page, request, { medium, prints }, deadline),
    prints && page.step('keeping drawings', callWithinMs, deadline, preserveDrawings(page.session)),
  ];
  await inSpan('navigate', {}, async () => {
    // The calls are awaited, which takes a millisecond: a navigation may start another process, which knows only the settings
    // that the old process has confirmed. Later settings would take effect after the first scripts.
    await Promise.all(preparing);
    await open(page, request, terms);
  });
  const navigated = performance.now();
  terms.report({ navigationMs: navigated - started });
  await checkDocument(page, form, deadline);
  await checkStatus(page, request, deadline);
  if (request.wait_until === 'auto') worldOf(page);
  const waitEnded = await inSpan('settle', {}, () => settle(page, request.wait_until, deadline));
  if (page.activity.isStream) {
    const terms = { what: 'waiting for an image', limitMs: streamWithinMs + callWithinMs, deadline };
    await bestEffort(runInPage(page, 'firstImage', streamWithinMs, terms));
  }
  await checkDocument(page, form, deadline);
  await checkStatus(page, request, deadline);
  return { navigationMs: navigated - started, waitingMs: performance.now() - navigated, waitEnded };
}

/** @throws {CaptureFailure} `HTTP_STATUS` if the page has a status that `fail_on_status` lists. */
export async function checkStatus(
  page: CapturePage,
  { fail_on_status: failOn }: Pick<LoadRequest, 'fail_on_status'>,
  deadline: Deadline,
): Promise<void> {
  if (failOn.length === 0 || page.activity.document?.written) return;
  await waitUntil(page, { deadline, limitMs: statusWithinMs }, ({ document }) => document?.status !== null);
  await noteStatus(page, deadline);
  const status = page.activity.document?.status ?? null;
  if (status === null) return;
  if (failOn.includes(status) || failOn.includes(`${Math.floor(status / 100)}xx`)) {
    throw new CaptureFailure('HTTP_STATUS', `The page responded with status ${status}.`);
  }
}

/** Asks the document for its status if no response was seen, because a separate page prerendered the document. */
export async function noteStatus(page: CapturePage, deadline: Deadline): Promise<void> {
  const { document } = page.activity;
  if (!document || document.status !== null || document.written || !/^https?:/.test(document.url)) return;
  const limits = { what: 'reading the status', limitMs: statusWithinMs, deadline };
  const status = await bestEffort(runInPage(page, 'documentStatus', null, limits));
  if (status) document.status = status;
}

async function open(page: CapturePage, request: LoadRequest, { form, prints, deadline }: LoadTerms): Promise<void> {
  if (request.html === undefined) await navigate(page, request.url, form, deadline);
  else await setDocument(page, request.html, deadline, { prints, hasTouch: request.has_touch });
}

/** Resolves when the document starts to arrive; Chromium has no time limit for that. */
async function navigate(page: CapturePage, url: string, form: ContractForm, deadline: Deadline): Promise<void> {
  const navigation = page.session.send('Page.navigate', { url });
  const { errorText, isDownload } = await page.step('navigation', Number.POSITIVE_INFINITY, deadline, navigation);
  if (errorText !== undefined) {
    const failure = { url, errorText, isDownload: isDownload === true };
    throw await checkFailedNavigation(page, form, failure, deadline);
  }
  await waitUntil(page, { deadline, limitMs: callWithinMs }, ({ document }) => document !== null);
}
