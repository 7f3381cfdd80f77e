import { contractForm } from '@capture/contract/forms/forms';
import { createAccount } from '@capture/database/accounts/accounts';
import { findCapture, type StoredCapture } from '@capture/database/captures/find-capture';
import { reserveCapture } from '@capture/database/captures/reserve-capture';
import type { Database } from '@capture/database/database';
import { createEncryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { parseAddressRules } from '@capture/egress/address-rules';
import { connectBlockingRedis, connectRedis, whenReady } from '@capture/queue/connect-redis';
import { onSignal } from '@capture/queue/signals';
import { countCacheResults } from '@capture/runtime/metrics/cache-metrics';
import { Registry } from '@capture/runtime/metrics/metrics';
import { createLogger } from '@capture/runtime/service/log';
import { openDiskStorage } from '@capture/storage/disk-storage';
import { fileUrlMaker } from '@capture/storage/file-link';
import type { Storage } from '@capture/storage/storage';
import { createTestDatabase } from '@capture/testing/database';
import { createTestRedis } from '@capture/testing/redis';
import { makeTestFolder } from '@capture/testing/test-run';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Cleaner } from '../clean/clean.ts';
import { createRenderers } from '../render/renderers.ts';
import { openForTests, quiet, small } from '../worker.test-support.ts';
import { createCaptureMetrics } from './capture-metrics.ts';
import type { ProcessDependencies } from './process-capture.ts';
import { RunningCaptures } from './running-captures.ts';
import { SlotRelease } from './slot-release.ts';

/** The month of the captures' quota. */
export const month = '2026-11';

export interface CaptureJobParts {
  database: Database;
  /** The folder of the storage. */
  folder: string;
  storage: Storage;
  accountId: string;
  logged: Record<string, unknown>[];
  /** Ids of captures whose end was signalled. */
  ended: string[];
  dependencies: ProcessDependencies;
}

/** The capture job for the tests of one `describe`, with Chromium and a private database, Redis and folder. */
export function useCaptureJob(pages: Parameters<typeof openForTests>[0]) {
  const { server, worker } = openForTests(pages);
  const closings: (() => unknown)[] = [];
  let parts: CaptureJobParts;

  beforeAll(async () => {
    const testDatabase = await createTestDatabase();
    closings.push(() => testDatabase.drop());
    const database = openDatabase({ url: testDatabase.url });
    closings.push(() => database.close());
    const testRedis = await createTestRedis();
    closings.push(() => testRedis.close());
    const redis = connectRedis({ url: testRedis.url });
    closings.push(() => redis.disconnect());
    expect(await whenReady(redis, 30_000)).toBe(true);
    const signals = connectBlockingRedis({ url: testRedis.url });
    closings.push(() => signals.disconnect());
    const folder = makeTestFolder('process');
    const storage = await openDiskStorage({ directory: folder });
    const ended: string[] = [];
    onSignal(signals, 'captureEnded', (captureId) => ended.push(captureId));
    const logged: Record<string, unknown>[] = [];
    const accountId = newId('acc');
    await createAccount(database, { id: accountId, email: 'a@b.c', signingSecret: 'x', createdAt: new Date() });
    const dependencies = {
      cells: worker.cells,
      accountPages: worker.accountPages,
      renderers: createRenderers('quick'),
      cleaner: new Cleaner({ adListsDir: undefined, log: quiet }),
      encryptor: createEncryptor('a secret key of more than 32 characters'),
      rules: parseAddressRules({ allow: `127.0.0.1/32:${server.port}` }),
      form: contractForm('B'),
      storage,
      database,
      redis,
      fileUrlOf: fileUrlMaker('http://capture.test', 'a secret key of more than 32 characters'),
      running: new RunningCaptures(),
      slotRelease: new SlotRelease(0),
      workerId: 'worker-1',
      metrics: createCaptureMetrics(new Registry()),
      cacheResults: countCacheResults(new Registry()),
      log: createLogger('test', { destination: { write: (line: string) => void logged.push(JSON.parse(line)) } }),
      schedule: () => undefined,
    };
    parts = { database, folder, storage, accountId, logged, ended, dependencies };
  });
  afterAll(async () => {
    for (const close of closings.reverse()) await close();
  });

  return {
    server,
    worker,
    /** Available from `beforeAll` on. */
    get parts() {
      return parts;
    },
    /** @returns the id of a new capture. */
    async submit(
      url: string,
      options: object | ((id: string) => object) = {},
      fingerprint = Buffer.alloc(32),
    ): Promise<string> {
      const { database, accountId } = parts;
      const id = newId('req');
      const all = { url, ...small, ...(typeof options === 'function' ? options(id) : options) };
      const row = { webhookUrl: null, metadata: null, fingerprint, month, monthlyLimit: null };
      await reserveCapture(database.pool, { id, accountId, type: 'screenshot', url, options: all, ...row });
      return id;
    },
    async find(id: string): Promise<StoredCapture> {
      const capture = await findCapture(parts.database.pool, id);
      if (!capture) throw new Error(`no ${id}`);
      return capture;
    },
    /** Returns the keys in the storage. */
    async files(): Promise<string[]> {
      const found: string[] = [];
      for await (const key of parts.storage.list(new Date(Date.now() + 60_000))) found.push(key);
      return found;
    },
    lineOf: (id: string) => parts.logged.find((line) => line.request_id === id && line.msg === 'capture'),
  };
}
