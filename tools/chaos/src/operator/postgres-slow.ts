import { send } from '../harness/client.ts';
import type { Platform } from '../harness/platform.ts';
import { openSlowProxy, type SlowProxy } from '../harness/slow-proxy.ts';
import { operatorCase } from './operator-case.ts';

/** Over the half second of the alert, and under the 2 s after which Postgres counts as unavailable. Milliseconds. */
const lateMs = 700;

const links = new WeakMap<Platform, SlowProxy>();

export const operatorPostgresSlow = operatorCase({
  name: 'postgres-slow',
  fault: 'Postgres takes 0.7 s longer for each statement.',
  alert: 'CaptureDatabaseSlow',
  metric: 'capture_database_connection_use_seconds',
  leads: ['capture_database_response_seconds', 'pg_stat_activity'],
  async between(platform) {
    const url = new URL(platform.databaseUrl);
    const link = await openSlowProxy(Number(url.port));
    links.set(platform, link);
    url.host = `127.0.0.1:${link.port}`;
    return { env: { DATABASE_URL: url.href }, close: () => link.close() };
  },
  async stage(operator) {
    const { gateway, client, platform } = operator;
    const account = () => send(gateway, client, '/api/v1/account');
    await account();
    await operator.sees('an available Postgres', async () => (await gateway.metric('capture_database_up')) === 1);
    links.get(platform)?.delay(lateMs);
    await operator.sees(
      'the response time of Postgres',
      async () => ((await gateway.metric('capture_database_response_seconds')) ?? 0) > 0.5,
    );
    await operator.sees(
      'the response time in the list of processes',
      async () => (await operator.get('/processes')).database.response_ms > 500,
    );
    await account();
    await operator.sees('statements that hold their connection for over half a second', async () => {
      const [all, quick] = [
        await gateway.metric('capture_database_connection_use_seconds_count'),
        await gateway.metric('capture_database_connection_use_seconds_bucket', { le: '0.5' }),
      ];
      return all !== undefined && quick !== undefined && all > quick;
    });
    await operator.sees('requests that are as slow', async () => {
      const route = { route: '/api/v1/account' };
      const [all, quick] = [
        await gateway.metric('capture_http_request_duration_seconds_count', route),
        await gateway.metric('capture_http_request_duration_seconds_bucket', { ...route, le: '0.5' }),
      ];
      return all !== undefined && quick !== undefined && all > quick;
    });
    // An unavailable Postgres would lead to another section.
    await operator.sees('that Postgres is available', async () => (await gateway.metric('capture_database_up')) === 1);
    links.get(platform)?.delay(0);
  },
});
