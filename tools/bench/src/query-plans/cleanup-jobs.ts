import type { ContractForm } from '@capture/contract/forms/forms';
import { listDeletedAccounts } from '@capture/database/accounts/delete-account';
import { removeAccount } from '@capture/database/accounts/remove-account';
import { forgetSessions } from '@capture/database/accounts/sessions';
import type { EndingTerms } from '@capture/database/captures/end-capture';
import { recoverCaptures } from '@capture/database/captures/recover-captures';
import { releaseExpiredFiles, withoutRecord } from '@capture/database/captures/release-files';
import { requeueCaptures } from '@capture/database/captures/requeue-captures';
import { forgetDeadWorkers } from '@capture/database/captures/worker-heartbeat';
import { sweep } from '@capture/database/cleanup/run-cleanup-job';
import type { Database } from '@capture/database/database';
import { forgetDeliveries, forgetReceivers } from '@capture/database/deliveries/delete-old-deliveries';
import { forgetDeadDispatchers } from '@capture/database/deliveries/dispatcher-heartbeat';
import { dropLostAttempts } from '@capture/database/deliveries/drop-lost-attempts';
import { recoverReceivers } from '@capture/database/deliveries/recover-receivers';
import type { Sealer } from '@capture/database/encryption';
import { forgetAnswers } from '@capture/database/idempotency';
import { countSealed, firstReseal, resealSome } from '@capture/database/operator/reencrypt-secrets';

/** Files that one statement of the sweeps looks at. */
const filesAtOnce = 500;

/** A thousand rows each: a large account's removal is broken off after so many. */
const roundsOfLarge = 8;

/** Accounts of which what they have is removed. */
export interface Leaving {
  small: string;
  large: string;
}

export interface SweepTerms extends EndingTerms {
  /** The form in which what is lost is given up. */
  formA: ContractForm;
  /** Its key before is the one that everything was sealed with. */
  rotating: Sealer;
}

/** Runs every sweep of the services once: some of theirs are an hour apart. */
export async function runSweeps({ pool }: Pick<Database, 'pool'>, terms: SweepTerms, leaving: Leaving): Promise<void> {
  const at = new Date();
  await sweep(pool, 'idempotency keys', () => forgetAnswers(pool));
  await forgetSessions(pool);
  await recoverReceivers(pool);
  await forgetDeliveries(pool, at);
  await forgetReceivers(pool);
  await forgetDeadDispatchers(pool);
  await forgetDeadWorkers(pool);
  await dropLostAttempts(pool, terms.formA, at);
  while ((await releaseExpiredFiles(pool, at, filesAtOnce)).length > 0);
  // As many keys as one statement of the sweep for files without a row is given.
  await withoutRecord(
    pool,
    Array.from({ length: filesAtOnce }, (_, n) => `2026-01-01/ab/req_${n}-1.png`),
  );
  await recoverCaptures(pool, terms, at);
  await listDeletedAccounts(pool);
  const removal = { removeFiles: async () => {}, onCancelled: async () => {}, stopped: () => false };
  await pool.query('UPDATE account SET deleted_at = now() WHERE id = $1', [leaving.small]);
  if (!(await removeAccount(pool, leaving.small, removal))) throw new Error('an account could not be removed');
  let looked = 0;
  const brokenOff = { ...removal, stopped: () => ++looked > roundsOfLarge };
  await removeAccount(pool, leaving.large, brokenOff);
  await countSealed(pool, terms.rotating);
  for (let next: typeof firstReseal | null = firstReseal; next; ) {
    ({ next } = await resealSome(pool, terms.rotating, next));
  }
  await requeueCaptures(pool);
}
