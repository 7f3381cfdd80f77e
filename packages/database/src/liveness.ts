/** A capture worker without a heartbeat for this long counts as gone: five missed heartbeats, seconds. */
export const workerAliveS = 15;

/** A webhook dispatcher without a heartbeat for this long holds no slots: three missed heartbeats, seconds. */
export const dispatcherAliveS = 4;
