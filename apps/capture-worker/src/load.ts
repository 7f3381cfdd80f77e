import type { ScreenshotRequest } from '@capture/contract/capture-options';
import type { ContractForm } from '@capture/contract/forms';
import type { AddressRules } from '@capture/egress/address-rules';
import { judgeUrl } from '@capture/egress/judge-url';
import { type CapturePage, timedOut } from './capture-page.ts';
import { type Deadline, pause } from './deadline.ts';
import { prepareWorld } from './isolated-world.ts';
import { blocked, judgeDocument, judgeFailedNavigation } from './navigation-verdict.ts';
import { within } from './page-condition.ts';
import { settle, type WaitEnd } from './settle.ts';

/** A call that only hands something over to the browser. */
const callWithinMs = 10_000;

export type LoadRequest = Pick<
  ScreenshotRequest,
  'url' | 'width' | 'height' | 'device_scale_factor' | 'wait_until' | 'delay_ms'
>;

export interface LoadReport {
  /** Milliseconds until the document's first bytes had come. */
  navigationMs: number;
  /** Milliseconds of waiting after that. */
  waitingMs: number;
  /** What ended the waiting. */
  waitEnded: WaitEnd;
}

/**
 * Opens the URL in the page and waits as `wait_until` and `delay_ms` say.
 *
 * @throws {CaptureFailure} when it may not or cannot be opened, or not in time.
 * @throws {BrowserTrouble} when the browser let us down.
 */
export async function load(
  page: CapturePage,
  request: LoadRequest,
  { rules, form, deadline }: { rules: AddressRules; form: ContractForm; deadline: Deadline },
): Promise<LoadReport> {
  const refusal = judgeUrl(rules, request.url, { schemes: ['http:', 'https:'] });
  if (refusal) throw blocked(refusal.message);

  const started = performance.now();
  // Chromium takes a session's calls in their order: the page is laid out for the viewport from the beginning.
  const viewport = setViewport(page, request, deadline);
  await Promise.all([viewport, navigate(page, request.url, form, deadline)]);
  const navigated = performance.now();
  await judgeDocument(page, form, deadline);
  if (request.wait_until === 'auto') void prepareWorld(page);
  const waitEnded = await settle(page, request.wait_until, deadline);
  if (request.delay_ms > 0) await wait(page, request.delay_ms, deadline);
  await judgeDocument(page, form, deadline);
  return { navigationMs: navigated - started, waitingMs: performance.now() - navigated, waitEnded };
}

async function setViewport(page: CapturePage, request: LoadRequest, deadline: Deadline): Promise<void> {
  const { width, height, device_scale_factor: deviceScaleFactor } = request;
  await page.step(
    'setting the viewport',
    callWithinMs,
    deadline,
    page.session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false }),
  );
}

/** Resolves when the document has begun to come; Chromium waits for that as long as the server takes. */
async function navigate(page: CapturePage, url: string, form: ContractForm, deadline: Deadline): Promise<void> {
  const navigation = page.session.send('Page.navigate', { url });
  const { errorText, isDownload } = await page.step('navigation', Number.POSITIVE_INFINITY, deadline, navigation);
  if (errorText !== undefined) {
    const failure = { url, errorText, isDownload: isDownload === true };
    throw await judgeFailedNavigation(page, form, failure, deadline);
  }
  await within(page, deadline, callWithinMs, ({ document }) => document !== null);
}

async function wait(page: CapturePage, ms: number, deadline: Deadline): Promise<void> {
  if (ms > deadline.left()) throw timedOut('delay_ms');
  await page.step('delay_ms', ms + callWithinMs, deadline, pause(ms));
}
