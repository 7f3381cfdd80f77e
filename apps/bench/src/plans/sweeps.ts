import type { ContractForm } from '@capture/contract/forms';
import type { Database } from '@capture/database/database';
import { listDeletedAccounts } from '@capture/database/delete-account';
import { forgetDeadDispatchers } from '@capture/database/dispatcher-heartbeat';
import { dropLostAttempts } from '@capture/database/drop-lost-attempts';
import type { EndingTerms } from '@capture/database/end-capture';
import { forgetDeliveries, forgetReceivers } from '@capture/database/forget-deliveries';
import { forgetDeadWorkers } from '@capture/database/heartbeat';
import { recoverCaptures } from '@capture/database/recover-captures';
import { recoverReceivers } from '@capture/database/recover-receivers';
import { releaseExpiredFiles, withoutRecord } from '@capture/database/release-files';
import { forgetAnswers } from '@capture/database/remember-answer';
import { removeAccount } from '@capture/database/remove-account';
import { requeueCaptures } from '@capture/database/requeue-captures';
import { countSealed, firstReseal, resealSome } from '@capture/database/reseal-secrets';
import type { Sealer } from '@capture/database/sealed';
import { forgetSessions } from '@capture/database/sessions';
import { sweep } from '@capture/database/sweep';

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
