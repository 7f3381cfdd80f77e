import { readOperatorApi } from '../operator-api.ts';
import type { ProcessList, ProcessReport } from '../processes.ts';
import { CannotCheck, fault, group, notChecked, ok, required, warning } from './check.ts';

const kinds = ['api-gateway', 'capture-worker', 'webhook-dispatcher'] as const;

type Worker = Extract<ProcessReport, { kind: 'capture-worker' }>;

export const processes = group<readonly ProcessReport[]>({
  name: 'processes',
  async open({ platform }) {
    const { redis, processes: reported } = await readOperatorApi<ProcessList>(required(platform), '/processes').catch(
      (error: Error) => {
        throw new CannotCheck(notChecked(error.message));
      },
    );
    if (redis === 'unavailable') throw new CannotCheck(notChecked('Redis is unavailable: processes cannot be listed'));
    return reported;
  },
  checks: [
    {
      name: 'alive',
      about: 'a gateway, a worker and a dispatcher sent a heartbeat in the last 15 s',
      run(reported) {
        const counts = kinds.map((kind) => ({
          kind,
          count: reported.filter((process) => process.kind === kind).length,
        }));
        const message = counts.map(({ kind, count }) => `${count} ${kind}`).join(', ');
        const missing = counts.filter(({ count }) => count === 0).map(({ kind }) => kind);
        if (missing.length === 0) return ok(message);
        return fault(message, `start ${missing.join(' and ')}; the log says why it does not run`);
      },
    },
    {
      name: 'versions',
      about: 'all processes have the same version, except during an upgrade',
      run(reported) {
        const versions = [...new Set(reported.map(({ version }) => version))];
        if (versions.length < 2) return ok(versions[0] ?? 'none');
        const fix = 'finish the upgrade: replace the processes of the older version';
        return warning(`${versions.join(' and ')} run side by side`, fix);
      },
    },
    {
      name: 'browsers',
      about: 'every worker has a running Chromium',
      run(reported) {
        const workers = reported.filter((process): process is Worker => process.kind === 'capture-worker');
        const failing = workers.filter(({ detail }) => detail.browser.state === 'failing');
        if (failing.length > 0) {
          const [first] = failing;
          const message = `${failing.length} of ${workers.length} do not start; ${first?.detail.browser.last_error ?? 'no reason reported'}`;
          return fault(message, `run the doctor on ${first?.host}: its browser checks say more`);
        }
        const starting = workers.filter(({ detail }) => detail.browser.state === 'starting').length;
        return ok(`${workers.length - starting} running${starting > 0 ? `, ${starting} starting` : ''}`);
      },
    },
  ],
});
