import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CaptureErrorCode } from '@capture/contract/errors';
import { contractForm, type FormName } from '@capture/contract/forms/forms';
import { type ClaimedCapture, claimCapture } from '@capture/database/captures/claim-capture';
import { endCapture } from '@capture/database/captures/end-capture';
import { endWithEqualCapture } from '@capture/database/captures/equal-captures';
import { sendHeartbeat } from '@capture/database/captures/worker-heartbeat';
import { openDatabase } from '@capture/database/database';
import { createEncryptor } from '@capture/database/encryption';
import { parseAddressRules } from '@capture/egress/address-rules';
import { createHttpsSender } from '@capture/egress/https-sender';
import { connectBlockingRedis, connectRedis, whenReady } from '@capture/queue/connect-redis';
import { openJobQueue } from '@capture/queue/job-queue';
import { startJobWorker } from '@capture/queue/job-worker';
import { enqueueScheduledCaptures } from '@capture/queue/enqueue-captures';
import { onSignal, sendSignal } from '@capture/queue/signals';
import { every } from '@capture/runtime/every';
import { Lifecycle } from '@capture/runtime/lifecycle';
import { createLogger } from '@capture/runtime/log';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import { openDiskStorage } from '@capture/storage/disk-storage';
import { fileUrlMaker } from '@capture/storage/file-link';
import { createTestDatabase } from '@capture/testing/database';
import { createTestRedis } from '@capture/testing/redis';
import request from 'supertest';
import { createApp } from './app.ts';
import { createSessionTokens } from './auth/session-token.ts';
import { BatchWatcher } from './captures/batch-watcher.ts';
import { CaptureWaiter } from './captures/capture-waiter.ts';
import { createEnqueue } from './captures/enqueue.ts';
import { QueueEstimate } from './captures/queue-estimate.ts';
import type { Dependencies } from './dependencies.ts';
import { createClientLimit, failedKeys, failedSignIns, type Often, perHour } from './limits/client-limit.ts';
import { createLocalRateLimiter, createRedisRateLimiter, withFallback } from './limits/rate-limit.ts';
import { createSharedStatements } from './limits/shared-statements.ts';
import { startAccountRemoval } from './operator/account-removal.ts';

export const operatorKey = 'an-operator-key-of-more-than-32-characters';

/** Other dependencies than the usual ones. */
type TestGatewayOptions = Partial<Dependencies> & {
  registrationsPerHour?: number;
  /** How often one client address may bring a key that is none. */
  wrongKeys?: Often;
  /** The authority that signed its receivers' certificates, PEM. */
  trustedAuthority?: string;
};

/** The gateway with a real database, Redis and disk of its own, its requests sent by supertest. */
export async function startTestGateway(form: FormName = 'B', options: TestGatewayOptions = {}) {
  const { registrationsPerHour = 20, wrongKeys = failedKeys, trustedAuthority, ...changes } = options;
  const logged: string[] = [];
  const log = createLogger('api-gateway', { destination: { write: (line: string) => void logged.push(line) } });
  const lifecycle = new Lifecycle(log);
  const testDatabase = await createTestDatabase();
  lifecycle.closing('test database', () => testDatabase.drop());
  const database = openDatabase({ url: testDatabase.url });
  lifecycle.closing('database', () => database.close());
  const testRedis = await createTestRedis();
  lifecycle.closing('test redis', () => testRedis.close());
  const redis = connectRedis({ url: testRedis.url });
  lifecycle.closing('redis', () => redis.disconnect());
  await whenReady(redis, 30_000);
  const captureQueue = openJobQueue(redis, 'capture');
  lifecycle.closing('capture queue', () => captureQueue.close());
  const captureWaiter = new CaptureWaiter(database.pool, log);
  lifecycle.closing('capture waiter', () => captureWaiter.close());
  const signals = connectBlockingRedis({ url: testRedis.url });
  lifecycle.closing('signals', () => signals.disconnect());
  onSignal(signals, 'captureEnded', (captureId) => captureWaiter.hint(captureId));
  const folder = path.join(tmpdir(), `gateway-test-${randomBytes(6).toString('hex')}`);
  lifecycle.closing('folder', () => rm(folder, { recursive: true, force: true }));

  const terms = {
    form: contractForm(form),
    fileUrlOf: fileUrlMaker('http://capture.test', 'a secret key of more than 32 characters'),
  };
  const batchWatcher = new BatchWatcher(database.pool, log);
  lifecycle.closing('batch watcher', () => batchWatcher.close());
  const addressRules = changes.addressRules ?? parseAddressRules({});
  const sender = createHttpsSender(addressRules, trustedAuthority === undefined ? {} : { ca: trustedAuthority });
  lifecycle.closing('sender', () => sender.close());
  const storage = changes.storage ?? (await openDiskStorage({ directory: folder }));
  const accountRemoval = startAccountRemoval({ database, redis, storage, log });
  lifecycle.closing('account removal', () => accountRemoval.stop());
  const dependencies: Dependencies = {
    ...terms,
    log,
    database,
    statements: createSharedStatements(database.pool, log),
    redis,
    captureQueue,
    enqueue: createEnqueue({ database, redis, form: terms.form, captureQueue, log }),
    captureWaiter,
    batchWatcher,
    queueEstimate: new QueueEstimate(database.pool, terms.form),
    batchMaxItems: 1_000,
    storage,
    encryptor: createEncryptor('a secret key of more than 32 characters'),
    rateLimiter: withFallback(createRedisRateLimiter(redis), createLocalRateLimiter()),
    registrationLimit: createClientLimit(redis, 'registrations', perHour(registrationsPerHour)),
    signInLimit: createClientLimit(redis, 'failed-sign-ins', failedSignIns),
    keyFailures: createClientLimit(redis, 'failed-keys', wrongKeys),
    sessionTokens: createSessionTokens('a secret key of more than 32 characters'),
    accountRemoval,
    addressRules,
    sender,
    metrics: createMetrics('api-gateway'),
    links: { publicUrl: 'http://capture.test', secretKey: 'a secret key of more than 32 characters' },
    operatorKey,
    trustProxy: false,
    queueWaitMs: 30_000,
    ...changes,
  };
  const app = createApp(dependencies);
  return {
    ...dependencies,
    app,
    databaseUrl: testDatabase.url,
    redisUrl: testRedis.url,
    /** The lines of its log so far. */
    logged,
    http: request(app),
    /** Registers an address and returns its key; `plan` puts the account on another plan. */
    async register(email: string, plan?: string): Promise<string> {
      const { body } = await request(app).post('/api/auth/register').send({ email }).expect(201);
      if (plan !== undefined) await database.prisma.account.update({ where: { email }, data: { plan } });
      return body.apiKey;
    },
    close: () => lifecycle.close(),
  };
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

/** The 67 bytes of a PNG of one pixel: what the stand-in for a worker draws. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * Stands in for the capture worker: takes jobs from the real queue and ends the captures in the real database, all but
 * the browser: one pixel is what it draws of everything.
 * @param outcome what becomes of a capture. @param rendering what it takes.
 */
export function startTestWorker(
  gateway: TestGateway,
  outcome: (capture: ClaimedCapture) => 'completed' | { code: CaptureErrorCode; message: string },
  rendering: () => Promise<void> = async () => {},
): { close(): Promise<void> } {
  const blocking = connectBlockingRedis({ url: gateway.redisUrl });
  const feed = () => enqueueScheduledCaptures(gateway.database.pool, gateway.form, gateway.captureQueue);
  const heartbeat = () => sendHeartbeat(gateway.database.pool, { id: 'test', pages: 8, captureIds: [] });
  const stopFeeding = every(100, 'feed', gateway.log, async () => {
    await heartbeat();
    await feed();
  });
  const worker = startJobWorker('capture', {
    redis: blocking,
    concurrency: 8,
    async handle({ captureId }) {
      const capture = await claimCapture(gateway.database.pool, { captureId, workerId: 'test' });
      if (!capture) return;
      const expiresAt = new Date(Date.now() + 60_000);
      const ttlS = Number(capture.options.cache_ttl_s ?? 0);
      const at = new Date();
      if (await endWithEqualCapture(gateway.database.pool, gateway, capture, { ttlS, expiresAt, durationMs: 0, at })) return;
      await rendering();
      const result = outcome(capture);
      const format = capture.type === 'pdf' ? 'pdf' : String(capture.options.format ?? 'png');
      const storageKey = `${capture.id}-${capture.attempt}.${format}`;
      if (result === 'completed') await gateway.storage.put(storageKey, onePixel);
      await endCapture(gateway.database.pool, gateway, {
        captureId,
        attempt: capture.attempt,
        durationMs: 5,
        at: new Date(),
        outcome:
          result === 'completed'
            ? {
                status: 'completed',
                format,
                width: 1,
                height: 1,
                fileSize: onePixel.length,
                storageKey,
                expiresAt,
              }
            : { status: 'failed', errorCode: result.code, errorMessage: result.message },
      });
      await sendSignal(gateway.redis, 'captureEnded', captureId);
      await feed();
    },
    onError: (error) => {
      throw error;
    },
  });
  return {
    async close() {
      await stopFeeding();
      await worker.close();
      blocking.disconnect();
    },
  };
}
