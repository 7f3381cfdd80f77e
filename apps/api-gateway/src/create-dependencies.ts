import { followDatabase } from '@capture/database/database-clock';
import { createEncryptor } from '@capture/database/encryption';
import { forgetLinkBounds } from '@capture/database/links/link-bounds';
import { forgetLinkRenders } from '@capture/database/links/link-renders';
import { withPrisma } from '@capture/database/open-database';
import { createHttpsSender } from '@capture/egress/https-sender';
import { serviceAddressRules } from '@capture/egress/own-endpoints';
import { openConnections } from '@capture/queue/service-connections';
import { onSignal } from '@capture/queue/signals';
import type { readConfig } from '@capture/runtime/config';
import { deploymentForm } from '@capture/runtime/deployment-form';
import { countCacheResults } from '@capture/runtime/metrics/cache-metrics';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import { measureStorage } from '@capture/runtime/metrics/storage-metrics';
import { every } from '@capture/runtime/service/every';
import type { ServiceContext } from '@capture/runtime/service/service';
import { serviceSettings } from '@capture/runtime/service-settings';
import { openMailServer } from '@capture/runtime/smtp';
import { fileUrlMaker } from '@capture/storage/file-link';
import { openStorage } from '@capture/storage/open-storage';
import { createSessionTokens } from './auth/session-token.ts';
import { BatchWatcher } from './captures/batch-watcher.ts';
import { CaptureWaiter } from './captures/capture-waiter.ts';
import { createEnqueue } from './captures/enqueue.ts';
import { QueueEstimate } from './captures/queue-estimate.ts';
import { Admission } from './limits/admission.ts';
import { createClientLimits } from './limits/client-limit.ts';
import { createLocalRateLimiter, createRedisRateLimiter, withFallback } from './limits/rate-limit.ts';
import { createSharedStatements } from './limits/shared-statements.ts';
import { createMailCounter, startMailSender } from './mail/mail-sender.ts';
import { defaultSender } from './mail/sign-in-mail.ts';
import { AgentCalls } from './mcp/agent-calls.ts';
import { startAccountRemoval } from './operator/account-removal.ts';
import { watchPlatform } from './operator/platform-metrics.ts';
import { createRunningReplays } from './webhooks/running-replays.ts';

/** How long a synchronous capture waits for a worker before it is refused, milliseconds: few clients wait longer. */
const queueWaitMs = 30_000;

/** How often old marks and counts of link renders are removed, milliseconds. One run suffices for a minute of the busiest day. */
const forgetEveryMs = 60_000;

/** How often the clock is compared, milliseconds. Clocks that are not synchronized drift by some milliseconds a minute. */
const clockEveryMs = 5_000;

export const gatewaySettings = serviceSettings['api-gateway'];

export type GatewayConfig = ReturnType<typeof readConfig<typeof gatewaySettings>>;

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

/**
 * Opens the gateway's connections and assembles its parts, for `main.ts` and the tests alike. `lifecycle` closes everything
 * except the batch watcher: the HTTP server waits for open streams, so the server's owner closes the watcher first.
 *
 * @param options.ca a further authority for certificates of webhook receivers and of the mail server, PEM.
 */
export async function createDependencies(
  config: GatewayConfig,
  { log, lifecycle }: ServiceContext,
  options: { ca?: string } = {},
) {
  const metrics = createMetrics('api-gateway');
  const connections = openConnections(config, { log, lifecycle }, { metrics, databaseConnections: 20 });
  const { redis } = connections;
  const database = withPrisma(connections.database);
  lifecycle.closing('prisma', () => database.prisma.$disconnect());
  await connections.requireForm(config.CONTRACT_FORM);
  await followDatabase(database.pool);
  const stopFollowing = every(clockEveryMs, 'reading the clock of Postgres', log, () => followDatabase(database.pool));
  lifecycle.closing('clock', () => stopFollowing());
  watchPlatform(metrics, { database, redis });
  const signals = connections.openBlockingRedis('signals');
  const captureQueue = connections.openQueue('capture');

  const captureWaiter = new CaptureWaiter(database.pool, log);
  lifecycle.closing('capture waiter', () => captureWaiter.close());
  onSignal(signals, 'captureEnded', (captureId) => captureWaiter.hint(captureId));
  const agentCalls = new AgentCalls(redis);
  onSignal(signals, 'agentCallCancelled', (call) => agentCalls.cancelHere(call));

  const { rules: addressRules } = await serviceAddressRules(config);
  const sender = createHttpsSender(addressRules, options);
  lifecycle.closing('sender', () => sender.close());

  const storage = measureStorage(metrics, config.STORAGE_URL, await openStorage(config.STORAGE_URL));
  const accountRemoval = startAccountRemoval({ database, redis, storage, log });
  lifecycle.closing('account removal', () => accountRemoval.stop());

  const form = deploymentForm(config, {
    ...(config.WEBHOOK_TIMEOUT_MS !== undefined && { timeoutMs: config.WEBHOOK_TIMEOUT_MS }),
  });
  const { SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: previousSecretKey } = config;
  const admission = new Admission(form);
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  const stopForgetting = every(forgetEveryMs, 'forget link renders', log, async () => {
    await forgetLinkRenders(database.pool);
    await forgetLinkBounds(database.pool);
  });
  lifecycle.closing('forgetting of link renders', () => stopForgetting());
  const mails = createMailCounter(metrics);
  const mailSender =
    config.SMTP_URL === undefined
      ? null
      : startMailSender({
          database,
          server: openMailServer(config.SMTP_URL, options),
          from: config.MAIL_FROM ?? defaultSender(publicUrl),
          publicUrl,
          mails,
          log,
        });
  lifecycle.closing('mail sender', () => mailSender?.stop());
  return {
    // The deployment.
    form,
    links: { publicUrl, secretKey, previousSecretKey },
    fileUrlOf: fileUrlMaker(publicUrl, secretKey),
    ownOrigin: `http://127.0.0.1:${config.PORT}`,
    trustProxy: config.TRUST_PROXY,
    batchMaxItems: config.BATCH_MAX_ITEMS,
    fileRetentionDays: config.FILE_RETENTION_DAYS,
    queueWaitMs,
    log,
    metrics,
    // Authentication and limits.
    operatorKey: config.OPERATOR_KEY,
    sessionTokens: createSessionTokens(secretKey, previousSecretKey),
    admission,
    rateLimiter: withFallback(createRedisRateLimiter(redis), createLocalRateLimiter()),
    clientLimits: createClientLimits(redis, config.REGISTRATIONS_PER_HOUR),
    // Where state is kept.
    database,
    statements: createSharedStatements(database.pool, admission, log),
    redis,
    storage,
    encryptor: createEncryptor(secretKey, previousSecretKey),
    // Captures and batches.
    captureQueue,
    enqueue: createEnqueue({ database, redis, form, captureQueue, log }),
    captureWaiter,
    batchWatcher: new BatchWatcher(database, log),
    queueEstimate: new QueueEstimate(database.pool, form),
    cacheResults: countCacheResults(metrics),
    agentCalls,
    // Webhooks and mails.
    addressRules,
    sender,
    runningReplays: createRunningReplays(),
    mailSender,
    accountRemoval,
  };
}
