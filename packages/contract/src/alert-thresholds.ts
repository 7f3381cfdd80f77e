/**
 * The thresholds that the operator's overview in the dashboard shares with the alert rules. `deploy/prometheus/alerts.yml`
 * repeats them in PromQL, and a test in `deploy` fails if the two differ.
 */
export const alertThresholds = {
  /** `CaptureQueueWaitLong` fires after this wait. A batch of 1,000 takes less on four pages. */
  oldestCaptureS: 600,
  /** `CaptureQueueStuck` fires if captures are queued and none has ended for this long. */
  stuckMinutes: 5,
  /** `CaptureDeliveriesLate` fires after this wait; due deliveries normally start within seconds. */
  oldestDeliveryS: 60,
  /** `CaptureDeliveriesFailing` fires above this share of failed attempts over this many minutes. */
  failedDeliveryShare: 0.5,
  deliveryMinutes: 15,
  /** `CaptureBrowserRestarts` fires after more unexpected ends of a browser. */
  browserRestarts: 5,
  /** `CaptureAccountFlooding` fires above this share of one account in a queue that is longer than this. */
  accountShare: 0.9,
  floodedQueueLength: 500,
  /** `CaptureDatabaseSlow` fires for slower responses. */
  databaseResponseS: 0.5,
  /** `CaptureClockWrong` fires above this offset. */
  clockOffsetS: 2,
  /** `CaptureCleanupJobStalled` fires for a job that is late by this many intervals and this many seconds. */
  cleanupJobIntervals: 3,
  cleanupJobGraceS: 300,
} as const;
