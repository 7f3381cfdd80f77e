import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAccount } from '@capture/database/accounts/accounts';
import { findCapture } from '@capture/database/captures/find-capture';
import { reserveCapture } from '@capture/database/captures/reserve-capture';
import type { Database } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { connectRedis } from '@capture/queue/connect-redis';
import { sendSignal } from '@capture/queue/signals';
import { createTestDatabase } from '@capture/testing/database';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { groupOf, listProcesses } from '@capture/testing/processes/process-list';
import { startService, type TestProcess } from '@capture/testing/processes/processes';
import { createTestRedis } from '@capture/testing/redis';
import { makeTestFolder, required } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { browserFolders, openBrowserFolder } from './worker.test-support.ts';

const floodingPage = `<!doctype html><script>
  setInterval(() => fetch('data:,' + 'x'.repeat(5e6) + Math.random()), 0);
</script>`;

describe('the worker process', () => {
  let server: PageServer;
  let database: Database;
  let redis: ReturnType<typeof connectRedis>;
  let env: Record<string, string>;
  let accountId: string;
  let place: string;
  const closings: (() => unknown)[] = [];

  beforeAll(async () => {
    server = await openPageServer({
      '/page': '<!doctype html><p>page',
      '/flood': floodingPage,
    });
    closings.push(() => server.close());
    const testDatabase = await createTestDatabase();
    closings.push(() => testDatabase.drop());
    database = openDatabase({ url: testDatabase.url });
    closings.push(() => database.close());
    const testRedis = await createTestRedis();
    closings.push(() => testRedis.close());
    redis = connectRedis({ url: testRedis.url });
    closings.push(() => redis.disconnect());
    const browserPlace = openBrowserFolder();
    closings.push(() => browserPlace.close());
    place = browserPlace.path;
    env = {
      TMPDIR: place,
      DATABASE_URL: testDatabase.url,
      REDIS_URL: testRedis.url,
      STORAGE_URL: pathToFileURL(makeTestFolder('worker')).href,
      SECRET_KEY: 'a secret key of more than 32 characters'.replaceAll(' ', '-'),
      EGRESS_ALLOW: `127.0.0.1/32:${server.port}`,
      PUPPETEER_EXECUTABLE_PATH: required('TEST_CHROMIUM_PATH'),
      CAPTURE_CONCURRENCY: '2',
    };
    accountId = newId('acc');
    await createAccount(database, { id: accountId, email: 'a@b.c', signingSecret: 'x', createdAt: new Date() });
  });
  afterAll(async () => {
    for (const close of closings.reverse()) await close();
  });

  async function capture(worker: TestProcess, path = '/page', status = 'completed'): Promise<void> {
    const id = newId('req');
    const url = server.url(path);
    const row = {
      webhookUrl: null,
      metadata: null,
      fingerprint: Buffer.alloc(32),
      month: '2026-11',
      monthlyLimit: null,
    };
    await reserveCapture(database.pool, { id, accountId, type: 'screenshot', url, options: { url }, ...row });
    const ended = await waitUntil(
      async () => {
        const row = await findCapture(database.pool, id);
        return row && row.status !== 'queued' && row.status !== 'processing' && row;
      },
      { what: `${id} to end` },
    ).catch(async (error) => {
      const row = await findCapture(database.pool, id);
      throw new Error(`the capture is ${row?.status}; worker output:\n${worker.output()}`, { cause: error });
    });
    const errorMessage = status === 'completed' ? null : expect.any(String);
    expect(ended).toMatchObject({ status, errorMessage });
  }

  /** The process groups of a worker's browsers. */
  function browsersOf(worker: TestProcess): number[] {
    const all = listProcesses().filter(
      (each) => each.parent === worker.pid && each.commandLine.includes('--user-data-dir'),
    );
    return all.map(({ pid }) => pid);
  }

  function browserOf(worker: TestProcess): number {
    const [browser] = browsersOf(worker);
    if (browser === undefined) throw new Error('the worker has no browser');
    return browser;
  }

  it('processes captures, survives a browser crash, and leaves nothing behind when it stops', async () => {
    const worker = await startService('capture-worker', env);
    await capture(worker);
    const browser = browserOf(worker);
    process.kill(-browser, 'SIGKILL');
    await capture(worker);
    expect(browserOf(worker)).not.toBe(browser);
    const last = browserOf(worker);
    expect(await worker.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    await waitUntil(() => groupOf(last).length === 0, { what: 'the browser to be gone' });
    expect(browserFolders(worker.pid, place)).toEqual([]);
    expect(await database.pool.query('SELECT id FROM worker')).toMatchObject({ rows: [] });
    expect(worker.output()).not.toContain(env.SECRET_KEY);
  });

  it('uses a private browser for an account that another worker reports as apart', async () => {
    const worker = await startService('capture-worker', env);
    await capture(worker);
    expect(browsersOf(worker)).toHaveLength(1);
    await waitUntil(
      async () => {
        await sendSignal(redis, 'accountApart', accountId);
        await capture(worker);
        return browsersOf(worker).length === 2;
      },
      { what: 'a private browser' },
    );
    expect(await worker.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(browserFolders(worker.pid, place)).toEqual([]);
  });

  it('reports accounts that are apart to scheduling', async () => {
    const worker = await startService('capture-worker', env);
    const noted = `SELECT FROM account_turn WHERE account_id = $1 AND flooded_at > now() - interval '1 minute'`;
    const isApart = async () => (await database.pool.query(noted, [accountId])).rows.length === 1;
    await capture(worker);
    expect(await isApart()).toBe(false);
    await capture(worker, '/flood', 'failed');
    await waitUntil(isApart, { what: 'the account to be noted' });
    expect(await worker.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('takes its browser with it when killed with -9, and the next worker removes its folder', async () => {
    const worker = await startService('capture-worker', env);
    const browser = browserOf(worker);
    await worker.kill();
    await waitUntil(() => groupOf(browser).length === 0, { what: 'the browser to be gone' });
    const [orphan] = browserFolders(worker.pid, place);
    const next = await startService('capture-worker', env);
    expect(existsSync(path.join(place, orphan!))).toBe(false);
    await capture(next);
    await next.stop();
    expect(browserFolders(next.pid, place)).toEqual([]);
  });
});
