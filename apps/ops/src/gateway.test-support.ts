import { pathToFileURL } from 'node:url';
import { createTestDatabase } from '@capture/testing/database';
import { findOwnPort } from '@capture/testing/network/own-port';
import { startService } from '@capture/testing/processes/processes';
import { createTestRedis } from '@capture/testing/redis';
import { makeTestFolder } from '@capture/testing/test-run';

export interface TestGateway {
  /** The variables by which the command line finds the gateway. */
  env: { PORT: string; OPERATOR_KEY: string };
  databaseUrl: string;
  close(): Promise<void>;
}

/** Starts a gateway with a new database and Redis. @param more additional environment variables. */
export async function openGateway(more: Record<string, string> = {}): Promise<TestGateway> {
  const env = { PORT: String(await findOwnPort()), OPERATOR_KEY: 'an-operator-key-of-more-than-32-characters' };
  const database = await createTestDatabase();
  const redis = await createTestRedis();
  const gateway = await startService('api-gateway', {
    ...env,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    STORAGE_URL: pathToFileURL(makeTestFolder('gateway')).href,
    SECRET_KEY: 'a-secret-key-of-more-than-32-characters',
    ...more,
  });
  return {
    env,
    databaseUrl: database.url,
    async close() {
      await gateway.stop();
      await redis.close();
      await database.drop();
    },
  };
}
