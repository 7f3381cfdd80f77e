import { fileExpiresAt } from '@capture/contract/forms/file-expiry';
import { type ContractForm, planOf } from '@capture/contract/forms/forms';
import type { FileUrlOf } from '@capture/database/captures/batch-progress';
import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import type { CaptureOutcome } from '@capture/database/captures/end-capture';
import { endWithEqualCapture } from '@capture/database/captures/equal-captures';
import type { Database } from '@capture/database/database';
import { fileKey } from '@capture/storage/file-key';
import type { Storage } from '@capture/storage/storage';
import { CaptureFailure } from '../capture-failure.ts';
import { pause } from '../deadline.ts';
import type { RenderedFile } from '../render/renderer.ts';

export interface StoreDependencies {
  storage: Storage;
  form: ContractForm;
  /** Days that files are kept; overrides the plan's. */
  fileRetentionDays?: number | undefined;
}

export interface ReuseDependencies extends Pick<StoreDependencies, 'form' | 'fileRetentionDays'> {
  database: Pick<Database, 'pool'>;
  fileUrlOf: FileUrlOf;
}

/** A full disk may have room again in a moment, and a store may be back; clients should not wait longer. */
export const storageRetriesMs = [250, 1_000];

/**
 * Puts a file into the storage.
 *
 * @returns the outcome that names the file, which expires as the account's plan says.
 * @throws {CaptureFailure} when it cannot be stored. The client is notified at once and no quota is used: rendering again
 *   would meet the same full disk.
 */
export async function storeFile(
  { storage, form, fileRetentionDays }: StoreDependencies,
  capture: ClaimedCapture,
  file: RenderedFile,
): Promise<CaptureOutcome> {
  const { format, width, height, bytes } = file;
  const storageKey = fileKey(capture, format);
  await put(storage, storageKey, bytes);
  const expiresAt = fileExpiresAt(planOf(form, capture.plan), new Date(), fileRetentionDays);
  return { status: 'completed', format, width, height, fileSize: bytes.length, storageKey, expiresAt };
}

async function put(storage: Storage, key: string, bytes: Buffer): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await storage.put(key, bytes);
    } catch (cause) {
      const waitMs = storageRetriesMs[tries];
      if (waitMs !== undefined) await pause(waitMs);
      else throw new CaptureFailure('RENDERING_FAILED', 'The page was rendered but could not be stored.', { cause });
    }
  }
}

/**
 * Ends a capture with the file of an earlier equal one, if `cache_ttl_s` allows and there is one. The gateway does this for
 * single captures before it queues them; this is for batch items, which may equal each other.
 *
 * @returns how many deliveries were created; null if the capture has to be rendered.
 */
export async function reuseEqualCapture(
  dependencies: ReuseDependencies,
  capture: ClaimedCapture,
): Promise<{ deliveries: number } | null> {
  const { cache_ttl_s: ttlS } = capture.options;
  if (typeof ttlS !== 'number' || ttlS === 0) return null;
  const { database, form, fileRetentionDays } = dependencies;
  const at = new Date();
  const expiresAt = fileExpiresAt(planOf(form, capture.plan), at, fileRetentionDays);
  return endWithEqualCapture(database.pool, dependencies, capture, { ttlS, at, durationMs: 0, expiresAt });
}
