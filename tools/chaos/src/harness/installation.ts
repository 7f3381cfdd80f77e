import { pathToFileURL } from 'node:url';
import { type ContractForm, contractForm, type FormName } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { openDatabase } from '@capture/database/open-database';
import { connectRedis } from '@capture/queue/connect-redis';
import { isOwnKey } from '@capture/storage/file-key';
import { openStorage } from '@capture/storage/open-storage';
import { openAll } from '@capture/testing/processes/open-all';
import { openServices, type ServiceName, type Services } from '@capture/testing/processes/platform';
import type { TestProcess } from '@capture/testing/processes/processes';
import type { Redis } from 'ioredis';
import type { Servers } from './servers.ts';

export interface InstallationOptions {
  /** `B` by default. */
  form?: FormName;
  /** The scaled times of form B, milliseconds. */
  retryDelaysMs?: number[];
  timeoutMs?: number;
}

/** A running service, with the settings that it was started with. */
interface IdleService {
  settings: string;
  service: { process: TestProcess };
}

/** The servers and processes that the services of a platform share. Cases may follow one another on an installation. */
export interface Installation {
  form: ContractForm;
  databaseUrl: string;
  database: Database;
  redis: Redis;
  services: Services;
  /** Processes of each service, as the previous case started them and left them. */
  idle: Map<ServiceName, IdleService>;
  /** The ids of all dispatchers that have started. */
  dispatchers: string[];
  close(): Promise<void>;
}

export function openInstallation(
  servers: Servers,
  { form = 'B', retryDelaysMs, timeoutMs }: InstallationOptions,
): Promise<Installation> {
  return openAll(async (onClose) => {
    const { url: databaseUrl, drop } = await servers.createDatabase();
    onClose(drop);
    // Some cases break connections, and each broken statement reports that.
    const database = openDatabase({ url: databaseUrl, connections: 16, onIdleError: () => {} });
    onClose(() => database.close());
    const redis = connectRedis({ url: servers.redis.url });
    onClose(() => redis.disconnect());
    const services = await openServices({
      databaseUrl,
      redisUrl: servers.redis.url,
      form,
      caFile: servers.authority.file,
      env: {
        ...(retryDelaysMs && { WEBHOOK_RETRY_DELAYS: retryDelaysMs.map((ms) => `${ms}ms`).join(',') }),
        ...(timeoutMs !== undefined && { WEBHOOK_TIMEOUT_MS: String(timeoutMs) }),
      },
    });
    onClose(() => services.close());
    const idle: Installation['idle'] = new Map();
    onClose(async () => {
      for (const { service } of idle.values()) await service.process.kill();
    });
    const times = { ...(retryDelaysMs && { retryDelaysMs }), ...(timeoutMs !== undefined && { timeoutMs }) };
    return { form: contractForm(form, times), databaseUrl, database, redis, services, idle, dispatchers: [] };
  });
}

/** Lends an installation to one case after the other, emptied, for as long as they need the same options. */
export interface SharedInstallation {
  take(options: InstallationOptions): Promise<Installation>;
  close(): Promise<void>;
}

export function shareInstallation(servers: Servers): SharedInstallation {
  let shared: { key: string; installation: Installation } | undefined;
  const close = async () => {
    const last = shared;
    shared = undefined;
    await last?.installation.close();
  };
  return {
    async take({ form, retryDelaysMs, timeoutMs }) {
      const options = {
        ...(form && { form }),
        ...(retryDelaysMs && { retryDelaysMs }),
        ...(timeoutMs && { timeoutMs }),
      };
      const key = JSON.stringify(options);
      if (shared?.key === key) await empty(shared.installation);
      else {
        await close();
        shared = { key, installation: await openInstallation(servers, options) };
      }
      return shared.installation;
    },
    close,
  };
}

/** Removes all data of cases. Running services need their own entries and those of the installation, which stay. */
async function empty({ database, redis, services }: Installation): Promise<void> {
  await database.pool.query(
    `DO $$ BEGIN
       EXECUTE (
         SELECT 'TRUNCATE ' || string_agg(oid::regclass::text, ', ') FROM pg_class
          WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
            AND relname NOT IN ('_prisma_migrations', 'deployment', 'worker', 'dispatcher'));
     END $$`,
  );
  await redis.flushall();
  const storage = await openStorage(pathToFileURL(services.files).href);
  for await (const key of storage.list(new Date(Date.now() + 60_000))) if (isOwnKey(key)) await storage.remove(key);
}
