import type { ContractForm } from '@capture/contract/forms/forms';
import { listDeletedAccounts } from '@capture/database/accounts/accounts';
import { removeAccount } from '@capture/database/accounts/remove-account';
import { deleteExpiredSessions } from '@capture/database/accounts/sessions';
import { deleteOldSignInLinks } from '@capture/database/accounts/sign-in-links';
import { dropHtmlFromRows } from '@capture/database/captures/drop-html';
import type { EventContext } from '@capture/database/captures/end-capture';
import { recoverCaptures, requeueCaptures } from '@capture/database/captures/recover-captures';
import { findExpiredFiles, releaseExpiredFiles, withoutRecord } from '@capture/database/captures/release-files';
import { deleteDeadWorkers } from '@capture/database/captures/worker-heartbeat';
import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import type { Database } from '@capture/database/database';
import {
  deleteIdleReceivers,
  deleteOldDeliveries,
  failOldDeliveries,
} from '@capture/database/deliveries/delete-old-deliveries';
import { deleteDeadDispatchers } from '@capture/database/deliveries/dispatcher-heartbeat';
import { recoverReceivers } from '@capture/database/deliveries/receivers';
import { dropLostAttempts } from '@capture/database/deliveries/recover-deliveries';
import type { Encryptor } from '@capture/database/encryption';
import { followEndpoints } from '@capture/database/endpoints/endpoint-deliveries';
import { deleteExpiredResponses } from '@capture/database/idempotency';
import { countEncrypted, firstReencrypt, reencryptSome } from '@capture/database/operator/reencrypt-secrets';
import { createPartitions } from '@capture/database/partitions/create-partitions';
import { deleteOldCaptures } from '@capture/database/retention/delete-old-captures';

/** Files per statement of the cleanup jobs. */
const filesAtOnce = 500;

/** Slices of ended captures that are searched for html. */
const slicesOfRows = 4;

/** No partition reaches so far ahead, milliseconds. */
const monthMs = 30 * 86_400_000;

/** The removal of a large account stops after this many rounds of a thousand rows. */
const roundsOfLarge = 8;

/** Accounts that are removed. */
export interface Leaving {
  small: string;
  large: string;
}

export interface CleanupTerms extends EventContext {
  /** The form that drops lost attempts. */
  formA: ContractForm;
  /** The encryptor whose previous key encrypted all data. */
  rotating: Encryptor;
  retention: RetentionDays;
}

/** The number of days that rows are kept. Some rows are older, and are removed. */
export interface RetentionDays {
  captures: number;
  deliveries: number;
}

/** Runs every cleanup job of the services once, because some jobs run hourly. */
export async function runCleanupJobs({ pool, prisma }: Database, terms: CleanupTerms, leaving: Leaving): Promise<void> {
  const at = new Date();
  await runCleanupJob(pool, 'idempotency keys', () => deleteExpiredResponses(pool));
  await deleteExpiredSessions(pool);
  await deleteOldSignInLinks(pool);
  await followEndpoints(pool);
  await recoverReceivers(pool);
  await createPartitions(pool, new Date(at.getTime() + monthMs));
  await failOldDeliveries(pool, { at, days: terms.retention.deliveries });
  await deleteOldDeliveries(pool, { at, days: terms.retention.deliveries });
  await deleteIdleReceivers(pool);
  await deleteDeadDispatchers(pool);
  await deleteDeadWorkers(pool);
  await dropLostAttempts(pool, terms.formA, at);
  await findExpiredFiles(pool, at, 20);
  while ((await releaseExpiredFiles(pool, at, filesAtOnce)).captures > 0);
  // The cleanup of unrecorded files passes as many keys to one statement.
  await withoutRecord(
    pool,
    Array.from({ length: filesAtOnce }, (_, n) => `2026-01-01/ab/req_${n}-1.png`),
  );
  let slices = 0;
  await dropHtmlFromRows(pool, () => ++slices < slicesOfRows);
  await deleteOldCaptures(pool, { at, days: terms.retention.captures });
  await recoverCaptures(pool, terms);
  await listDeletedAccounts({ prisma });
  const removal = { removeFiles: async () => {}, onCancelled: async () => {}, stopped: () => false };
  await pool.query('UPDATE account SET deleted_at = now() WHERE id = $1', [leaving.small]);
  if (!(await removeAccount(pool, leaving.small, removal))) throw new Error('an account could not be removed');
  let looked = 0;
  const brokenOff = { ...removal, stopped: () => ++looked > roundsOfLarge };
  await removeAccount(pool, leaving.large, brokenOff);
  await countEncrypted(pool, terms.rotating);
  for (let next: typeof firstReencrypt | null = firstReencrypt; next; ) {
    ({ next } = await reencryptSome(pool, terms.rotating, next));
  }
  await requeueCaptures(pool);
}
