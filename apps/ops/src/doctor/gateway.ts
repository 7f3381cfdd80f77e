import type { Deployment } from '../find-deployment.ts';
import type { Platform } from '../find-platform.ts';
import { readOperatorApi } from '../operator-api.ts';
import { CannotCheck, fault, group, ok, required, warning } from './check.ts';

/** The header `Date` has whole seconds. */
const clockToleranceMs = { warning: 3_000, fault: 30_000 };

const answerWithinMs = 15_000;

interface Subject extends Pick<Deployment, 'env'> {
  platform: Platform;
  ready: { status: number; database?: string; redis?: string; apartMs: number };
}

export const gateway = group<Subject>({
  name: 'gateway',
  async open({ platform: known, env }) {
    const platform = required(known);
    const askedAt = Date.now();
    const response = await ask(`${platform.baseUrl}/readyz`).catch((error: Error) => {
      const { message } = (error.cause as Error | undefined) ?? error;
      const fix = 'start it, or let PUBLIC_URL, PORT or DATA_DIR say where it is';
      throw new CannotCheck(fault(`${platform.baseUrl} does not answer: ${message}`, fix));
    });
    const apartMs = Date.parse(response.headers.get('date') ?? '') - (askedAt + Date.now()) / 2;
    const body = (await response.json().catch(() => ({}))) as object;
    return { platform, env, ready: { ...body, status: response.status, apartMs } };
  },
  checks: [
    {
      name: 'ready',
      about: 'it answers and can serve: it has its database and Redis',
      run({ platform: { baseUrl }, ready: { status, database, redis } }) {
        if (status === 200 && redis === 'ok') return ok(`${baseUrl} is ready`);
        if (status === 200) return warning(`${baseUrl} is ready, Redis is ${redis}`, 'see the checks of redis');
        if (database)
          return fault(`${baseUrl} is not ready: its database is ${database}`, 'see the checks of database');
        return fault(
          `${baseUrl}/readyz answers ${status}`,
          'see that this is the platform, and nothing in front of it',
        );
      },
    },
    {
      name: 'operator_key',
      about: 'the operator key of this shell is that of the platform',
      async run({ platform }) {
        try {
          await readOperatorApi(platform, '/queues');
          return ok('it is taken');
        } catch (error) {
          return fault((error as Error).message, 'set OPERATOR_KEY to the key that the gateway was started with');
        }
      },
    },
    {
      name: 'clock',
      about: "the gateway's clock and this machine's agree: signatures and schedules are kept by it",
      run({ ready: { apartMs } }) {
        const message = `${(Math.abs(apartMs) / 1_000).toFixed(1)} s ${apartMs < 0 ? 'behind' : 'ahead of'} this machine`;
        const fix = 'have both machines set their clocks (chrony, systemd-timesyncd)';
        if (Number.isNaN(apartMs)) return warning('its answer bears no date', 'see what stands in front of it');
        if (Math.abs(apartMs) > clockToleranceMs.fault) return fault(message, fix);
        return Math.abs(apartMs) > clockToleranceMs.warning ? warning(message, fix) : ok(message);
      },
    },
    {
      name: 'public_url',
      about: 'PUBLIC_URL, which links in answers and webhooks begin with, leads to the platform',
      async run({ env: { PUBLIC_URL: url } }) {
        const fix = 'set PUBLIC_URL to where clients reach the platform, the same for every process';
        if (!url) return warning('not set in this shell; unset, links begin with http://localhost', fix);
        try {
          const { status } = await ask(`${url.replace(/\/+$/, '')}/healthz`);
          return status === 200 ? ok(`${url} answers`) : fault(`${url}/healthz answers ${status}`, fix);
        } catch (error) {
          const { message } = ((error as Error).cause as Error | undefined) ?? (error as Error);
          return fault(`${url} does not answer from here: ${message}`, fix);
        }
      },
    },
  ],
});

function ask(url: string): Promise<Response> {
  return fetch(url, { redirect: 'error', signal: AbortSignal.timeout(answerWithinMs) });
}
