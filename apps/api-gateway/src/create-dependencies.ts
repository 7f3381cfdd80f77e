import { contractForm } from '@capture/contract/forms/forms';
import { openDatabase } from '@capture/database/database';
import { createEncryptor } from '@capture/database/encryption';
import { parseAddressRules } from '@capture/egress/address-rules';
import { createHttpsSender } from '@capture/egress/https-sender';
import { ownEndpoints } from '@capture/egress/own-endpoints';
import { connectBlockingRedis, connectRedis } from '@capture/queue/connect-redis';
import { openJobQueue } from '@capture/queue/job-queue';
import { onSignal } from '@capture/queue/signals';
import type { readConfig } from '@capture/runtime/config';
import { watchDatabase } from '@capture/runtime/metrics/database-metrics';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import { watchRedis } from '@capture/runtime/metrics/redis-metrics';
import { measureStorage } from '@capture/runtime/metrics/storage-metrics';
import type { ServiceContext } from '@capture/runtime/service';
import { settings } from '@capture/runtime/settings';
import { fileUrlMaker } from '@capture/storage/file-link';
import { openStorage } from '@capture/storage/open-storage';
import { createSessionTokens } from './auth/session-token.ts';
import { BatchWatcher } from './captures/batch-watcher.ts';
import { CaptureWaiter } from './captures/capture-waiter.ts';
import { createEnqueue } from './captures/enqueue.ts';
import { QueueEstimate } from './captures/queue-estimate.ts';
import { createClientLimit, failedKeys, failedSignIns, perHour } from './limits/client-limit.ts';
import { createLocalRateLimiter, createRedisRateLimiter, withFallback } from './limits/rate-limit.ts';
import { createSharedStatements } from './limits/shared-statements.ts';
import { startAccountRemoval } from './operator/account-removal.ts';
import { watchPlatform } from './operator/platform-metrics.ts';

/** A synchronous capture that no worker takes within 30 s is refused: few clients wait longer for a first sign. */
const queueWaitMs = 30_000;

export const gatewaySettings = {
  PORT: settings.PORT,
  PUBLIC_URL: settings.PUBLIC_URL,
  CONTRACT_FORM: settings.CONTRACT_FORM,
  DATABASE_URL: settings.DATABASE_URL,
  REDIS_URL: settings.REDIS_URL,
  STORAGE_URL: settings.STORAGE_URL,
  SECRET_KEY: settings.SECRET_KEY,
  SECRET_KEY_PREVIOUS: settings.SECRET_KEY_PREVIOUS,
  OPERATOR_KEY: settings.OPERATOR_KEY,
  EGRESS_ALLOW: settings.EGRESS_ALLOW,
  EGRESS_DENY: settings.EGRESS_DENY,
  TRUST_PROXY: settings.TRUST_PROXY,
  REGISTRATIONS_PER_HOUR: settings.REGISTRATIONS_PER_HOUR,
  BATCH_MAX_ITEMS: settings.BATCH_MAX_ITEMS,
  FILE_RETENTION_DAYS: settings.FILE_RETENTION_DAYS,
  WEBHOOK_TIMEOUT_MS: settings.WEBHOOK_TIMEOUT_MS,
};

export type GatewayConfig = ReturnType<typeof readConfig<typeof gatewaySettings>>;

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

/**
 * Opens the gateway's connections and assembles its parts, for `main.ts` and the tests alike. Everything is closed with
 * `lifecycle`, except the batch watcher: the HTTP server waits for open streams, so whoever serves closes it first.
 *
 * @param options.ca an authority beyond the usual ones that signs webhook receivers' certificates, PEM.
 */
export async function createDependencies(
  config: GatewayConfig,
  { log, lifecycle }: ServiceContext,
  options: { ca?: string } = {},
) {
  const metrics = createMetrics('api-gateway');
  const database = openDatabase({
    url: config.DATABASE_URL,
    connections: 20,
    onIdleError: (error) => log.warn({ err: error }, 'a connection to Postgres broke'),
  });
  lifecycle.closing('database', () => database.close());
  const redis = connectRedis({
    url: config.REDIS_URL,
    onState: (state, error) => log[state === 'lost' ? 'warn' : 'info']({ err: error }, `redis: ${state}`),
  });
  lifecycle.closing('redis', () => redis.disconnect());
  watchDatabase(metrics, database.pool);
  watchRedis(metrics, redis);
  watchPlatform(metrics, { database, redis });
  const signals = connectBlockingRedis({ url: config.REDIS_URL });
  lifecycle.closing('signals', () => signals.disconnect());
  const captureQueue = openJobQueue(redis, 'capture');
  lifecycle.closing('capture queue', () => captureQueue.close());

  const captureWaiter = new CaptureWaiter(database.pool, log);
  lifecycle.closing('capture waiter', () => captureWaiter.close());
  onSignal(signals, 'captureEnded', (captureId) => captureWaiter.hint(captureId));

  const own = await ownEndpoints({ port: config.PORT, urls: [config.DATABASE_URL, config.REDIS_URL] });
  const addressRules = parseAddressRules({ allow: config.EGRESS_ALLOW, deny: config.EGRESS_DENY, own });
  const sender = createHttpsSender(addressRules, options);
  lifecycle.closing('sender', () => sender.close());

  const storage = measureStorage(metrics, config.STORAGE_URL, await openStorage(config.STORAGE_URL));
  const accountRemoval = startAccountRemoval({ database, redis, storage, log });
  lifecycle.closing('account removal', () => accountRemoval.stop());

  const form = contractForm(config.CONTRACT_FORM, {
    ...(config.WEBHOOK_TIMEOUT_MS !== undefined && { timeoutMs: config.WEBHOOK_TIMEOUT_MS }),
  });
  const { SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: previousSecretKey } = config;
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  return {
    form,
    fileUrlOf: fileUrlMaker(publicUrl, secretKey),
    log,
    database,
    statements: createSharedStatements(database.pool, log),
    redis,
    captureQueue,
    enqueue: createEnqueue({ database, redis, form, captureQueue, log }),
    captureWaiter,
    batchWatcher: new BatchWatcher(database, log),
    queueEstimate: new QueueEstimate(database.pool, form),
    storage,
    encryptor: createEncryptor(secretKey, previousSecretKey),
    rateLimiter: withFallback(createRedisRateLimiter(redis), createLocalRateLimiter()),
    registrationLimit: createClientLimit(redis, 'registrations', perHour(config.REGISTRATIONS_PER_HOUR)),
    signInLimit: createClientLimit(redis, 'failed-sign-ins', failedSignIns),
    keyFailures: createClientLimit(redis, 'failed-keys', failedKeys),
    sessionTokens: createSessionTokens(secretKey, previousSecretKey),
    accountRemoval,
    addressRules,
    sender,
    metrics,
    links: { publicUrl, secretKey, previousSecretKey },
    operatorKey: config.OPERATOR_KEY,
    trustProxy: config.TRUST_PROXY,
    batchMaxItems: config.BATCH_MAX_ITEMS,
    fileRetentionDays: config.FILE_RETENTION_DAYS,
    queueWaitMs,
  };
}
