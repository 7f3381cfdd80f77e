import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { applyMigrations } from '@capture/migrations/migrate';
import { findOrInstallChromium } from '@capture/provisioning/install-chromium';
import { findOrInstallRedis } from '@capture/provisioning/install-redis';
import { startPostgres } from '@capture/provisioning/postgres';
import { startRedis } from '@capture/provisioning/redis';
import pg from 'pg';
import { quickPostgres, templateDatabase } from './database.ts';
import { findOwnPort } from './network/own-port.ts';
import { fillDatabaseNumbers, redisDatabases } from './redis.ts';
import { databaseParent, makeRunFolder } from './test-run.ts';

const pageScripts = new URL('../../page-scripts/bundle.mjs', import.meta.url);

const teardown = Symbol.for('capture.test-teardown');

/**
 * Starts one Postgres and one Redis for all test files of a run, in a temporary folder, and creates the migrated database that
 * each test file copies. Missing programs are installed. A program that cannot be installed is an error, never a skipped test.
 * The servers end with this process, however it ends.
 */
export default async function setUp(): Promise<void> {
  const report = (line: string) => process.stderr.write(`tests: ${line}\n`);
  const folder = makeRunFolder();
  const databases = makeRunFolder(databaseParent());
  const closings: (() => unknown)[] = [folder, databases].map(
    (each) => () => rmSync(each, { recursive: true, force: true }),
  );
  (globalThis as Record<symbol, unknown>)[teardown] = closings;
  try {
    // Tests read the source of all packages, but pages need bundled scripts.
    const { bundlePageScripts } = await import(pageScripts.href);
    await bundlePageScripts();
    const password = randomBytes(16).toString('hex');
    const chromium = await findOrInstallChromium(process.env, report);
    const executable = await findOrInstallRedis(process.env, report);

    const redis = await startRedis({
      executable,
      dataDir: path.join(folder, 'redis'),
      password,
      port: await findOwnPort(),
      settings: { databases: String(redisDatabases) },
      logFile: path.join(folder, 'redis.log'),
      report,
    });
    closings.push(() => redis.stop());
    await fillDatabaseNumbers(redis.url);

    const postgres = await startPostgres({
      dataDir: path.join(databases, 'postgres'),
      superuserPassword: password,
      password,
      port: await findOwnPort(),
      settings: quickPostgres,
      logFile: path.join(folder, 'postgres.log'),
      // The single line about a created database would be noise.
      report: () => {},
    });
    closings.push(() => postgres.stop());
    await makeTemplate(postgres.superuserUrl, postgres.url);

    process.env.TEST_FOLDER = folder;
    process.env.TEST_DATABASE_FOLDER = databases;
    process.env.TEST_POSTGRES_URL = postgres.superuserUrl;
    process.env.TEST_REDIS_URL = redis.url;
    process.env.TEST_CHROMIUM_PATH = chromium.path;
    process.env.TEST_CHROMIUM_VERSION = chromium.version;
  } catch (error) {
    await tearDown();
    throw error;
  }
}

/** Stops the servers that `setUp` started, in reverse order. */
export async function tearDown(): Promise<void> {
  const closings = ((globalThis as Record<symbol, unknown>)[teardown] ?? []) as (() => unknown)[];
  for (let close = closings.pop(); close; close = closings.pop()) await close();
}

async function makeTemplate(superuserUrl: string, platformUrl: string): Promise<void> {
  await applyMigrations(platformUrl);
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const migrated = new URL(platformUrl).pathname.slice(1);
    // The migration engine keeps a connection for a while, and a database in use cannot be renamed.
    await client.query('SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE datname = $1', [migrated]);
    await client.query(`ALTER DATABASE ${migrated} RENAME TO ${templateDatabase}`);
  } finally {
    await client.end();
  }
}
