import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { applyMigrations } from '@capture/migrations/migrate';
import { startPostgres } from '@capture/provisioning/postgres';
import { type Authority, createAuthority } from '@capture/testing/certificates';
import type { OwnPostgres } from '@capture/testing/database';
import { findOwnPort } from '@capture/testing/own-port';
import { startOwnServer } from '@capture/testing/own-server';
import { type OwnRedis, startOwnRedis } from '@capture/testing/redis';
import { makeTestFolder } from '@capture/testing/test-run';
import { Redis } from 'ioredis';
import pg from 'pg';

/** A Postgres and a Redis that belong to these tests alone: they are killed, emptied and filled. */
export interface Servers {
  postgres: OwnPostgres;
  redis: OwnRedis;
  /** Who signs the receivers' certificates. */
  authority: Authority;
  /** A migrated, empty database and an empty Redis. */
  createDatabase(): Promise<string>;
  close(): Promise<void>;
}

/** The platform's account, which owns its databases. */
const account = 'capture';

/** @param settings of Postgres, beyond those that the platform gives it. */
export async function openServers(settings: Record<string, string> = {}): Promise<Servers> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (let next = closings.pop(); next; next = closings.pop()) await next();
  };
  try {
    const postgres = await startChaosPostgres(settings);
    closings.push(() => postgres.stop());
    await applyMigrations(postgres.url);
    const redis = await startOwnRedis();
    closings.push(() => redis.stop());
    return { postgres, redis, authority: await createAuthority(), createDatabase: () => empty(postgres, redis), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startChaosPostgres(settings: Record<string, string>): Promise<OwnPostgres> {
  const folder = makeTestFolder('postgres');
  const password = randomBytes(16).toString('hex');
  const port = await findOwnPort();
  return startOwnServer('Postgres', () =>
    startPostgres({
      dataDir: path.join(folder, 'data'),
      superuserPassword: password,
      password,
      port,
      settings,
      logFile: path.join(folder, 'postgres.log'),
      report: () => {},
    }),
  );
}

async function empty(postgres: OwnPostgres, redis: OwnRedis): Promise<string> {
  const name = `case_${randomBytes(6).toString('hex')}`;
  const migrated = new URL(postgres.url).pathname.slice(1);
  const client = new pg.Client({ connectionString: postgres.superuserUrl });
  await client.connect();
  try {
    // What migrated it keeps a connection for a while, and a database in use cannot be copied.
    await client.query('SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE datname = $1', [migrated]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${migrated} OWNER ${account}`);
  } finally {
    await client.end();
  }
  await onRedis(redis.url, (connection) => connection.flushall());
  const url = new URL(postgres.url);
  url.pathname = name;
  return url.href;
}

/** Uses a connection of its own to Redis, which is there. */
export async function onRedis<Result>(url: string, use: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}
