import { thumbnailKey } from './file-key.ts';
import type { Storage } from './storage.ts';

/** The number of concurrent calls; a bucket takes about 50 ms for each. */
const atOnce = 16;

/** Writes small files. @throws the first error. Files whose write had not begun by then are not written. */
export async function putFiles(
  storage: Pick<Storage, 'put'>,
  files: readonly { key: string; text: string }[],
): Promise<void> {
  for (let from = 0; from < files.length; from += atOnce) {
    const puts = files.slice(from, from + atOnce).map(({ key, text }) => storage.put(key, Buffer.from(text)));
    await Promise.all(puts);
  }
}

/**
 * Removes files. A file that cannot be removed does not keep the others from being removed.
 *
 * @returns the number of removed files, and the error of the first file that was not removed.
 */
export async function removeFiles(
  storage: Pick<Storage, 'remove'>,
  keys: readonly string[],
): Promise<{ removed: number; error: Error | null }> {
  const failures: unknown[] = [];
  for (let from = 0; from < keys.length; from += atOnce) {
    const results = await Promise.allSettled(keys.slice(from, from + atOnce).map((key) => storage.remove(key)));
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
  }
  const [cause] = failures;
  const message = `${failures.length} of ${keys.length} files could not be removed`;
  const error = failures.length > 0 ? new Error(message, { cause }) : null;
  return { removed: keys.length - failures.length, error };
}

/** Removes the files of captures and their thumbnails, as `removeFiles` does. The result counts only the files. */
export function removeCaptureFiles(
  storage: Pick<Storage, 'remove'>,
  keys: readonly string[],
): Promise<{ removed: number; error: Error | null }> {
  const remove = async (key: string) => {
    await storage.remove(key);
    const thumbnail = thumbnailKey(key);
    if (thumbnail !== null) await storage.remove(thumbnail);
  };
  return removeFiles({ remove }, keys);
}
