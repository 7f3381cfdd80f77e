import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Quality, QualityReason } from '@capture/contract/quality';
import { CaptureFailure, TruncatedDocument } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { hasEffects } from '../quality/pass-challenge.ts';
import type { Try } from './capture-once.ts';

/** The least time for another try, milliseconds. */
const leastMs = 3_000;

/** What the second try may take, as a multiple of the first. */
const share = 1.2;

/** How far a reason is from what a visitor would see; others count 1. */
const weights: Partial<Record<QualityReason, number>> = { blank: 5, challenge: 5, error_page: 4, truncated: 3 };

/**
 * Whether a second try, with a fresh page, may show what the first lacks: a resource failed that need not fail again, or the
 * document was cut off. Never if the request acts on the page.
 */
export function isWorthRepairing(
  first: Try,
  request: Pick<PageRequest, 'click' | 'js' | 'wait_until'>,
  { deadline, elapsedMs }: { deadline: Deadline; elapsedMs: number },
): boolean {
  if (hasEffects(request) || request.wait_until !== 'auto') return false;
  if (deadline.remainingMs() < Math.max(leastMs, elapsedMs * share)) return false;
  if ('error' in first.result) return isTruncation(first.result.error);
  return first.assessment?.repairable === true && first.assessment.reasons.length > 0;
}

/** The try to keep, then the other one. */
export function betterOf(first: Try, second: Try): [kept: Try, other: Try] {
  if ('error' in second.result && !isSameFailure(first, second)) return [first, second];
  if ('error' in first.result) return [second, first];
  // With the same reasons, the one that lacks less: an image of many may have come this time.
  const difference = costOf(second) - costOf(first) || failedOf(second) - failedOf(first);
  return difference < 0 ? [second, first] : [first, second];
}

/** The quality of the try that is kept; undefined if it drew nothing. `first` is the try before it, if there was one. */
export function qualityOfTry(kept: Try, first: Try): Quality | undefined {
  if (!kept.assessment) return undefined;
  const { reasons } = kept.assessment;
  const before = kept === first ? [] : reasonsOf(first);
  return { ok: reasons.length === 0, reasons, repaired: before.filter((reason) => !reasons.includes(reason)) };
}

/** Why a client who asked for `fail_on` does not want the file; null if there is no such reason. */
export function rejection(quality: Quality, { fail_on: failOn }: Pick<PageRequest, 'fail_on'>): CaptureFailure | null {
  const rejected = quality.reasons.filter((reason) => failOn.includes(reason));
  if (rejected.length === 0) return null;
  return new CaptureFailure('QUALITY_REJECTED', `The capture was rejected because of fail_on: ${rejected.join(', ')}.`);
}

function reasonsOf({ assessment, result }: Try): QualityReason[] {
  if (assessment) return assessment.reasons;
  return 'error' in result && isTruncation(result.error) ? ['truncated'] : [];
}

function isTruncation(error: unknown): boolean {
  return error instanceof CaptureFailure && error.cause instanceof TruncatedDocument;
}

function isSameFailure(first: Try, second: Try): boolean {
  if (!('error' in first.result) || !('error' in second.result)) return false;
  return isTruncation(first.result.error) && isTruncation(second.result.error);
}

function failedOf({ assessment }: Try): number {
  return assessment?.failed ?? 0;
}

function costOf(one: Try): number {
  return reasonsOf(one).reduce((sum, reason) => sum + (weights[reason] ?? 1), 0);
}
