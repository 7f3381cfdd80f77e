import type { ProcessDetail } from '@capture/queue/process-reports';
import type { Browser } from '../browser/browser.ts';
import type { RunningCaptures } from './running-captures.ts';

/** What a worker reports of itself to the operator. */
export function reportOf(worker: {
  concurrency: number;
  running: Pick<RunningCaptures, 'all'>;
  browser: Pick<Browser, 'status'>;
}): ProcessDetail<'capture-worker'> {
  const { state, version, startedAt, captures, memoryBytes, restarts, lastError } = worker.browser.status();
  return {
    concurrency: worker.concurrency,
    running: worker.running.all.length,
    browser: {
      version,
      state,
      started_at: startedAt?.toISOString() ?? null,
      captures,
      restarts,
      memory_bytes: memoryBytes,
      last_error: lastError,
    },
  };
}
