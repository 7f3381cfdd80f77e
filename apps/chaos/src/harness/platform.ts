import { setTimeout as sleep } from 'node:timers/promises';
import { type ContractForm, contractForm, type FormName } from '@capture/contract/forms';
import { createAccount } from '@capture/database/create-account';
import { type Database, openDatabase } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { createSealer } from '@capture/database/sealed';
import { signingSecretOf } from '@capture/database/signing-secret';
import { connectRedis } from '@capture/queue/connect-redis';
import { startService, type TestProcess } from '@capture/testing/processes';
import { waitFor } from '@capture/testing/wait-for';
import type { Redis } from 'ioredis';
import { openReceiver, type Receiver, signingSecret } from './receiver.ts';
import type { Servers } from './servers.ts';

/** Nobody else's: the data of these tests goes when they end. */
const secretKey = 'the-secret-key-of-the-fault-tests-only';
export const sealer = createSealer(secretKey);

export interface PlatformOptions {
  /** `B` unless given. */
  form?: FormName;
  /** Form B's times, scaled; milliseconds. */
  retryDelaysMs?: number[];
  timeoutMs?: number;
}

export interface Dispatcher {
  process: TestProcess;
  /** As its heartbeat names it. */
  id: string;
}

/** What a case works with: a database of its own, a receiver, and as many dispatchers as it starts. */
export interface Platform {
  servers: Servers;
  form: ContractForm;
  databaseUrl: string;
  database: Database;
  redis: Redis;
  receiver: Receiver;
  dispatchers: Dispatcher[];
  /** Dispatchers that were killed. */
  killed: string[];
  /** Processes that were killed, servers and others too. */
  kills: number;
  /** Attempts whose outcome may be lost: each is sent again (Form B) or dropped. */
  lostAttempts: number;
  newAccount(): Promise<string>;
  startDispatcher(): Promise<Dispatcher>;
  /** SIGKILL; resolves when it has ended. */
  killDispatcher(dispatcher: Dispatcher): Promise<void>;
  close(): Promise<void>;
}

export async function openPlatform(servers: Servers, options: PlatformOptions = {}): Promise<Platform> {
  const { form: name = 'B', retryDelaysMs, timeoutMs } = options;
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
    const environment: Record<string, string> = {
      CONTRACT_FORM: name,
      DATABASE_URL: databaseUrl,
      REDIS_URL: servers.redis.url,
      SECRET_KEY: secretKey,
      EGRESS_ALLOW: '127.0.0.1/32',
      NODE_EXTRA_CA_CERTS: servers.authority.file,
      // A line an attempt would be megabytes that nobody reads.
      LOG_LEVEL: 'warn',
      ...(retryDelaysMs && { WEBHOOK_RETRY_DELAYS: retryDelaysMs.map((ms) => `${ms}ms`).join(',') }),
      ...(timeoutMs !== undefined && { WEBHOOK_TIMEOUT_MS: String(timeoutMs) }),
    };
    const platform: Platform = {
      servers,
      form: contractForm(name, {
        ...(retryDelaysMs && { retryDelaysMs }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      }),
      databaseUrl,
      database,
      redis,
      receiver,
      dispatchers: [],
      killed: [],
      kills: 0,
      lostAttempts: 0,
      newAccount: () => newAccount(database),
      async startDispatcher() {
        const process = await startService('webhook-dispatcher', environment);
        closings.push(() => process.kill());
        const dispatcher = { process, id: await findNewDispatcher(platform) };
        platform.dispatchers.push(dispatcher);
        return dispatcher;
      },
      async killDispatcher(dispatcher) {
        await dispatcher.process.kill();
        platform.kills += 1;
        platform.dispatchers = platform.dispatchers.filter((each) => each !== dispatcher);
        platform.killed.push(dispatcher.id);
        platform.lostAttempts += await countLost(database, dispatcher.id);
      },
      close,
    };
    return platform;
  } catch (error) {
    await close();
    throw error;
  }
}

async function newAccount({ pool }: Database): Promise<string> {
  const id = newId('acc');
  const sealed = sealer.seal(signingSecret, signingSecretOf(id));
  await createAccount(pool, { id, email: `${id}@example.com`, signingSecret: sealed, createdAt: new Date() });
  return id;
}

/** Dispatchers are started one after the other: the one that is not known yet is the new one. */
async function findNewDispatcher({ database, dispatchers, killed }: Platform): Promise<string> {
  const known = [...dispatchers.map(({ id }) => id), ...killed];
  return waitFor(
    async () => {
      const { rows } = await database.pool.query('SELECT id FROM dispatcher WHERE id <> ALL($1)', [known]);
      return rows[0]?.id as string | undefined;
    },
    { what: "a new dispatcher's heartbeat" },
  );
}

async function countLost({ pool }: Database, dispatcherId: string): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS lost FROM delivery
      WHERE status = 'pending' AND dispatcher_id = $1 AND lease_until IS NOT NULL AND begun_attempt = attempt`,
    [dispatcherId],
  );
  return rows[0].lost;
}

/** How often the state of a whole case is looked at, milliseconds: a look counts rows. */
const lookEveryMs = 200;

/** Waits, at most `timeoutMs`, for something that is dear to look at. */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 120_000,
): Promise<void> {
  await waitFor(
    async () => {
      if (await condition()) return true;
      await sleep(lookEveryMs);
      return false;
    },
    { what, timeoutMs },
  );
}
