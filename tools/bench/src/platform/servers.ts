import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyMigrations } from '@capture/migrations/migrate';
import { startPostgres } from '@capture/provisioning/postgres';
import { findOwnPort } from '@capture/testing/own-port';
import { startService } from '@capture/testing/processes';
import { startOwnRedis } from '@capture/testing/redis';
import { makeTestFolder } from '@capture/testing/test-run';

export type PlatformService = 'api-gateway' | 'capture-worker' | 'webhook-dispatcher';

export interface StartedService {
  port: number;
  /** Ends it in order; else it ends with the servers. */
  stop(): Promise<unknown>;
}

/** A Postgres and a Redis with the settings that `npm start` gives them, for one service that is measured alone. */
export interface Servers {
  databaseUrl: string;
  /** The same database, as one who may change how the server treats it. */
  superuserUrl: string;
  /** Postgres' own folder. */
  postgresDir: string;
  redisUrl: string;
  secretKey: string;
  operatorKey: string;
  /** Starts a service on them; it listens, if it does, on `port`. */
  start(service: PlatformService, env?: Record<string, string>): Promise<StartedService>;
  close(): Promise<void>;
}

/** @param postgresSettings beyond those that `npm start` gives. */
export async function openServers(postgresSettings: Record<string, string> = {}): Promise<Servers> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (let next = closings.pop(); next; next = closings.pop()) await next();
  };
  const secret = () => randomBytes(24).toString('hex');
  try {
    const folder = makeTestFolder('servers');
    const postgresDir = path.join(folder, 'postgres');
    const postgres = await startPostgres({
      dataDir: postgresDir,
      settings: postgresSettings,
      superuserPassword: secret(),
      password: secret(),
      port: await findOwnPort(),
      logFile: path.join(folder, 'postgres.log'),
      report: () => {},
    });
    closings.push(() => postgres.stop());
    await applyMigrations(postgres.url);
    const redis = await startOwnRedis();
    closings.push(() => redis.stop());
    const secretKey = secret();
    const operatorKey = secret();
    const superuserUrl = new URL(postgres.superuserUrl);
    superuserUrl.pathname = new URL(postgres.url).pathname;
    return {
      databaseUrl: postgres.url,
      superuserUrl: superuserUrl.href,
      postgresDir,
      redisUrl: redis.url,
      secretKey,
      operatorKey,
      async start(service, env = {}) {
        const port = await findOwnPort();
        const running = await startService(service, {
          NODE_ENV: 'production',
          PORT: String(port),
          CONTRACT_FORM: 'B',
          DATABASE_URL: postgres.url,
          REDIS_URL: redis.url,
          STORAGE_URL: pathToFileURL(path.join(folder, 'files')).href,
          SECRET_KEY: secretKey,
          OPERATOR_KEY: operatorKey,
          REGISTRATIONS_PER_HOUR: '100000',
          EGRESS_ALLOW: '127.0.0.1/32',
          // As `npm start` sets it.
          UV_THREADPOOL_SIZE: '128',
          ...env,
        });
        closings.push(() => running.stop());
        return { port, stop: () => running.stop() };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
