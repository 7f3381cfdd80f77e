import { fileExpiresAt } from '@capture/contract/forms/file-expiry';
import { type ContractForm, planOf } from '@capture/contract/forms/forms';
import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import type { CaptureOutcome } from '@capture/database/captures/end-capture';
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
  const { format, width, height, bytes, extracted } = file;
  const storageKey = fileKey(capture, format);
  await put(storage, storageKey, bytes);
  const expiresAt = fileExpiresAt(planOf(form, capture.plan), new Date(), fileRetentionDays);
  return {
    ...{ status: 'completed', format, width, height, fileSize: bytes.length, storageKey, expiresAt },
    ...(extracted && { extracted }),
  };
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
