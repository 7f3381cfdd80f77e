/**
 * A process without a heartbeat for this many seconds counts as gone: no captures are scheduled for its pages, and the operator
 * no longer sees it. Redis keeps reports of processes for the same time (`packages/queue/src/process-reports.ts`).
 */
export const processAliveS = 15;

/** A webhook dispatcher without a heartbeat for this many seconds, so three missed heartbeats, has no share of the slots. */
export const dispatcherAliveS = 4;
