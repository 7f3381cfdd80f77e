import { type CaptureEnding, type EventContext, endCapture } from '@capture/database/captures/end-capture';
import { findCapture } from '@capture/database/captures/find-capture';
import type { Database } from '@capture/database/database';
import type { Logger } from '@capture/runtime/service/log';
import { removeFiles } from '@capture/storage/many-files';
import type { Storage } from '@capture/storage/storage';
import { Deadline, pause } from '../deadline.ts';

/** A restart of Postgres takes seconds, and must not cost a finished capture. */
const retryForMs = 60_000;

const retryAfterMs = (failures: number) => Math.min(100 * 2 ** failures, 2_000);

export interface Recorded {
  /** False if another attempt or a cancellation came first. Then nothing was changed. */
  ended: boolean;
  deliveries: number;
}

export interface RecordDependencies extends EventContext {
  database: Pick<Database, 'pool'>;
  storage: Pick<Storage, 'remove'>;
  log: Pick<Logger, 'warn'>;
}

/**
 * Records the outcome of a capture, whose files are stored already. The files are removed if the capture had ended, or another
 * worker has claimed it.
 *
 * @throws when Postgres stays unavailable; the capture's lease then expires and another worker claims the capture.
 */
export async function recordOutcome(dependencies: RecordDependencies, ending: CaptureEnding): Promise<Recorded> {
  const { database, storage, log } = dependencies;
  const { outcome, captureId } = ending;
  const deadline = new Deadline(retryForMs);
  let failed = false;
  for (let failures = 0; ; failures += 1) {
    try {
      const ended = await endCapture(database.pool, dependencies, ending);
      if (ended) return { ended: true, ...ended };
      if (outcome.status !== 'completed') return { ended: false, deliveries: 0 };
      // If the connection broke during the commit, the commit may have succeeded. The storage key names the attempt.
      const mine = failed && (await findCapture(database.pool, captureId))?.storageKey === outcome.storageKey;
      if (mine) return { ended: true, deliveries: 1 };
      await removeFiles(storage, [outcome.storageKey, ...(outcome.outputs ?? []).map(({ key }) => key)]);
      return { ended: false, deliveries: 0 };
    } catch (error) {
      if (deadline.passed) throw error;
      failed = true;
      log.warn(
        { err: error, request_id: captureId, failures: failures + 1 },
        'the outcome could not be recorded; will retry',
      );
      await pause(retryAfterMs(failures));
    }
  }
}
