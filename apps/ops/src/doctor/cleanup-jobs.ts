import { cleanupJobLateMs } from '@capture/contract/late-cleanup-job';
import type { CleanupJobList } from '../cleanup-jobs.ts';
import { duration } from '../duration.ts';
import { readOperatorApi } from '../operator-api.ts';
import type { ProcessList } from '../processes.ts';
import { CannotCheck, group, notChecked, ok, required, warning } from './check.ts';

interface Subject {
  jobs: CleanupJobList['cleanup_jobs'];
  processes: ProcessList['processes'];
}

const runbook = 'docs/runbook.md#capturecleanupjobstalled';

export const cleanupJobs = group<Subject>({
  name: 'cleanup_jobs',
  async open({ platform }) {
    const known = required(platform);
    try {
      const { cleanup_jobs: jobs } = await readOperatorApi<CleanupJobList>(known, '/cleanup-jobs');
      const { processes } = await readOperatorApi<ProcessList>(known, '/processes');
      return { jobs, processes };
    } catch (error) {
      throw new CannotCheck(notChecked((error as Error).message));
    }
  },
  checks: [
    {
      name: 'errors',
      about: 'the last run of each cleanup job succeeded',
      run({ jobs }) {
        const failed = jobs.filter(({ last_error }) => last_error !== null);
        if (failed.length === 0) return ok(`${jobs.length} cleanup jobs, none failed`);
        const message = failed.map(({ name, last_error }) => `${name}: ${last_error}`).join('; ');
        return warning(message, `${runbook}; the next run tries again`);
      },
    },
    {
      name: 'late',
      about: 'every cleanup job runs on schedule',
      run({ jobs, processes }) {
        const late = jobs.flatMap((job) => {
          const lateMs = cleanupJobLateMs(job, processes, new Date());
          return lateMs === null ? [] : [{ ...job, lateMs }];
        });
        if (late.length === 0) return ok('no job is late');
        const message = late.map(({ name, lateMs }) => `${name} has not finished for ${duration(lateMs)}`);
        const owners = [...new Set(late.map(({ owner }) => owner))].join(' and ');
        return warning(message.join('; '), `start a process of its owner (${owners}), or see ${runbook}`);
      },
    },
  ],
});
