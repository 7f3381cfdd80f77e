import { chmodSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { applyMigrations } from '@capture/migrations/migrate';
import { createTestDatabase, startOwnPostgres } from '../database.ts';
import { openHttpsReceiver } from '../network/https-receiver.ts';
import { findOwnPort } from '../network/own-port.ts';
import { openPageServer, type Page } from '../network/page-server.ts';
import { createTestRedis, startOwnRedis } from '../redis.ts';
import { makeRunFolder, makeTestFolder, repositoryRoot, required } from '../test-run.ts';
import { waitUntil } from '../wait-until.ts';
import { callApi, registerAccount } from './accounts.ts';
import { openAll } from './open-all.ts';
import { listProcesses } from './process-list.ts';
import { startService, type TestProcess } from './processes.ts';

export const secretKey = 'a-secret-key-of-more-than-32-characters';
export const operatorKey = 'an-operator-key-of-more-than-32-characters';

/** Starts a Postgres and a Redis for one test, benchmark or chaos run alone. The database is migrated and empty. */
export function startOwnServers(postgresSettings: Record<string, string> = {}) {
  return openAll(async (onClose) => {
    const postgres = await startOwnPostgres(postgresSettings);
    onClose(() => postgres.stop());
    await applyMigrations(postgres.url);
    const redis = await startOwnRedis();
    onClose(() => redis.stop());
    return { postgres, redis };
  });
}

export type ServiceName = 'api-gateway' | 'capture-worker' | 'webhook-dispatcher';

export interface ServicesOptions {
  databaseUrl: string;
  redisUrl: string;
  /** `B` by default. */
  form?: 'A' | 'B';
  /** The certificate file of the authority that signs the receivers' certificates. */
  caFile?: string;
  /** Overrides the settings of every service. */
  env?: Record<string, string>;
}

export interface RunningService {
  process: TestProcess;
  /** The URL of the gateway: `http://127.0.0.1:…`, without a trailing slash. */
  url: string;
}

/** Starts built services of one platform, one by one. They share a database, a Redis, a file store and keys. */
export function openServices({ databaseUrl, redisUrl, form = 'B', caFile, env = {} }: ServicesOptions) {
  return openAll(async (onClose) => {
    const files = makeTestFolder('files');
    // The browser runs as another account, which cannot enter a test's own folders.
    const browserFolder = makeRunFolder();
    chmodSync(browserFolder, 0o755);
    onClose(async () => {
      // A browser whose worker was killed keeps writing into the folder until it has ended, on a loaded machine for seconds.
      await waitUntil(() => !listProcesses().some(({ commandLine }) => commandLine.includes(browserFolder)), {
        what: 'the end of the browsers',
      });
      rmSync(browserFolder, { recursive: true, force: true });
    });
    const environment: Record<string, string> = {
      CONTRACT_FORM: form,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      STORAGE_URL: pathToFileURL(files).href,
      SECRET_KEY: secretKey,
      EGRESS_ALLOW: '127.0.0.1/32',
      TMPDIR: browserFolder,
      LOG_LEVEL: 'warn',
      // `npm start` sets the same size.
      UV_THREADPOOL_SIZE: '128',
      MALLOC_ARENA_MAX: '2',
      PUPPETEER_EXECUTABLE_PATH: required('TEST_CHROMIUM_PATH'),
      CAPTURE_CONCURRENCY: '2',
      ...(caFile && { NODE_EXTRA_CA_CERTS: caFile }),
    };
    return {
      /** The folder of captured files. */
      files,
      /** @param checkout the root of the built checkout of the service; by default this checkout. */
      async start(service: ServiceName, own: Record<string, string> = {}, checkout = repositoryRoot) {
        const port = await findOwnPort();
        const listening = { PORT: String(port), OPERATOR_KEY: operatorKey, REGISTRATIONS_PER_HOUR: '1000000' };
        const settings = { ...environment, ...(service === 'api-gateway' && listening), ...env, ...own };
        const process = await startService(service, settings, checkout);
        onClose(() => process.stop());
        return { process, url: `http://127.0.0.1:${port}` } satisfies RunningService;
      },
    };
  });
}

export type Services = Awaited<ReturnType<typeof openServices>>;

export interface PlatformOptions {
  form?: 'A' | 'B';
  /** Services to start with the gateway; none by default. */
  services?: readonly ('capture-worker' | 'webhook-dispatcher')[];
  /** Pages to capture. */
  pages?: Record<string, Page>;
  env?: Record<string, string>;
}

/** Starts a gateway and `services` on a private test database, with pages to capture and a webhook receiver. */
export function startPlatform({ services: names = [], pages = {}, ...options }: PlatformOptions = {}) {
  return openAll(async (onClose) => {
    const database = await createTestDatabase();
    onClose(() => database.drop());
    const redis = await createTestRedis();
    onClose(() => redis.close());
    const pageServer = await openPageServer(pages);
    onClose(() => pageServer.close());
    const receiver = await openHttpsReceiver();
    onClose(() => receiver.close());
    const caFile = receiver.authority.file;
    const services = await openServices({ databaseUrl: database.url, redisUrl: redis.url, caFile, ...options });
    onClose(() => services.close());
    const [gateway, ...others] = await Promise.all([
      services.start('api-gateway'),
      ...names.map((name) => services.start(name)),
    ]);
    const { url } = gateway;
    let registered = 0;
    return {
      url,
      operatorKey,
      pages: pageServer,
      receiver,
      /** The gateway comes first, then `services` in their order. */
      processes: [gateway, ...others].map(({ process }) => process),
      /** Sends a request with a key. Throws for every status but 2xx. */
      call: (key: string, method: string, path: string, body?: object) => callApi(url, key, method, path, body),
      /** Registers an account, on a plan that allows many captures a second by default, and returns its key. */
      register(plan?: string): Promise<string> {
        registered += 1;
        return registerAccount({ url, operatorKey }, plan, `customer-${registered}@example.com`);
      },
    };
  });
}

export type PlatformUnderTest = Awaited<ReturnType<typeof startPlatform>>;
