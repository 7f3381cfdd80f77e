import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CaptureErrorCode } from '@capture/contract/errors';
import type { FormName } from '@capture/contract/forms/forms';
import { type ClaimedCapture, claimCapture } from '@capture/database/captures/claim-capture';
import { endCapture } from '@capture/database/captures/end-capture';
import { endWithEqualCapture } from '@capture/database/captures/equal-captures';
import { sendHeartbeat } from '@capture/database/captures/worker-heartbeat';
import { connectBlockingRedis, whenReady } from '@capture/queue/connect-redis';
import { enqueueScheduledCaptures } from '@capture/queue/enqueue-captures';
import { startJobWorker } from '@capture/queue/job-worker';
import { sendSignal } from '@capture/queue/signals';
import { Lifecycle } from '@capture/runtime/lifecycle';
import { every } from '@capture/runtime/service/every';
import { createLogger } from '@capture/runtime/service/log';
import { createTestDatabase } from '@capture/testing/database';
import { createTestRedis } from '@capture/testing/redis';
import { afterAll } from '@jest/globals';
import request from 'supertest';
import { createApp } from './app.ts';
import { createDependencies, type Dependencies, type GatewayConfig } from './create-dependencies.ts';
import { createClientLimit, type Rate } from './limits/client-limit.ts';

export const operatorKey = 'an-operator-key-of-more-than-32-characters';

const secretKey = 'a secret key of more than 32 characters';

export interface TestGatewayOptions {
  /** Settings that replace the defaults. */
  settings?: Partial<GatewayConfig>;
  /** How often one client address may send an invalid key. */
  wrongKeys?: Rate;
  /** The authority that signed the test receivers' certificates, PEM. */
  trustedAuthority?: string;
  /** Parts that replace those of the production wiring. */
  parts?: Partial<Dependencies>;
}

/** Starts the gateway, wired as in production, on a separate database, Redis and folder; supertest sends its requests. */
export async function startTestGateway(form: FormName = 'B', options: TestGatewayOptions = {}) {
  const opened = openContext();
  const { lifecycle } = opened;
  const testDatabase = await createTestDatabase();
  lifecycle.closing('test database', () => testDatabase.drop());
  const testRedis = await createTestRedis();
  lifecycle.closing('test redis', () => testRedis.close());
  const folder = path.join(tmpdir(), `gateway-test-${randomBytes(6).toString('hex')}`);
  lifecycle.closing('folder', () => rm(folder, { recursive: true, force: true }));
  const config: GatewayConfig = {
    PORT: 3000,
    PUBLIC_URL: 'http://capture.test',
    CONTRACT_FORM: form,
    DATABASE_URL: testDatabase.url,
    REDIS_URL: testRedis.url,
    STORAGE_URL: pathToFileURL(folder).href,
    SECRET_KEY: secretKey,
    OPERATOR_KEY: operatorKey,
    EGRESS_ALLOW: '',
    EGRESS_DENY: '',
    TRUST_PROXY: false,
    REGISTRATIONS_PER_HOUR: 20,
    BATCH_MAX_ITEMS: 1_000,
    CAPTURE_RETENTION_DAYS: 90,
  };
  return startGateway(config, opened, options);
}

/** Starts the gateway of all tests of a file, and closes it after them. */
export async function startSharedGateway(form?: FormName, options?: TestGatewayOptions) {
  const gateway = await startTestGateway(form, options);
  afterAll(() => gateway.close());
  return gateway;
}

/** Starts another gateway on the same database, Redis and settings. It closes with the first gateway. */
export async function startSecondGateway(first: TestGateway, options: TestGatewayOptions = {}) {
  const second = await startGateway(first.config, openContext(), options);
  first.lifecycle.closing('second gateway', () => second.close());
  return second;
}

function openContext() {
  const logged: string[] = [];
  const log = createLogger('api-gateway', { destination: { write: (line: string) => void logged.push(line) } });
  return { logged, log, lifecycle: new Lifecycle(log) };
}

async function startGateway(
  base: GatewayConfig,
  { logged, log, lifecycle }: ReturnType<typeof openContext>,
  { settings, wrongKeys, trustedAuthority, parts }: TestGatewayOptions,
) {
  const config = { ...base, ...settings };
  const ca = trustedAuthority === undefined ? {} : { ca: trustedAuthority };
  const production = await createDependencies(config, { log, lifecycle }, ca);
  lifecycle.closing('batch watcher', () => production.batchWatcher.close());
  await whenReady(production.redis, 30_000);
  const dependencies: Dependencies = {
    ...production,
    ...(wrongKeys && {
      clientLimits: {
        ...production.clientLimits,
        failedKeys: createClientLimit(production.redis, 'failed-keys', wrongKeys),
      },
    }),
    ...parts,
  };
  const app = createApp(dependencies);
  const http = request(app);
  /** Sends requests with a header. */
  const client = (name: string, value: string) => {
    const send = (method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete') => (path: string) =>
      http[method](path).set(name, value);
    return {
      get: send('get'),
      head: send('head'),
      post: send('post'),
      put: send('put'),
      patch: send('patch'),
      delete: send('delete'),
    };
  };
  return {
    ...dependencies,
    lifecycle,
    app,
    config,
    /** The lines of the gateway's log so far. */
    logged,
    http,
    /** Requests with an account's key. */
    as: (key: string) => client('X-API-Key', key),
    /** Requests with the operator's key. */
    asOperator: client('Authorization', `Bearer ${config.OPERATOR_KEY}`),
    /** Registers an email address and returns its key; `plan` puts the account on another plan. */
    async register(email: string, plan?: string): Promise<string> {
      const { body } = await request(app).post('/api/auth/register').send({ email }).expect(201);
      if (plan !== undefined) await dependencies.database.prisma.account.update({ where: { email }, data: { plan } });
      return body.apiKey;
    },
    close: () => lifecycle.close(),
  };
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

/** Returns an outcome for `startTestWorker`: captures of a URL with `bad` in it fail. */
export const failIfBad = ({ url }: ClaimedCapture) =>
  url.includes('bad') ? ({ code: 'NAVIGATION_FAILED', message: 'no' } as const) : 'completed';

/** The test worker's screenshot: a PNG of one pixel, 67 bytes. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Stores the HTML files that a capture's options name, as text with their names; undefined if there are none. */
async function storeOutputs({ storage }: TestGateway, { id, options }: ClaimedCapture) {
  const asked = (options.outputs ?? []) as { kind: 'html'; name?: string }[];
  const named = asked.flatMap(({ kind, name }) => (kind === 'html' && name !== undefined ? [{ kind, name }] : []));
  if (named.length === 0) return undefined;
  return Promise.all(
    named.map(async ({ kind, name }) => {
      const bytes = Buffer.from(`The output ${name}.`);
      const key = `${id}-${name}.${kind}`;
      await storage.put(key, bytes);
      return { name, kind, format: kind, size: bytes.length, key };
    }),
  );
}

/**
 * Starts a capture worker without a browser: it takes jobs from the real queue and ends the captures in the real database, with
 * one pixel as every screenshot. It closes with the gateway.
 *
 * @param outcome decides how a capture ends.
 * @param rendering runs before each capture ends.
 */
export function startTestWorker(
  gateway: TestGateway,
  outcome: (capture: ClaimedCapture) => 'completed' | { code: CaptureErrorCode; message: string },
  rendering: () => Promise<void> = async () => {},
): { close(): Promise<void> } {
  const blocking = connectBlockingRedis({ url: gateway.config.REDIS_URL });
  const enqueue = () => enqueueScheduledCaptures(gateway.database.pool, gateway.form, gateway.captureQueue);
  const heartbeat = () => sendHeartbeat(gateway.database.pool, { id: 'test', pages: 8, captureIds: [] });
  const stopEnqueueing = every(100, 'enqueue', gateway.log, async () => {
    await heartbeat();
    await enqueue();
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
      if (await endWithEqualCapture(gateway.database.pool, gateway, capture, { ttlS, expiresAt, durationMs: 0, at }))
        return;
      await rendering();
      const result = outcome(capture);
      const format = capture.type === 'pdf' ? 'pdf' : String(capture.options.format ?? 'png');
      const storageKey = `${capture.id}-${capture.attempt}.${format}`;
      if (result === 'completed') await gateway.storage.put(storageKey, onePixel);
      const outputs = result === 'completed' ? await storeOutputs(gateway, capture) : undefined;
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
                outputs,
              }
            : { status: 'failed', errorCode: result.code, errorMessage: result.message },
      });
      await sendSignal(gateway.redis, 'captureEnded', captureId);
      await enqueue();
    },
    onError: (error) => {
      throw error;
    },
  });
  let closed: Promise<void> | undefined;
  const close = async () => {
    await stopEnqueueing();
    await worker.close();
    blocking.disconnect();
  };
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  gateway.lifecycle.closing('test worker', closeOnce);
  return { close: closeOnce };
}
