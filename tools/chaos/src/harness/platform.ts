import type { ContractForm } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { createEncryptor } from '@capture/database/encryption';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { openAll } from '@capture/testing/processes/open-all';
import { type ServiceName, secretKey } from '@capture/testing/processes/platform';
import { isAlive } from '@capture/testing/processes/process-list';
import type { TestProcess } from '@capture/testing/processes/processes';
import { repositoryRoot } from '@capture/testing/test-run';
import type { Redis } from 'ioredis';
import { type Client, newClient } from './client.ts';
import { type Installation, type InstallationOptions, openInstallation } from './installation.ts';
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

/** The times of short cases that lose Postgres, which follow one another on one installation. */
export const shortTimes = { retryDelaysMs: shortRetryDelaysMs, timeoutMs: 3_000 };

export interface PlatformOptions extends InstallationOptions {
  /** The built checkout whose services are started; by default this checkout. */
  checkout?: string;
  /** Services that must not run before the case starts them, although the previous case may have left them. */
  without?: readonly ServiceName[];
}

/** The resources of a case: a separate database, a receiver, pages, and the processes that the case starts. */
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
  /** The number of killed processes, including servers. */
  kills: number;
  /** Attempts whose outcome may be lost. Each is repeated (Form B) or dropped. */
  lostAttempts: number;
  newAccount(): Promise<string>;
  newClient(plan?: string): Promise<Client>;
  startGateway(env?: Record<string, string>): Promise<Gateway>;
  startWorker(options?: WorkerOptions): Promise<CaptureWorker>;
  startDispatcher(env?: Record<string, string>): Promise<Dispatcher>;
  /** Sends SIGKILL. Resolves once the gateway has exited. */
  killGateway(gateway: Gateway): Promise<void>;
  killWorker(worker: CaptureWorker): Promise<void>;
  killDispatcher(dispatcher: Dispatcher): Promise<void>;
  close(): Promise<void>;
}

/** @param lent an installation that other cases use, too. The platform leaves a process of each service for them. */
export function openPlatform(
  servers: Servers,
  { checkout = repositoryRoot, without = [], ...options }: PlatformOptions = {},
  lent?: Installation,
): Promise<Platform> {
  return openAll(async (onClose) => {
    const installation = lent ?? (await openInstallation(servers, options));
    if (!lent) onClose(() => installation.close());
    const { form, databaseUrl, database, redis, services, idle } = installation;
    for (const name of without) {
      await idle.get(name)?.service.process.kill();
      idle.delete(name);
    }
    const receiver = await openReceiver(servers.authority);
    onClose(() => receiver.close());
    const pages = await openPageServer({ '/page': '<!doctype html><p>an ordinary page' });
    onClose(() => pages.close());
    /** Starts a service, unless the previous case has left one with the same settings. */
    const start = async <Service extends { process: TestProcess }>(
      name: ServiceName,
      own: object,
      list: Service[],
      startAnother: () => Promise<Service>,
    ) => {
      const settings = JSON.stringify([platform.checkout, own]);
      const left = idle.get(name);
      idle.delete(name);
      const reused = left?.settings === settings;
      // The left service would take work from the new service.
      if (left && !reused) await left.service.process.kill();
      const service = reused ? (left.service as Service) : await startAnother();
      onClose(async () => {
        const isKept = lent && !idle.has(name) && list.includes(service) && isAlive(service.process.pid);
        if (isKept) idle.set(name, { settings, service });
        // A frozen process would not stop in order.
        else await service.process.kill();
      });
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
      form,
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
      startGateway: (env = {}) =>
        start('api-gateway', env, platform.gateways, () => services.start('api-gateway', env, platform.checkout)),
      startWorker: (own = {}) =>
        start('capture-worker', own, platform.workers, () => startWorker(services, own, platform.checkout)),
      startDispatcher: (env = {}) =>
        start('webhook-dispatcher', env, platform.dispatchers, async () => {
          const started = await startDispatcher(services, database, installation.dispatchers, env, platform.checkout);
          installation.dispatchers.push(started.id);
          return started;
        }),
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
