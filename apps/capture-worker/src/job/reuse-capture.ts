import { fileExpiresAt } from '@capture/contract/forms/file-expiry';
import { planOf } from '@capture/contract/forms/forms';
import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import { endWithEqualCapture } from '@capture/database/captures/equal-captures';
import type { FileUrlOf } from '@capture/database/captures/stored-outputs';
import type { Database } from '@capture/database/database';
import { claimEqualRender, isRendering } from '@capture/database/links/link-renders';
import { pause } from '../deadline.ts';
import type { RunningCaptures } from './running-captures.ts';
import type { StoreDependencies } from './store-file.ts';

export interface ReuseDependencies extends Pick<StoreDependencies, 'form' | 'fileRetentionDays'> {
  database: Pick<Database, 'pool'>;
  fileUrlOf: FileUrlOf;
  running: RunningCaptures;
}

/** A capture that ended with the file of another. */
export interface ReusedCapture {
  deliveries: number;
  /** Whether the capture waited for the other capture. */
  joined: boolean;
}

/** How often a capture checks whether the equal capture has ended, milliseconds. */
const lookEveryMs = 100;

/**
 * Ends a capture with the file of an equal capture, if `cache_ttl_s` allows: of a stored capture, or of a capture that another
 * slot or worker renders now. The capture waits once. If the awaited capture fails, all that waited render, at the same time.
 *
 * @returns null if the capture has to be rendered.
 */
export async function reuseEqualCapture(
  dependencies: ReuseDependencies,
  capture: ClaimedCapture,
): Promise<ReusedCapture | null> {
  const { database, running } = dependencies;
  const { accountId, fingerprint, id: captureId } = capture;
  const ttlS = cacheTtlOf(capture);
  if (ttlS === 0 || fingerprint === null) return null;
  const stored = await endWithStored(dependencies, capture, ttlS);
  if (stored) return { ...stored, joined: false };
  const equal = await claimEqualRender(database.pool, { accountId, fingerprint, captureId });
  if (equal === null) return null;
  const waiting = new AbortController();
  const waited = running.add(capture, () => waiting.abort());
  try {
    while (!waiting.signal.aborted && (await isRendering(database.pool, equal))) await pause(lookEveryMs);
  } finally {
    waited();
  }
  const joined = await endWithStored(dependencies, capture, ttlS);
  return joined && { ...joined, joined: true };
}

/** Returns for how many seconds a file may be reused; 0 if not. */
export function cacheTtlOf({ options }: Pick<ClaimedCapture, 'options'>): number {
  return typeof options.cache_ttl_s === 'number' ? options.cache_ttl_s : 0;
}

async function endWithStored(
  { database, fileUrlOf, form, fileRetentionDays }: ReuseDependencies,
  capture: ClaimedCapture,
  ttlS: number,
): Promise<{ deliveries: number } | null> {
  const at = capture.now();
  const expiresAt = fileExpiresAt(planOf(form, capture.plan), at, fileRetentionDays);
  return endWithEqualCapture(database.pool, { form, fileUrlOf }, capture, { ttlS, at, durationMs: 0, expiresAt });
}
