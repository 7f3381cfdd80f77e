import { openStorage } from '@capture/storage/open-storage';
import type { Storage } from '@capture/storage/storage';
import { FailedError, UsageError } from '../exit-codes.ts';
import type { Deployment } from '../find-deployment.ts';

/** @throws {UsageError} if no store is known. @throws {FailedError} if the store cannot be used. */
export async function openStore({ storage }: Deployment): Promise<Storage> {
  if ('missing' in storage) throw new UsageError(`${storage.missing}; or pass --no-files`);
  return openStorage(storage.value).catch((cause: Error) => {
    throw new FailedError(cause.message, { cause });
  });
}
