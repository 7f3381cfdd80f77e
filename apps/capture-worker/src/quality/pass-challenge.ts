import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { waitUntil } from '../page/wait-until.ts';
import { settle } from '../wait/settle.ts';
import { isChallenge, isChallengeResponse } from './challenges.ts';
import { inspect } from './inspect.ts';

/** A challenge that a browser passes by itself takes 1 to 5 s. */
const passesWithinMs = 5_000;

/** Statuses of challenges. Other pages are inspected after they have been drawn, unless the request acts on them. */
const challengeStatuses: ReadonlySet<number> = new Set([202, 401, 403, 405, 429, 503]);

/** Whether the request acts on the page. Actions may have effects on the server, so they must not run twice. */
export function hasEffects({ click, js }: Pick<PageRequest, 'click' | 'js'>): boolean {
  return click.length > 0 || js !== undefined;
}

/**
 * Waits for the page behind a challenge that the browser passes by itself. A response that cannot be a challenge costs nothing,
 * unless the request acts on the page: then no later inspection follows.
 *
 * @returns whether the page was a challenge.
 */
export async function passChallengeOfResponse(
  page: CapturePage,
  request: PageRequest,
  deadline: Deadline,
): Promise<boolean> {
  const { document, mainResponse } = page.activity;
  if (!document || document.written) return false;
  const headers = mainResponse?.headers() ?? {};
  const { status } = document;
  const mayBe =
    hasEffects(request) || isChallengeResponse(headers) || (status !== null && challengeStatuses.has(status));
  if (!mayBe) return false;
  const inspection = await inspect(page, request, { kind: 'viewport' });
  if (!inspection) return false;
  const { found, content } = inspection;
  if (!isChallenge({ headers, status, found, sample: content.sample })) return false;
  if (found.leadsOn) await passChallenge(page, request, deadline);
  return true;
}

/** @returns whether another document has replaced the challenge. */
export async function passChallenge(page: CapturePage, request: PageRequest, deadline: Deadline): Promise<boolean> {
  const { document } = page.activity;
  // The file is drawn even if nothing changes.
  const limitMs = Math.min(passesWithinMs, deadline.remainingMs() / 2);
  const isPassed = await waitUntil(page, { deadline, limitMs }, (activity) => activity.document !== document);
  if (isPassed) await settle(page, request.wait_until, deadline);
  return isPassed;
}
