/** The service whose processes run a cleanup job, one at a time. */
export type CleanupJobOwner = 'api-gateway' | 'capture-worker' | 'webhook-dispatcher';

export interface CleanupJob {
  owner: CleanupJobOwner;
  /** Between two runs, milliseconds. */
  everyMs: number;
}

/** Every cleanup job by its name, which its lock, its last run and its metrics use. */
export const cleanupJobs = {
  /** Captures of lost workers, which wait at most for their lease (10 s) and this. */
  'lost captures': { owner: 'capture-worker', everyMs: 2_000 },
  'expired files': { owner: 'capture-worker', everyMs: 60_000 },
  'files without a row': { owner: 'capture-worker', everyMs: 3_600_000 },
  /** Pages submitted as `html` in rows of a previous version: goes through them once. */
  'html in rows': { owner: 'capture-worker', everyMs: 60_000 },
  /** Receivers with due deliveries whose row does not say so. */
  'forgotten receivers': { owner: 'webhook-dispatcher', everyMs: 60_000 },
  /** Open deliveries of changed and deleted endpoints, where the process that changed them did not finish. */
  'endpoint deliveries': { owner: 'webhook-dispatcher', everyMs: 2_000 },
  'delivery logs': { owner: 'webhook-dispatcher', everyMs: 3_600_000 },
  /** Weekly partitions of the growing tables, two weeks ahead. */
  partitions: { owner: 'api-gateway', everyMs: 600_000 },
  'old captures': { owner: 'api-gateway', everyMs: 3_600_000 },
  'deleted accounts': { owner: 'api-gateway', everyMs: 60_000 },
  /** They expire after 24 h; some minutes more do no harm. */
  'idempotency keys': { owner: 'api-gateway', everyMs: 300_000 },
  /** They expire after 12 h and are then refused whether their rows exist or not. */
  sessions: { owner: 'api-gateway', everyMs: 300_000 },
  /** They stop working after 15 min; their rows count against the limit of their address for a day. */
  'sign-in links': { owner: 'api-gateway', everyMs: 300_000 },
} as const satisfies Record<string, CleanupJob>;

export type CleanupJobName = keyof typeof cleanupJobs;
