import type { CleanupJobList } from '../cleanup-jobs.ts';
import { duration } from '../duration.ts';
import { readOperatorApi } from '../operator-api.ts';
import { CannotCheck, group, notChecked, ok, required, warning } from './check.ts';

/** A run that is this many times its own interval late was missed more than once. */
const lateFactor = 5;

/** A platform that has just been started has not had its turn yet, milliseconds. */
const leastLateMs = 120_000;

export const cleanupJobs = group<CleanupJobList['cleanup_jobs']>({
  name: 'cleanup_jobs',
  async open({ platform }) {
    const answer = await readOperatorApi<CleanupJobList>(required(platform), '/cleanup-jobs').catch((error: Error) => {
      throw new CannotCheck(notChecked(error.message));
    });
    return answer.cleanup_jobs;
  },
  checks: [
    {
      name: 'errors',
      about: 'the last run of each cleanup job failed nowhere',
      run(found) {
        const failed = found.filter(({ last_error }) => last_error !== null);
        if (failed.length === 0) return ok(`${found.length} cleanup jobs, none failed`);
        const message = failed.map(({ name, last_error }) => `${name}: ${last_error}`).join('; ');
        return warning(message, 'see the log of its owner; it is tried again at its next turn');
      },
    },
    {
      name: 'late',
      about: 'each cleanup job that has run before runs still',
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
