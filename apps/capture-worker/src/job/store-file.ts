import { fileExpiresAt } from '@capture/contract/forms/file-expiry';
import { type ContractForm, planOf } from '@capture/contract/forms/forms';
import type { FileUrlOf } from '@capture/database/captures/batch-progress';
import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import type { CaptureOutcome } from '@capture/database/captures/end-capture';
import { endWithEqualCapture } from '@capture/database/captures/equal-captures';
import type { Database } from '@capture/database/database';
import type { Storage } from '@capture/storage/storage';
import { CaptureFailure } from '../capture-failure.ts';
import { pause } from '../deadline.ts';
import type { RenderedFile } from '../render/renderer.ts';

export interface StoreDependencies {
  storage: Storage;
  form: ContractForm;
  /** Days that files are kept, in place of the plan's. */
  fileRetentionDays?: number | undefined;
}

export interface ReuseDependencies extends Pick<StoreDependencies, 'form' | 'fileRetentionDays'> {
  database: Pick<Database, 'pool'>;
  fileUrlOf: FileUrlOf;
}

/** A disk that was full may have room in a moment; a client does not wait longer for that. */
const putAgainAfterMs = [250, 1_000];

/**
 * Puts a file into the storage.
 *
 * @returns the outcome that names it, for as long as the account's plan keeps files.
 * @throws {CaptureFailure} when it cannot be stored: the client learns at once and no quota is used; another round of
 *   drawing would meet the same full disk.
 */
export async function storeFile(
  { storage, form, fileRetentionDays }: StoreDependencies,
  capture: ClaimedCapture,
  file: RenderedFile,
): Promise<CaptureOutcome> {
  const { format, width, height, bytes } = file;
  const storageKey = storageKeyOf(capture, format);
  await put(storage, storageKey, bytes);
  const expiresAt = fileExpiresAt(planOf(form, capture.plan), new Date(), fileRetentionDays);
  return { status: 'completed', format, width, height, fileSize: bytes.length, storageKey, expiresAt };
}

/**
 * `2026-11-20/k7/req_…k7-1.png`: by day, for whoever looks through what is old; by the end of the id, which is random, so
 * that no folder grows large; with the attempt, so that two workers never write the same file.
 */
export function storageKeyOf(capture: Pick<ClaimedCapture, 'id' | 'attempt' | 'createdAt'>, extension: string): string {
  const day = capture.createdAt.toISOString().slice(0, 10);
  return `${day}/${capture.id.slice(-2)}/${capture.id}-${capture.attempt}.${extension}`;
}

async function put(storage: Storage, key: string, bytes: Buffer): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await storage.put(key, bytes);
    } catch (cause) {
      const waitMs = putAgainAfterMs[tries];
      if (waitMs !== undefined) await pause(waitMs);
      else throw new CaptureFailure('RENDERING_FAILED', 'The page was drawn but could not be stored.', { cause });
    }
  }
}

/**
 * Ends a capture with the file of an earlier equal one, where that was asked for and there is one. The gateway does so for
 * single captures before they are queued; this is for items of batches, of which one may be the equal of another.
 *
 * @returns how many receivers are to be told; null if the capture is to be drawn.
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
