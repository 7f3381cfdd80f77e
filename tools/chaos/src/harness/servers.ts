import { randomBytes } from 'node:crypto';
import { createTestDatabase, type OwnPostgres, type TestDatabase } from '@capture/testing/database';
import { type Authority, createAuthority } from '@capture/testing/network/certificates';
import { startOwnServers } from '@capture/testing/processes/platform';
import { type OwnRedis, startOwnRedis } from '@capture/testing/redis';
import { Redis } from 'ioredis';
import pg from 'pg';

/** A Postgres and a Redis for these tests alone, which are killed, emptied and filled. */
export interface Servers {
  /** Missing where no case kills Postgres. */
  postgres?: OwnPostgres;
  redis: OwnRedis;
  /** Signs the receivers' certificates. */
  authority: Authority;
  /** Creates a migrated, empty database, and empties Redis. */
  createDatabase(): Promise<TestDatabase>;
  close(): Promise<void>;
}

/** The platform's account, which owns its databases. */
const account = 'capture';

/** @param settings of Postgres, beyond those that the platform gives it. */
export async function openServers(settings: Record<string, string> = {}): Promise<Servers> {
  const [servers, authority] = [await startOwnServers(settings), await createAuthority()];
  return { ...servers, authority, createDatabase: () => createDatabase(servers.postgres, servers.redis) };
}

/** Opens servers with the Postgres of the test run, which cases must not kill. Starting another takes three seconds. */
export async function openServersInTests(): Promise<Servers> {
  const [redis, authority] = [await startOwnRedis(), await createAuthority()];
  const create = async () => {
    const database = await createTestDatabase();
    await emptyRedis(redis);
    return database;
  };
  return { redis, authority, createDatabase: create, close: () => redis.stop() };
}

/** Returns the Postgres that a case may kill. */
export function ownPostgres({ postgres }: Servers): OwnPostgres {
  if (!postgres) throw new Error('this case needs a Postgres of its own');
  return postgres;
}

const emptyRedis = ({ url }: OwnRedis) => onRedis(url, (redis) => redis.flushall());

async function createDatabase(postgres: OwnPostgres, redis: OwnRedis): Promise<TestDatabase> {
  const name = `case_${randomBytes(6).toString('hex')}`;
  const migrated = new URL(postgres.url).pathname.slice(1);
  const client = new pg.Client({ connectionString: postgres.superuserUrl });
  await client.connect();
  try {
    // The migration engine keeps a connection for a while, and a database in use cannot be copied.
    await client.query('SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE datname = $1', [migrated]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${migrated} OWNER ${account}`);
  } finally {
    await client.end();
  }
  await emptyRedis(redis);
  const url = new URL(postgres.url);
  url.pathname = name;
  // The database ends with its server.
  return { url: url.href, drop: async () => {} };
}

/** Runs commands on an available Redis, over a separate connection. */
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
