import path from 'node:path';
import { createAccount } from '@capture/database/accounts/create-account';
import { type Database, openDatabase } from '@capture/database/database';
import { newId } from '@capture/database/ids';
import { createTestDatabase } from '@capture/testing/database';
import { openPageServer, type PageServer } from '@capture/testing/page-server';
import { startProcess, type TestProcess } from '@capture/testing/processes';
import { createTestRedis } from '@capture/testing/redis';
import { makeTestFolder, repositoryRoot, required } from '@capture/testing/test-run';

/** A real platform and pages for it to capture. */
export interface PlatformUnderTest {
  url: string;
  pages: PageServer;
  database: Database;
  /** A new account and its key; of the plan `business` unless said otherwise. */
  newAccount(plan?: string): Promise<{ id: string; apiKey: string }>;
  close(): Promise<void>;
}

/** A platform as `npm start` has it, on a database of its own. @param env settings beside those that it needs. */
export async function openPlatform(env: Record<string, string> = {}): Promise<PlatformUnderTest> {
  const closings: (() => unknown)[] = [];
  const pages = await openPageServer({});
  closings.push(() => pages.close());
  const testDatabase = await createTestDatabase();
  closings.push(() => testDatabase.drop());
  const database = openDatabase({ url: testDatabase.url });
  closings.push(() => database.close());
  const redis = await createTestRedis();
  closings.push(() => redis.close());
  const platform = startProcess({
    name: 'platform',
    args: [path.join(repositoryRoot, 'apps', 'standalone', 'dist', 'main.js')],
    env: {
      DATA_DIR: makeTestFolder('platform'),
      PORT: '0',
      DATABASE_URL: testDatabase.url,
      REDIS_URL: redis.url,
      EGRESS_ALLOW: `127.0.0.1/32:${pages.port}`,
      PUPPETEER_EXECUTABLE_PATH: required('TEST_CHROMIUM_PATH'),
      ...env,
    },
  });
  closings.push(() => platform.stop());
  const [, url = ''] = await platform.waitForOutput(/address: +(\S+)/, 180_000);
  return {
    url,
    pages,
    database,
    async newAccount(plan = 'business') {
      const id = newId('acc');
      const account = { id, email: `${id}@example.com`, signingSecret: 'x', createdAt: new Date() };
      const issued = await createAccount(database.pool, account);
      await database.pool.query('UPDATE account SET plan = $2 WHERE id = $1', [id, plan]);
      return { id, apiKey: String(issued?.apiKey) };
    },
    async close() {
      for (const close of closings.reverse()) await close();
    },
  };
}

/** The built command line, as somebody runs it who is at no terminal. */
export function runCapture(args: readonly string[], env: Record<string, string> = {}): TestProcess {
  return startProcess({
    name: `capture ${args[0]}`,
    args: [path.join(repositoryRoot, 'apps', 'cli', 'dist', 'main.js'), ...args],
    // Nobody's own settings are read.
    env: { XDG_CONFIG_HOME: path.join(required('TEST_FOLDER'), 'no-settings'), ...env },
  });
}

/** Runs it to its end. */
export async function capture(args: readonly string[], env: Record<string, string> = {}) {
  const run = runCapture(args, env);
  const { code } = await run.exited;
  return { code, output: run.output() };
}
