/**
 * A process without a heartbeat for this long counts as gone, seconds: no captures are scheduled for its pages, and the
 * operator no longer sees it. Reports of processes in Redis are kept as long (`packages/queue/src/process-reports.ts`).
 */
export const processAliveS = 15;

/** A webhook dispatcher without a heartbeat for this long has no share of the slots: three missed heartbeats, seconds. */
export const dispatcherAliveS = 4;
