import { openAll } from '@capture/testing/processes/open-all';
import { openServices, startOwnServers } from '@capture/testing/processes/platform';

/**
 * Starts a Postgres and a Redis with the settings that `npm start` gives them, for one service that is measured alone.
 *
 * @param caFile the authority of webhook receivers.
 * @param postgresSettings beyond those of `npm start`.
 */
export function openServers({
  caFile,
  postgresSettings = {},
}: {
  caFile?: string;
  postgresSettings?: Record<string, string>;
} = {}) {
  return openAll(async (onClose) => {
    const { postgres, redis, close } = await startOwnServers(postgresSettings);
    onClose(close);
    const superuserUrl = new URL(postgres.superuserUrl);
    superuserUrl.pathname = new URL(postgres.url).pathname;
    const services = await openServices({
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      ...(caFile && { caFile }),
      env: { NODE_ENV: 'production' },
    });
    onClose(() => services.close());
    return {
      databaseUrl: postgres.url,
      /** The same database, as a superuser who may change the server's settings. */
      superuserUrl: superuserUrl.href,
      redisUrl: redis.url,
      start: services.start,
    };
  });
}

export type Servers = Awaited<ReturnType<typeof openServers>>;
