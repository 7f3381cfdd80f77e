import { setTimeout as delay } from 'node:timers/promises';
import { listDeletedAccounts } from '@capture/database/accounts/accounts';
import { removeAccount } from '@capture/database/accounts/remove-account';
import { cleanupJobs } from '@capture/database/cleanup/cleanup-jobs';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import type { Database } from '@capture/database/database';
import { sendSignal } from '@capture/queue/signals';
import { coalesce } from '@capture/runtime/coalesce';
import { every } from '@capture/runtime/every';
import type { Logger } from '@capture/runtime/log';
import type { Storage } from '@capture/storage/storage';
import type { Redis } from 'ioredis';

/** Removes what deleted accounts have left behind: at once, and now and then in case a process died at it. */
export interface AccountRemoval {
  /** Begins; resolves when nothing is left, or after some seconds: then it goes on by itself. */
  begin(): Promise<void>;
  /** Breaks off; another process, or the next start, goes on. */
  stop(): Promise<void>;
}

/** Who deletes an account waits for so long, milliseconds: enough for thousands of captures. */
const waitedForMs = 5_000;

/** Between tries at an account of which something was locked. */
const againAfterMs = 200;

/** Tries in a row; the sweep comes again. */
const triesAtMost = 25;

/** Files that are removed at the same time: what a store over the network bears easily. */
const filesAtOnce = 16;

export interface AccountRemovalDependencies {
  database: Pick<Database, 'pool' | 'prisma'>;
  /** For hints to those who wait for one of its captures. */
  redis: Redis;
  storage: Pick<Storage, 'remove'>;
  log: Logger;
}

export function startAccountRemoval({ database, redis, storage, log }: AccountRemovalDependencies): AccountRemoval {
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  const terms = {
    stopped,
    removeFiles: (keys: string[]) => removeFiles({ storage, log }, keys),
    async onCancelled(captureIds: string[]) {
      await Promise.all(captureIds.map((id) => sendSignal(redis, 'captureEnded', id)));
    },
  };

  const removeOne = async (accountId: string) => {
    for (let tries = 0; tries < triesAtMost && !stopped(); tries += 1) {
      if (await removeAccount(database.pool, accountId, terms)) {
        log.info({ account_id: accountId }, 'a deleted account is gone');
        return true;
      }
      await delay(againAfterMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    return false;
  };
  const removeAll = async () => {
    const tried = new Set<string>();
    let removed = 0;
    for (;;) {
      // Others are deleted meanwhile, by gateways that find this one at it.
      const next = (await listDeletedAccounts(database)).find((id) => !tried.has(id));
      if (next === undefined || stopped()) return removed;
      tried.add(next);
      if (await removeOne(next)) removed += 1;
    }
  };

  let running: Promise<unknown> = Promise.resolve();
  const run = coalesce(async () => {
    if (!stopped()) await runCleanupJob(database.pool, 'deleted accounts', removeAll);
  });
  const stopCleanup = every(cleanupJobs['deleted accounts'].everyMs, 'removing deleted accounts', log, run);
  return {
    async begin() {
      const warn = (error: unknown) =>
        log.warn({ err: error }, 'what a deleted account left could not be removed; it is tried again');
      running = run().catch(warn);
      const waited = new AbortController();
      await Promise.race([running, delay(waitedForMs, undefined, { signal: waited.signal }).catch(() => undefined)]);
      waited.abort();
    },
    async stop() {
      stopping.abort();
      await stopCleanup();
      await running;
    },
  };
}

async function removeFiles(
  { storage, log }: Pick<AccountRemovalDependencies, 'storage' | 'log'>,
  keys: readonly string[],
): Promise<void> {
  for (let from = 0; from < keys.length; from += filesAtOnce) {
    const some = keys.slice(from, from + filesAtOnce);
    await Promise.all(some.map((key) => storage.remove(key))).catch((error) => {
      log.warn({ err: error }, 'files could not be removed; the sweep for files without a row does it');
    });
  }
}
