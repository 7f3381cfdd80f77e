import type { runningReplay } from '@capture/contract/api/operator-responses';
import { databaseNow } from '@capture/database/database-clock';
import type { Replay, ReplayProgress } from '@capture/database/deliveries/replay-deliveries';
import { timeOfId } from '@capture/database/ids';
import type { z } from 'zod';

type RunningReplay = z.output<typeof runningReplay>;

type Range = Pick<Replay, 'accountId' | 'webhookId' | 'since' | 'until'>;

/** The replays in progress in this gateway, which its process report shows to the operator. */
export interface RunningReplays {
  /** @param work called with a function that reports the progress of the replay. */
  run<T>(range: Range, work: (report: (progress: ReplayProgress) => void) => Promise<T>): Promise<T>;
  /** Lists the oldest replay first. */
  list(): RunningReplay[];
}

export function createRunningReplays(): RunningReplays {
  const running = new Set<RunningReplay>();
  return {
    async run({ accountId, webhookId, since, until }, work) {
      const replay: RunningReplay = {
        account_id: accountId,
        webhook_id: webhookId,
        since: since.toISOString(),
        until: until?.toISOString() ?? null,
        started_at: databaseNow().toISOString(),
        replayed: 0,
        reached_at: null,
      };
      running.add(replay);
      try {
        return await work(({ replayed, after }) => {
          replay.replayed = replayed;
          if (after !== '') replay.reached_at = timeOfId(after).toISOString();
        });
      } finally {
        running.delete(replay);
      }
    },
    list: () => [...running],
  };
}
