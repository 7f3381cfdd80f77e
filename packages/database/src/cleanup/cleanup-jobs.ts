/** The service that runs a cleanup job, in one of its processes at a time. */
export type CleanupJobOwner = 'api-gateway' | 'capture-worker' | 'webhook-dispatcher';

export interface CleanupJob {
  owner: CleanupJobOwner;
  /** The interval between two runs, milliseconds. */
  everyMs: number;
}

/** Every cleanup job by its name, which also names its lock, its last run and its metrics. */
export const cleanupJobs = {
  /** Recovers captures of lost workers, which wait at most for their lease (10 s) and this interval. */
  'lost captures': { owner: 'capture-worker', everyMs: 2_000 },
  'expired files': { owner: 'capture-worker', everyMs: 60_000 },
  'files without a row': { owner: 'capture-worker', everyMs: 3_600_000 },
  /** Goes once through the pages submitted as `html` that a previous version stored in rows. */
  'html in rows': { owner: 'capture-worker', everyMs: 60_000 },
  /** Corrects receivers with due deliveries whose row does not say so. */
  'forgotten receivers': { owner: 'webhook-dispatcher', everyMs: 60_000 },
  /** Finishes changing the open deliveries of changed and deleted endpoints if the process that began it did not. */
  'endpoint deliveries': { owner: 'webhook-dispatcher', everyMs: 2_000 },
  'delivery logs': { owner: 'webhook-dispatcher', everyMs: 3_600_000 },
  /** Creates weekly partitions of the growing tables, two weeks ahead. */
  partitions: { owner: 'api-gateway', everyMs: 600_000 },
  'old captures': { owner: 'api-gateway', everyMs: 3_600_000 },
  'deleted accounts': { owner: 'api-gateway', everyMs: 60_000 },
  /** Deletes keys, which expire after 24 h. Being some minutes late does no harm. */
  'idempotency keys': { owner: 'api-gateway', everyMs: 300_000 },
  /** Deletes sessions, which expire after 12 h. Expired sessions are refused whether or not their rows exist. */
  sessions: { owner: 'api-gateway', everyMs: 300_000 },
  /** Deletes links, which stop working after 15 min. Their rows count against the limit of their address for a day. */
  'sign-in links': { owner: 'api-gateway', everyMs: 300_000 },
} as const satisfies Record<string, CleanupJob>;

export type CleanupJobName = keyof typeof cleanupJobs;
