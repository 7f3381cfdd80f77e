import type { Deployment } from '../find-deployment.ts';
import type { Platform } from '../find-platform.ts';
import { readOperatorApi } from '../operator-api.ts';
import { CannotCheck, fault, group, ok, required, warning } from './check.ts';

/** The `Date` header has whole seconds. */
const clockToleranceMs = { warning: 3_000, fault: 30_000 };

const timeoutMs = 15_000;

interface Subject extends Pick<Deployment, 'env'> {
  platform: Platform;
  ready: { status: number; database?: string; redis?: string; apartMs: number };
}

export const gateway = group<Subject>({
  name: 'gateway',
  async open({ platform: known, env }) {
    const platform = required(known);
    const requestedAt = Date.now();
    const response = await get(`${platform.baseUrl}/readyz`).catch((error: Error) => {
      const { message } = (error.cause as Error | undefined) ?? error;
      const fix = 'start it, or set PUBLIC_URL, PORT or DATA_DIR';
      throw new CannotCheck(fault(`${platform.baseUrl} does not respond: ${message}`, fix));
    });
    const apartMs = Date.parse(response.headers.get('date') ?? '') - (requestedAt + Date.now()) / 2;
    const body = (await response.json().catch(() => ({}))) as object;
    return { platform, env, ready: { ...body, status: response.status, apartMs } };
  },
  checks: [
    {
      name: 'ready',
      about: 'the gateway responds, and its database and Redis are available',
      run({ platform: { baseUrl }, ready: { status, database, redis } }) {
        if (status === 200 && redis === 'ok') return ok(`${baseUrl} is ready`);
        if (status === 200) return warning(`${baseUrl} is ready, Redis is ${redis}`, 'see the checks of redis');
        if (database)
          return fault(`${baseUrl} is not ready: its database is ${database}`, 'see the checks of database');
        return fault(
          `${baseUrl}/readyz responds with ${status}`,
          'make sure that this URL is the platform, not a proxy in front of it',
        );
      },
    },
    {
      name: 'operator_key',
      about: 'the platform accepts the operator key of this shell',
      async run({ platform }) {
        try {
          await readOperatorApi(platform, '/queues');
          return ok('accepted');
        } catch (error) {
          return fault((error as Error).message, 'set OPERATOR_KEY to the key that the gateway was started with');
        }
      },
    },
    {
      name: 'clock',
      about: 'the clocks of the gateway and this machine agree: signatures and schedules depend on it',
      run({ ready: { apartMs } }) {
        // The header has whole seconds.
        const isSame = Math.abs(apartMs) <= 1_000;
        const apart = `${(Math.abs(apartMs) / 1_000).toFixed(1)} s ${apartMs < 0 ? 'behind' : 'ahead of'} this machine`;
        const message = isSame ? 'within a second of this machine' : apart;
        const fix = 'synchronize the clocks of both machines (chrony, systemd-timesyncd)';
        if (Number.isNaN(apartMs)) return warning('its response has no Date header', 'check the proxy in front of it');
        if (Math.abs(apartMs) > clockToleranceMs.fault) return fault(message, fix);
        return Math.abs(apartMs) > clockToleranceMs.warning ? warning(message, fix) : ok(message);
      },
    },
    {
      name: 'public_url',
      about: 'PUBLIC_URL, the base of links in responses and webhooks, leads to the platform',
      async run({ env: { PUBLIC_URL: url, PORT: port } }) {
        const fix = 'set PUBLIC_URL to the URL that clients use, the same for every process';
        if (!url) {
          const message = `not set in this shell; links then begin with http://localhost:${port || 3000}`;
          return warning(message, fix);
        }
        try {
          const { status } = await get(`${url.replace(/\/+$/, '')}/healthz`);
          return status === 200 ? ok(`${url} responds`) : fault(`${url}/healthz responds with ${status}`, fix);
        } catch (error) {
          const { message } = ((error as Error).cause as Error | undefined) ?? (error as Error);
          return fault(`${url} does not respond from here: ${message}`, fix);
        }
      },
    },
  ],
});

function get(url: string): Promise<Response> {
  return fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
}
