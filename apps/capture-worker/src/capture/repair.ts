import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Quality, QualityReason } from '@capture/contract/quality';
import { CaptureFailure, TruncatedDocument } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { hasEffects } from '../quality/pass-challenge.ts';
import type { Try } from './capture-once.ts';

/** The least time for another try, milliseconds. */
const leastMs = 3_000;

/** The time of a second try, as a multiple of the first. */
const share = 1.2;

/** How far a reason is from the page that a visitor would see. Other reasons count 1. */
const weights: Partial<Record<QualityReason, number>> = { blank: 5, challenge: 5, error_page: 4, truncated: 3 };

/**
 * Whether a second try, with a fresh page, may show parts that the first lacks: a resource failed that need not fail again, or
 * the document was cut off. Never if the request acts on the page.
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

/** Returns the try to keep first. */
export function chooseTry(first: Try, second: Try): [kept: Try, other: Try] {
  if ('error' in second.result && !isSameFailure(first, second)) return [first, second];
  if ('error' in first.result) return [second, first];
  // With equal reasons, keep the try with fewer failed requests, because one of many images may have come.
  const difference = costOf(second) - costOf(first) || countFailed(second) - countFailed(first);
  return difference < 0 ? [second, first] : [first, second];
}

/** The quality of the kept try; undefined if that try drew nothing. `first` is the earlier try, if there was one. */
export function qualityOfTry(kept: Try, first: Try): Quality | undefined {
  if (!kept.assessment) return undefined;
  const { reasons } = kept.assessment;
  const before = kept === first ? [] : reasonsOf(first);
  return { ok: reasons.length === 0, reasons, repaired: before.filter((reason) => !reasons.includes(reason)) };
}

/** The failure for a client whose `fail_on` excludes the file; null if it does not. */
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

function countFailed({ assessment }: Try): number {
  return assessment?.failed ?? 0;
}

function costOf(one: Try): number {
  return reasonsOf(one).reduce((sum, reason) => sum + (weights[reason] ?? 1), 0);
}
