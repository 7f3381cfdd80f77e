import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type ContractForm, contractForm, type FormName } from '@capture/contract/forms/forms';
import { type Database, openDatabase } from '@capture/database/database';
import { createEncryptor } from '@capture/database/encryption';
import { connectRedis } from '@capture/queue/connect-redis';
import { openPageServer, type PageServer } from '@capture/testing/page-server';
import type { TestProcess } from '@capture/testing/processes';
import { makeRunFolder, makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import type { Redis } from 'ioredis';
import { type CaptureWorker, startWorker, type WorkerOptions } from './capture-worker.ts';
import { type Client, newClient } from './client.ts';
import { countLostAttempts, type Dispatcher, startDispatcher } from './dispatcher.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import type { Servers } from './servers.ts';

/** Nobody else's: the data of these tests goes when they end. */
const secretKey = 'the-secret-key-of-the-fault-tests-only';
export const encryptor = createEncryptor(secretKey);

export interface PlatformOptions {
  /** `B` unless given. */
  form?: FormName;
  /** Form B's times, scaled; milliseconds. */
  retryDelaysMs?: number[];
  timeoutMs?: number;
  /** The built checkout whose services are started; this one unless given. */
  checkout?: string;
}

/** What a case works with: a database of its own, a receiver, pages, and as many processes as it starts. */
export interface Platform {
  servers: Servers;
  /** The checkout whose services are started from now on. */
  checkout: string;
  form: ContractForm;
  databaseUrl: string;
  database: Database;
  redis: Redis;
  receiver: Receiver;
  /** Pages to be captured, on 127.0.0.1, which captures may reach here. */
  pages: PageServer;
  /** The folder of the captures' files. */
  files: string;
  gateways: Gateway[];
  workers: CaptureWorker[];
  dispatchers: Dispatcher[];
  /** Dispatchers that were killed, by their ids, and workers, by what their ids begin with. */
  killed: string[];
  killedWorkers: string[];
  /** Processes that were killed, servers and others too. */
  kills: number;
  /** Attempts whose outcome may be lost: each is sent again (Form B) or dropped. */
  lostAttempts: number;
  newAccount(): Promise<string>;
  newClient(plan?: string): Promise<Client>;
  startGateway(env?: Record<string, string>): Promise<Gateway>;
  startWorker(options?: WorkerOptions): Promise<CaptureWorker>;
  startDispatcher(env?: Record<string, string>): Promise<Dispatcher>;
  /** SIGKILL; resolves when it has ended. */
  killGateway(gateway: Gateway): Promise<void>;
  killWorker(worker: CaptureWorker): Promise<void>;
  killDispatcher(dispatcher: Dispatcher): Promise<void>;
  close(): Promise<void>;
}

export async function openPlatform(servers: Servers, options: PlatformOptions = {}): Promise<Platform> {
  const { form: name = 'B', retryDelaysMs, timeoutMs, checkout = repositoryRoot } = options;
  const closings: (() => unknown)[] = [];
  const close = async () => {
    for (let next = closings.pop(); next; next = closings.pop()) await next();
  };
  try {
    const databaseUrl = await servers.createDatabase();
    // A broken connection is what some cases are about; who used it is told by its own statement.
    const database = openDatabase({ url: databaseUrl, connections: 16, onIdleError: () => {} });
    closings.push(() => database.close());
    const redis = connectRedis({ url: servers.redis.url });
    closings.push(() => redis.disconnect());
    const receiver = await openReceiver(servers.authority);
    closings.push(() => receiver.close());
    const pages = await openPageServer({});
    closings.push(() => pages.close());
    const files = makeTestFolder('captures');
    const place = openBrowserFolder();
    closings.push(() => place.close());
    const environment: Record<string, string> = {
      CONTRACT_FORM: name,
      DATABASE_URL: databaseUrl,
      REDIS_URL: servers.redis.url,
      STORAGE_URL: pathToFileURL(files).href,
      SECRET_KEY: secretKey,
      EGRESS_ALLOW: '127.0.0.1/32',
      NODE_EXTRA_CA_CERTS: servers.authority.file,
      TMPDIR: place.path,
      // As `npm start` sets it.
      UV_THREADPOOL_SIZE: '128',
      // A line an attempt would be megabytes that nobody reads.
      LOG_LEVEL: 'warn',
      ...(retryDelaysMs && { WEBHOOK_RETRY_DELAYS: retryDelaysMs.map((ms) => `${ms}ms`).join(',') }),
      ...(timeoutMs !== undefined && { WEBHOOK_TIMEOUT_MS: String(timeoutMs) }),
    };
    const started = <Service extends { process: TestProcess }>(service: Service, list: Service[]) => {
      closings.push(() => service.process.kill());
      list.push(service);
      return service;
    };
    const kill = async <Service extends { process: TestProcess }>(service: Service, list: Service[]) => {
      await service.process.kill();
      platform.kills += 1;
      const index = list.indexOf(service);
      if (index >= 0) list.splice(index, 1);
    };
    const platform: Platform = {
      servers,
      checkout,
      form: contractForm(name, {
        ...(retryDelaysMs && { retryDelaysMs }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      }),
      databaseUrl,
      database,
      redis,
      receiver,
      pages,
      files,
      gateways: [],
      workers: [],
      dispatchers: [],
      killed: [],
      killedWorkers: [],
      kills: 0,
      lostAttempts: 0,
      newClient: (plan) => newClient(database, encryptor, plan),
      newAccount: async () => (await newClient(database, encryptor)).accountId,
      async startGateway(env) {
        return started(await startGateway({ ...environment, ...env }, platform.checkout), platform.gateways);
      },
      async startWorker(workerOptions = {}) {
        return started(await startWorker(environment, workerOptions, platform.checkout), platform.workers);
      },
      async startDispatcher(env) {
        const known = [...platform.dispatchers.map(({ id }) => id), ...platform.killed];
        const own = { ...environment, ...env };
        return started(await startDispatcher(own, database, known, platform.checkout), platform.dispatchers);
      },
      killGateway: (gateway) => kill(gateway, platform.gateways),
      async killWorker(worker) {
        await kill(worker, platform.workers);
        platform.killedWorkers.push(worker.idPrefix);
      },
      async killDispatcher(dispatcher) {
        await kill(dispatcher, platform.dispatchers);
        platform.killed.push(dispatcher.id);
        platform.lostAttempts += await countLostAttempts(database, dispatcher.id);
      },
      close,
    };
    return platform;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A place for the folders of browsers, where the account that runs them may go: a test's own folders are closed to it. */
function openBrowserFolder(): { path: string; close(): Promise<void> } {
  const path = makeRunFolder();
  chmodSync(path, 0o755);
  // A browser whose worker was killed goes on writing into it for some moments, on a machine under load for seconds.
  const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 200 };
  return { path, close: () => rm(path, options) };
}

/** How often the state of a whole case is looked at, milliseconds: a look counts rows. */
const lookEveryMs = 200;

/** Waits, at most `timeoutMs`, for something that is dear to look at. */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 120_000,
): Promise<void> {
  await waitUntil(
    async () => {
      if (await condition()) return true;
      await sleep(lookEveryMs);
      return false;
    },
    { what, timeoutMs },
  );
}
