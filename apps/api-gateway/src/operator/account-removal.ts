import { setTimeout as delay } from 'node:timers/promises';
import { listDeletedAccounts } from '@capture/database/accounts/accounts';
import { removeAccount } from '@capture/database/accounts/remove-account';
import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import type { Database } from '@capture/database/database';
import { sendSignal } from '@capture/queue/signals';
import { coalesce } from '@capture/runtime/coalesce';
import { every } from '@capture/runtime/service/every';
import type { Logger } from '@capture/runtime/service/log';
import { withTimeout } from '@capture/runtime/timeout';
import { removeCaptureFiles } from '@capture/storage/many-files';
import type { Storage } from '@capture/storage/storage';
import type { Redis } from 'ioredis';

/** Removes the data of deleted accounts: at once, and regularly in case a process stopped before it had removed everything. */
export interface AccountRemoval {
  /** Starts a run; resolves when everything is removed, or after some seconds, when the run continues in the background. */
  begin(): Promise<void>;
  /** Stops early; another process, or the next start, continues. */
  stop(): Promise<void>;
}

/** How long the request that deletes an account waits, milliseconds: enough for thousands of captures. */
const waitMs = 5_000;

/** Delay between attempts at an account with locked rows, milliseconds. */
const retryDelayMs = 200;

/** Maximum number of attempts in one run of the cleanup job. */
const maxAttempts = 25;

export interface AccountRemovalDependencies {
  database: Pick<Database, 'pool' | 'prisma'>;
  /** Sends hints to requests that wait for a capture of the account. */
  redis: Redis;
  storage: Pick<Storage, 'remove'>;
  log: Logger;
}

export function startAccountRemoval({ database, redis, storage, log }: AccountRemovalDependencies): AccountRemoval {
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  const removal = {
    stopped,
    async removeFiles(keys: string[]) {
      const { removed, error } = await removeCaptureFiles(storage, keys);
      if (error && removed === 0) throw error;
      if (error) log.warn({ err: error }, 'could not remove files; the cleanup job for files without a row will do it');
    },
    async onCancelled(captureIds: string[]) {
      await Promise.all(captureIds.map((id) => sendSignal(redis, 'captureEnded', id)));
    },
  };

  const removeOne = async (accountId: string) => {
    for (let attempt = 0; attempt < maxAttempts && !stopped(); attempt += 1) {
      if (await removeAccount(database.pool, accountId, removal)) {
        log.info({ account_id: accountId }, 'removed a deleted account');
        return true;
      }
      await delay(retryDelayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    return false;
  };
  const removeAll = async () => {
    const tried = new Set<string>();
    let removed = 0;
    let failure: unknown;
    for (;;) {
      // The list is read again each time: other gateways may delete accounts while this gateway runs the job.
      const next = (await listDeletedAccounts(database)).find((id) => !tried.has(id));
      if (next === undefined || stopped()) break;
      tried.add(next);
      // A failure to remove one account must not keep other accounts.
      const isRemoved = await removeOne(next).catch((error: unknown) => {
        failure ??= error;
        return false;
      });
      if (isRemoved) removed += 1;
    }
    if (failure !== undefined) throw failure;
    return removed;
  };

  let running: Promise<unknown> = Promise.resolve();
  const run = coalesce(async () => {
    if (!stopped()) await runCleanupJob(database.pool, 'deleted accounts', removeAll);
  });
  const stopCleanup = every(cleanupJobs['deleted accounts'].everyMs, 'removing deleted accounts', log, run);
  return {
    async begin() {
      const warn = (error: unknown) =>
        log.warn({ err: error }, 'could not remove the data of a deleted account; will retry');
      running = run().catch(warn);
      await withTimeout(waitMs, running, () => undefined);
    },
    async stop() {
      stopping.abort();
      await stopCleanup();
      await running;
    },
  };
}
