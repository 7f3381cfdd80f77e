import { openSqlDatabase, type SqlDatabase } from '@capture/database/database';
import { findContractForm } from '@capture/database/find-contract-form';
import { ConfigError } from '@capture/runtime/config';
import { watchDatabase } from '@capture/runtime/metrics/database-metrics';
import type { Registry } from '@capture/runtime/metrics/metrics';
import { watchRedis } from '@capture/runtime/metrics/redis-metrics';
import type { ServiceContext } from '@capture/runtime/service/service';
import type { Redis } from 'ioredis';
import type { JobName } from './catalog.ts';
import { connectBlockingRedis, connectRedis } from './connect-redis.ts';
import { type JobQueue, openJobQueue } from './job-queue.ts';

export interface ConnectionOptions {
  metrics: Registry;
  /** The most Postgres connections; by default the limit of `openSqlDatabase`. */
  databaseConnections?: number;
  /** Called each time the connection to Redis is established. */
  onRedisConnected?: () => void;
}

/** A service's connections to Postgres and Redis. They close with the service's lifecycle. */
export interface ServiceConnections {
  database: SqlDatabase;
  redis: Redis;
  /** Opens another connection to Redis, for commands that block or for signals. The lifecycle logs it as `name`. */
  openBlockingRedis(name: string): Redis;
  openQueue<Name extends JobName>(name: Name): JobQueue<Name>;
  /**
   * Refuses to run on the data of another contract form. While Postgres is unavailable the service starts nevertheless and
   * repeats the check; a refusal then ends the process.
   *
   * @throws {ConfigError} with one sentence.
   */
  requireForm(form: string): Promise<void>;
}

/** The delay before the contract form is checked again if Postgres did not respond, milliseconds. */
const checkFormAgainMs = 1_000;

/** Connects a service to Postgres and Redis, with their metrics, and logs when a connection is lost or restored. */
export function openConnections(
  { DATABASE_URL, REDIS_URL: url }: { DATABASE_URL: string; REDIS_URL: string },
  { log, lifecycle }: ServiceContext,
  { metrics, databaseConnections, onRedisConnected }: ConnectionOptions,
): ServiceConnections {
  const database = openSqlDatabase({
    url: DATABASE_URL,
    ...(databaseConnections !== undefined && { connections: databaseConnections }),
    onIdleError: (error) => log.warn({ err: error }, 'a connection to Postgres broke'),
  });
  lifecycle.closing('database', () => database.close());
  const redis = connectRedis({
    url,
    onState(state, error) {
      log[state === 'lost' ? 'warn' : 'info']({ err: error }, `redis: ${state}`);
      if (state === 'connected') onRedisConnected?.();
    },
  });
  lifecycle.closing('redis', () => redis.disconnect());
  watchDatabase(metrics, database.pool);
  watchRedis(metrics, redis);
  let checkAgain: NodeJS.Timeout | undefined;
  let closing = false;
  lifecycle.closing('check of the contract form', () => {
    closing = true;
    clearTimeout(checkAgain);
  });
  async function requireForm(form: string): Promise<void> {
    const bound = await findContractForm(database.pool).catch(() => undefined);
    if (closing) return;
    if (bound === undefined) {
      // A rejection is deliberately unhandled: it ends the process.
      checkAgain = setTimeout(() => void requireForm(form), checkFormAgainMs).unref();
    } else if (bound !== null && bound !== form) {
      throw new ConfigError(
        `The data in this database was created with API profile ${bound}; CONTRACT_FORM is ${form}.`,
      );
    }
  }
  return {
    requireForm,
    database,
    redis,
    openBlockingRedis(name) {
      const blocking = connectBlockingRedis({ url });
      lifecycle.closing(name, () => blocking.disconnect());
      return blocking;
    },
    openQueue(name) {
      const queue = openJobQueue(redis, name);
      lifecycle.closing(`${name} queue`, () => queue.close());
      return queue;
    },
  };
}
