/**
 * The thresholds that the operator's overview in the dashboard shares with the alert rules. `deploy/prometheus/alerts.yml`
 * repeats them in PromQL, and a test in `deploy` fails if the two differ.
 */
export const alertThresholds = {
  /** `CaptureQueueWaitLong` reports a longer wait. A batch of 1,000 takes less on four pages. */
  oldestCaptureS: 600,
  /** `CaptureQueueStuck` reports that captures are queued and none has ended for this long. */
  stuckMinutes: 5,
  /** `CaptureDeliveriesLate` reports a longer wait; due deliveries normally start within seconds. */
  oldestDeliveryS: 60,
  /** `CaptureDeliveriesFailing` reports a larger share of failed attempts over this many minutes. */
  failedDeliveryShare: 0.5,
  deliveryMinutes: 15,
  /** `CaptureBrowserRestarts` reports more unexpected ends. */
  browserRestarts: 5,
  /** `CaptureAccountFlooding` reports a larger share of one account in a queue that is longer than this. */
  accountShare: 0.9,
  floodedQueueLength: 500,
  /** `CaptureDatabaseSlow` reports slower responses. */
  databaseResponseS: 0.5,
  /** `CaptureClockWrong` reports a larger offset. */
  clockOffsetS: 2,
  /** `CaptureCleanupJobStalled` reports a job that is late by this many intervals and this many seconds. */
  cleanupJobIntervals: 3,
  cleanupJobGraceS: 300,
} as const;
