import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { RunningServer } from '@capture/provisioning/guarded-process';
import { findRedis, startRedis } from '@capture/provisioning/redis';
import { Redis } from 'ioredis';
import { findOwnPort } from './network/own-port.ts';
import { type OwnServer, startOwnServer } from './network/own-server.ts';
import { noteOpen } from './open-resources.ts';
import { makeTestFolder, required } from './test-run.ts';

/** Databases of the run's Redis. Number 0 holds the list of free databases, and tests get the others. */
export const redisDatabases = 64;
const freeNumbers = 'free-database-numbers';

/** Lists all databases but number 0 as free. */
export async function fillDatabaseNumbers(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.sadd(freeNumbers, ...Array.from({ length: redisDatabases - 1 }, (_, index) => index + 1));
  });
}

export interface TestRedis {
  url: string;
  /** Empties the database and returns it to the free databases. */
  close(): Promise<void>;
}

/** Creates an empty Redis database for one test alone. All databases of a server share its pub/sub channels. */
export async function createTestRedis(): Promise<TestRedis> {
  const shared = required('TEST_REDIS_URL');
  const number = await withClient(shared, (client) => client.spop(freeNumbers));
  if (number === null) throw new Error(`all ${redisDatabases - 1} test databases of Redis are in use`);
  const url = `${shared}/${number}`;
  const close = async () => {
    closed();
    await withClient(url, (client) => client.flushdb());
    await withClient(shared, (client) => client.sadd(freeNumbers, number));
  };
  const closed = noteOpen(`Redis database ${number}`, close);
  return { url, close };
}

async function withClient<Result>(url: string, use: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.disconnect();
  }
}

export type OwnRedis = OwnServer<RunningServer>;

/** Starts a Redis for one test alone, which may kill, pause or fill it. */
export async function startOwnRedis(settings: Record<string, string> = {}): Promise<OwnRedis> {
  const executable = await findRedis(process.env);
  if (!executable) throw new Error('no Redis was found, although the global setup found one');
  const folder = makeTestFolder('redis');
  const password = randomBytes(16).toString('hex');
  const port = await findOwnPort();
  return startOwnServer('Redis', () =>
    startRedis({
      executable,
      dataDir: path.join(folder, 'data'),
      password,
      port,
      settings,
      logFile: path.join(folder, 'redis.log'),
      report: () => {},
    }),
  );
}
