import { fileExpiresAt } from '@capture/contract/forms/file-expiry';
import { type ContractForm, planOf } from '@capture/contract/forms/forms';
import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import type { CaptureOutcome } from '@capture/database/captures/end-capture';
import type { StoredOutput } from '@capture/database/captures/stored-outputs';
import { fileKey, outputKey } from '@capture/storage/file-key';
import type { Storage } from '@capture/storage/storage';
import { CaptureFailure } from '../capture-failure.ts';
import { pause } from '../deadline.ts';
import type { RenderedFile, RenderedOutput } from '../render/renderer.ts';

export interface StoreDependencies {
  storage: Storage;
  form: ContractForm;
  /** Days that files are kept. Overrides the plan's days. */
  fileRetentionDays?: number | undefined;
}

/** A full disk may have room again in a moment, and a store may be back. Clients should not wait longer. */
export const storageRetriesMs = [250, 1_000];

/**
 * Puts the files of a capture into the storage.
 *
 * @returns the outcome that names the file, which expires as the account's plan says.
 * @throws {CaptureFailure} when a file cannot be stored. The client is notified at once and no quota is used, because another
 * render would meet the same full disk.
 */
export async function storeFile(
  { storage, form, fileRetentionDays }: StoreDependencies,
  capture: ClaimedCapture,
  file: RenderedFile,
): Promise<CaptureOutcome> {
  const { format, width, height, bytes, extracted, outputs } = file;
  const storageKey = fileKey(capture, format);
  await put(storage, storageKey, bytes);
  const stored = outputs && (await storeOutputs(storage, storageKey, outputs));
  const expiresAt = fileExpiresAt(planOf(form, capture.plan), capture.now(), fileRetentionDays);
  return {
    ...{ status: 'completed', format, width, height, fileSize: bytes.length, storageKey, expiresAt },
    ...(extracted && { extracted }),
    ...(stored && { outputs: stored }),
  };
}

/** Stores the further files of a capture, in the order of the request. */
async function storeOutputs(
  storage: Storage,
  ownKey: string,
  outputs: readonly RenderedOutput[],
): Promise<StoredOutput[]> {
  const inOrder = [...outputs].sort((one, other) => one.index - other.index);
  const keyOf = ({ index, file }: RenderedOutput) => outputKey(ownKey, index + 2, file.format);
  const ended = await Promise.allSettled(inOrder.map((output) => put(storage, keyOf(output), output.file.bytes)));
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) {
    // No row names a file that cannot be removed now, so the cleanup removes it later.
    await Promise.allSettled([ownKey, ...inOrder.map(keyOf)].map((key) => storage.remove(key)));
    throw failed.reason;
  }
  return inOrder.map((output): StoredOutput => {
    const { name, kind, file } = output;
    const { format, bytes, width, height } = file;
    const hasSize = kind === 'screenshot' || kind === 'pdf' || kind === 'og_image';
    return { name, kind, format, size: bytes.length, key: keyOf(output), ...(hasSize && { width, height }) };
  });
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
