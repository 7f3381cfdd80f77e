import { alertThresholds } from './alert-thresholds.ts';

interface Job {
  owner: string;
  every_s: number;
  last_finished_at: string | null;
}

interface Process {
  kind: string;
  started_at: string;
}

/**
 * Whether a cleanup job is late, by the rule of the alert `CaptureCleanupJobStalled`. Time in which no process ran does not
 * count: the time begins with the oldest process that runs the job.
 *
 * @param processes the running processes; without them only the last run counts.
 * @returns how long the job has not finished a run, milliseconds; null if it is not late.
 */
export function cleanupJobLateMs(job: Job, processes: readonly Process[], at: Date): number | null {
  const started = processes.filter(({ kind }) => kind === job.owner).map(({ started_at }) => Date.parse(started_at));
  const finished = job.last_finished_at === null ? [] : [Date.parse(job.last_finished_at)];
  const known = [...finished, ...(started.length > 0 ? [Math.min(...started)] : [])];
  const lateMs = at.getTime() - Math.max(...known);
  const { cleanupJobIntervals, cleanupJobGraceS } = alertThresholds;
  return known.length > 0 && lateMs > (cleanupJobIntervals * job.every_s + cleanupJobGraceS) * 1_000 ? lateMs : null;
}
