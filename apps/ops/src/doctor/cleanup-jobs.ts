import type { CleanupJobList } from '../cleanup-jobs.ts';
import { duration } from '../duration.ts';
import { readOperatorApi } from '../operator-api.ts';
import { CannotCheck, group, notChecked, ok, required, warning } from './check.ts';

/** A job that is late by this many intervals missed several runs. */
const lateFactor = 5;

/** A platform that has just started may not have run its jobs yet. Milliseconds. */
const leastLateMs = 120_000;

export const cleanupJobs = group<CleanupJobList['cleanup_jobs']>({
  name: 'cleanup_jobs',
  async open({ platform }) {
    const response = await readOperatorApi<CleanupJobList>(required(platform), '/cleanup-jobs').catch(
      (error: Error) => {
        throw new CannotCheck(notChecked(error.message));
      },
    );
    return response.cleanup_jobs;
  },
  checks: [
    {
      name: 'errors',
      about: 'the last run of each cleanup job succeeded',
      run(found) {
        const failed = found.filter(({ last_error }) => last_error !== null);
        if (failed.length === 0) return ok(`${found.length} cleanup jobs, none failed`);
        const message = failed.map(({ name, last_error }) => `${name}: ${last_error}`).join('; ');
        return warning(message, 'see the log of its owner; the next run tries again');
      },
    },
    {
      name: 'late',
      about: 'every cleanup job that ran before is still running on schedule',
      run(found) {
        const late = found.filter(({ last_started_at, every_s }) => {
          if (last_started_at === null) return false;
          const agoMs = Date.now() - Date.parse(last_started_at);
          return agoMs > Math.max(leastLateMs, every_s * 1_000 * lateFactor);
        });
        if (late.length === 0) return ok('none is late');
        const message = late.map(
          ({ name, last_started_at }) => `${name} ran ${duration(Date.now() - Date.parse(last_started_at ?? ''))} ago`,
        );
        return warning(
          message.join('; '),
          `start a process of its owner: ${[...new Set(late.map(({ owner }) => owner))]}`,
        );
      },
    },
  ],
});
