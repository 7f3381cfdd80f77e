import type pg from 'pg';
import { transaction } from '../database.ts';
import type { ClaimedCapture } from './claim-capture.ts';
import { type EndingTerms, endCaptureOn } from './end-capture.ts';
import { findEqualCapture } from './find-equal-capture.ts';

/**
 * Ends a claimed capture with the file of an earlier equal one, if there is one that is young enough; it costs nothing.
 *
 * @returns null if there is none, or the capture is not this attempt's any more: then nothing was changed.
 */
export async function endWithEqual(
  pool: pg.Pool,
  terms: EndingTerms,
  capture: ClaimedCapture,
  given: { ttlS: number; expiresAt: Date; durationMs: number; at: Date },
): Promise<{ deliveries: number } | null> {
  const { fingerprint } = capture;
  if (given.ttlS === 0 || fingerprint === null) return null;
  return transaction(pool, async (connection) => {
    const equal = await findEqualCapture(connection, { ...capture, fingerprint, ttlS: given.ttlS });
    if (!equal) return null;
    const { id: _id, ...file } = equal;
    return endCaptureOn(connection, terms, {
      captureId: capture.id,
      attempt: capture.attempt,
      outcome: { status: 'completed', ...file, expiresAt: given.expiresAt, cached: true },
      durationMs: given.durationMs,
      at: given.at,
    });
  });
}
