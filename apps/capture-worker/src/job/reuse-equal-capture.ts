import { fileExpiresAt } from '@capture/contract/forms/file-expiry';
import { type ContractForm, planOf } from '@capture/contract/forms/forms';
import type { FileUrlOf } from '@capture/database/captures/batch-progress';
import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import { endWithEqual } from '@capture/database/captures/end-with-equal';
import type pg from 'pg';

export interface GiveEqualDependencies {
  database: { pool: pg.Pool };
  form: ContractForm;
  fileUrlOf: FileUrlOf;
  /** Days that files are kept, in place of the plan's. */
  fileRetentionDays?: number | undefined;
}

/**
 * Ends a capture with the file of an earlier equal one, where that was asked for and there is one. The gateway does so for
 * single captures before they are queued; this is for items of batches, of which one may be the equal of another.
 *
 * @returns how many receivers are to be told; null if the capture is to be drawn.
 */
export async function reuseEqualCapture(
  dependencies: GiveEqualDependencies,
  capture: ClaimedCapture,
): Promise<{ deliveries: number } | null> {
  const { cache_ttl_s: ttlS } = capture.options;
  if (typeof ttlS !== 'number' || ttlS === 0) return null;
  const { database, form, fileRetentionDays } = dependencies;
  const at = new Date();
  const expiresAt = fileExpiresAt(planOf(form, capture.plan), at, fileRetentionDays);
  return endWithEqual(database.pool, dependencies, capture, { ttlS, at, durationMs: 0, expiresAt });
}
