/**
 * The thresholds that the operator's overview in the dashboard shares with the alert rules. `deploy/prometheus/alerts.yml`
 * repeats them in PromQL; a test in `deploy` fails when the two differ.
 */
export const alertThresholds = {
  /** `CaptureQueueWaitLong`: longer than a batch of 1,000 takes on four pages. */
  oldestCaptureS: 600,
  /** `CaptureQueueStuck`: captures are queued and none has ended for this long. */
  stuckMinutes: 5,
  /** `CaptureDeliveriesLate`: due deliveries normally start within seconds. */
  oldestDeliveryS: 60,
  /** `CaptureDeliveriesFailing`: share of failed attempts, over this many minutes. */
  failedDeliveryShare: 0.5,
  deliveryMinutes: 15,
  /** `CaptureBrowserRestarts`: more unexpected ends than this. */
  browserRestarts: 5,
  /** `CaptureAccountFlooding`: one account's share of a queue that is longer than this. */
  accountShare: 0.9,
  floodedQueueLength: 500,
  /** `CaptureDatabaseSlow` */
  databaseResponseS: 0.5,
  /** `CaptureClockWrong` */
  clockOffsetS: 2,
  /** `CaptureCleanupJobStalled`: late after this many intervals and this many seconds. */
  cleanupJobIntervals: 3,
  cleanupJobGraceS: 300,
} as const;
