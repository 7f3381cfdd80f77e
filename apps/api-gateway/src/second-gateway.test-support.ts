import { openDatabase } from '@capture/database/database';
import { connectRedis, whenReady } from '@capture/queue/connect-redis';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import request from 'supertest';
import { createApp } from './app.ts';
import { createSessionTokens } from './auth/session-token.ts';
import type { Dependencies } from './dependencies.ts';
import { createClientLimit, failedKeys, failedSignIns } from './limits/client-limit.ts';
import { createSharedStatements } from './limits/shared-statements.ts';
import type { TestGateway } from './test-gateway.ts';

/** Another gateway of the same deployment: connections and memory of its own, the same database, Redis and secrets. */
export async function startSecondGateway(first: TestGateway, changes: Partial<Dependencies> = {}) {
  const database = openDatabase({ url: first.databaseUrl });
  const redis = connectRedis({ url: first.redisUrl });
  await whenReady(redis, 30_000);
  const app = createApp({
    ...first,
    database,
    statements: createSharedStatements(database.pool, first.log),
    redis,
    signInLimit: createClientLimit(redis, 'failed-sign-ins', failedSignIns),
    keyFailures: createClientLimit(redis, 'failed-keys', failedKeys),
    sessionTokens: createSessionTokens(first.links.secretKey, first.links.previousSecretKey),
    metrics: createMetrics('api-gateway'),
    ...changes,
  });
  return {
    http: request(app),
    async close() {
      redis.disconnect();
      await database.close();
    },
  };
}
