import { type CaptureEnding, type EndingTerms, endCapture } from '@capture/database/captures/end-capture';
import { findCapture } from '@capture/database/captures/find-capture';
import type { Database } from '@capture/database/database';
import type { Logger } from '@capture/runtime/log';
import type { Storage } from '@capture/storage/storage';
import { Deadline, pause } from '../deadline.ts';

/** Postgres is started again within seconds; a capture that is drawn is not given up before that. */
const tryForMs = 60_000;

const againAfterMs = (failures: number) => Math.min(100 * 2 ** failures, 2_000);

export interface Recorded {
  /** False where another attempt or a cancellation came first: then nothing was changed. */
  ended: boolean;
  /** How many receivers are to be told. */
  deliveries: number;
}

export interface RecordDependencies extends EndingTerms {
  database: Pick<Database, 'pool'>;
  storage: Pick<Storage, 'remove'>;
  log: Pick<Logger, 'warn'>;
}

/**
 * Writes down what a capture came to. The file is there already: one that turns out to be nobody's, since the capture
 * had ended or another worker has it, is removed.
 *
 * @throws when Postgres stays away: the capture's lease ends then, and it is taken again.
 */
export async function recordOutcome(dependencies: RecordDependencies, ending: CaptureEnding): Promise<Recorded> {
  const { database, storage, log } = dependencies;
  const { outcome, captureId } = ending;
  const deadline = new Deadline(tryForMs);
  let failed = false;
  for (let failures = 0; ; failures += 1) {
    try {
      const ended = await endCapture(database.pool, dependencies, ending);
      if (ended) return { ended: true, ...ended };
      if (outcome.status !== 'completed') return { ended: false, deliveries: 0 };
      // A connection that broke during the commit leaves open whether it took place; the key names the attempt.
      const mine = failed && (await findCapture(database.pool, captureId))?.storageKey === outcome.storageKey;
      if (mine) return { ended: true, deliveries: 1 };
      await storage.remove(outcome.storageKey);
      return { ended: false, deliveries: 0 };
    } catch (error) {
      if (deadline.passed) throw error;
      failed = true;
      log.warn({ err: error, request_id: captureId, failures: failures + 1 }, 'not recorded yet; it is tried again');
      await pause(againAfterMs(failures));
    }
  }
}
