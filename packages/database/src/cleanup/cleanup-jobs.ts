/** Who runs a cleanup job: the processes of one kind, in turns. */
export type CleanupJobOwner = 'api-gateway' | 'capture-worker' | 'webhook-dispatcher';

export interface CleanupJob {
  owner: CleanupJobOwner;
  /** Between two runs, milliseconds. */
  everyMs: number;
}

/** Every cleanup job: by its name, which its lock, its last run and its metrics bear. */
export const cleanupJobs = {
  /** Captures of lost workers. They wait for at most a claim (10 s) and this. */
  'lost captures': { owner: 'capture-worker', everyMs: 2_000 },
  'expired files': { owner: 'capture-worker', everyMs: 60_000 },
  'files without a row': { owner: 'capture-worker', everyMs: 3_600_000 },
  /** What is due and nobody had been told of. */
  'forgotten receivers': { owner: 'webhook-dispatcher', everyMs: 60_000 },
  'delivery logs': { owner: 'webhook-dispatcher', everyMs: 3_600_000 },
  'deleted accounts': { owner: 'api-gateway', everyMs: 60_000 },
  /** Remembered for 24 h; some minutes more do no harm. */
  'idempotency keys': { owner: 'api-gateway', everyMs: 300_000 },
  /** They hold for 12 h, and are refused after it whether their rows are there or not. */
  sessions: { owner: 'api-gateway', everyMs: 300_000 },
} as const satisfies Record<string, CleanupJob>;

export type CleanupJobName = keyof typeof cleanupJobs;
