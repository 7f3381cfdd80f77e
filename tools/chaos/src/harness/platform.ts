import { type ContractForm, contractForm, type FormName } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { createEncryptor } from '@capture/database/encryption';
import { openDatabase } from '@capture/database/open-database';
import { connectRedis } from '@capture/queue/connect-redis';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { openAll } from '@capture/testing/processes/open-all';
import { openServices, secretKey } from '@capture/testing/processes/platform';
import type { TestProcess } from '@capture/testing/processes/processes';
import { repositoryRoot } from '@capture/testing/test-run';
import type { Redis } from 'ioredis';
import { type Client, newClient } from './client.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import type { Servers } from './servers.ts';
import {
  type CaptureWorker,
  countLostAttempts,
  type Dispatcher,
  type Gateway,
  startDispatcher,
  startWorker,
  type WorkerOptions,
} from './services.ts';

export const encryptor = createEncryptor(secretKey);

/** Retry delays of cases that end in seconds. */
export const shortRetryDelaysMs = [500, 1_000, 2_000, 4_000, 8_000];

export interface PlatformOptions {
  /** `B` by default. */
  form?: FormName;
  /** Scaled times of form B, milliseconds. */
  retryDelaysMs?: number[];
  timeoutMs?: number;
  /** The built checkout whose services are started; this one by default. */
  checkout?: string;
}

/** What a case works with: a database of its own, a receiver, pages, and the processes that it starts. */
export interface Platform {
  servers: Servers;
  /** The checkout whose services are started from now on. */
  checkout: string;
  form: ContractForm;
  databaseUrl: string;
  database: Database;
  redis: Redis;
  receiver: Receiver;
  /** Pages to capture, on 127.0.0.1, which captures may reach here: `/page`, and those of the case. */
  pages: PageServer;
  /** The folder of captured files. */
  files: string;
  gateways: Gateway[];
  workers: CaptureWorker[];
  dispatchers: Dispatcher[];
  /** Killed dispatchers by id, and killed workers by id prefix. */
  killed: string[];
  killedWorkers: string[];
  /** Number of killed processes, servers included. */
  kills: number;
  /** Attempts whose outcome may be lost: each is repeated (Form B) or dropped. */
  lostAttempts: number;
  newAccount(): Promise<string>;
  newClient(plan?: string): Promise<Client>;
  startGateway(env?: Record<string, string>): Promise<Gateway>;
  startWorker(options?: WorkerOptions): Promise<CaptureWorker>;
  startDispatcher(env?: Record<string, string>): Promise<Dispatcher>;
  /** SIGKILL; resolves once it has exited. */
  killGateway(gateway: Gateway): Promise<void>;
  killWorker(worker: CaptureWorker): Promise<void>;
  killDispatcher(dispatcher: Dispatcher): Promise<void>;
  close(): Promise<void>;
}

export function openPlatform(servers: Servers, options: PlatformOptions = {}): Promise<Platform> {
  const { form: name = 'B', retryDelaysMs, timeoutMs, checkout = repositoryRoot } = options;
  return openAll(async (onClose) => {
    const databaseUrl = await servers.createDatabase();
    // Some cases break connections; each broken statement reports that itself.
    const database = openDatabase({ url: databaseUrl, connections: 16, onIdleError: () => {} });
    onClose(() => database.close());
    const redis = connectRedis({ url: servers.redis.url });
    onClose(() => redis.disconnect());
    const receiver = await openReceiver(servers.authority);
    onClose(() => receiver.close());
    const pages = await openPageServer({ '/page': '<!doctype html><p>an ordinary page' });
    onClose(() => pages.close());
    const services = await openServices({
      databaseUrl,
      redisUrl: servers.redis.url,
      form: name,
      caFile: servers.authority.file,
      env: {
        ...(retryDelaysMs && { WEBHOOK_RETRY_DELAYS: retryDelaysMs.map((ms) => `${ms}ms`).join(',') }),
        ...(timeoutMs !== undefined && { WEBHOOK_TIMEOUT_MS: String(timeoutMs) }),
      },
    });
    onClose(() => services.close());
    const add = <Service extends { process: TestProcess }>(service: Service, list: Service[]) => {
      // A frozen process would not stop in order.
      onClose(() => service.process.kill());
      list.push(service);
      return service;
    };
    const kill = async <Service extends { process: TestProcess }>(service: Service, list: Service[]) => {
      await service.process.kill();
      platform.kills += 1;
      const index = list.indexOf(service);
      if (index >= 0) list.splice(index, 1);
    };
    const platform: Omit<Platform, 'close'> = {
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
      files: services.files,
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
        return add(await services.start('api-gateway', env, platform.checkout), platform.gateways);
      },
      async startWorker(workerOptions = {}) {
        return add(await startWorker(services, workerOptions, platform.checkout), platform.workers);
      },
      async startDispatcher(env = {}) {
        const known = [...platform.dispatchers.map(({ id }) => id), ...platform.killed];
        return add(await startDispatcher(services, database, known, env, platform.checkout), platform.dispatchers);
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
    };
    return platform;
  });
}
