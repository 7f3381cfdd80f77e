import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type RunningPostgres, startPostgres } from '@capture/provisioning/postgres';
import pg from 'pg';
import { findOwnPort } from './network/own-port.ts';
import { type OwnServer, startOwnServer } from './network/own-server.ts';
import { noteOpen } from './open-resources.ts';
import { makeDatabaseFolder, required } from './test-run.ts';
import { waitUntil } from './wait-until.ts';

/** The migrated database that every test database copies. No client connects to it. */
export const templateDatabase = 'capture_template';

/**
 * Test data must survive a killed server, but not a power loss: each commit is handed to the operating system, but not flushed
 * to disk. Passwords are hashed once, not 4,096 times, because each connection hashes them again.
 */
export const quickPostgres = { fsync: 'off', full_page_writes: 'off', scram_iterations: '1' };

/** The platform's account, which owns the test databases as it owns the real one. */
const account = 'capture';

export interface TestDatabase {
  url: string;
  /** Closes all connections to the database and drops it. */
  drop(): Promise<void>;
}

/** Creates a migrated, empty database. Copying the files takes two thirds of the processor time of copying by the log, Postgres's default. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(`CREATE DATABASE ${name} TEMPLATE ${templateDatabase} OWNER ${account} STRATEGY file_copy`);
  const url = new URL(required('TEST_POSTGRES_URL'));
  url.username = account;
  url.pathname = name;
  const drop = async () => {
    closed();
    // Postgres waits 5 s at most for connections to end.
    await waitUntil(() => asSuperuser(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).then(() => true), {
      what: `database ${name} to be dropped`,
    });
  };
  const closed = noteOpen(`database ${name}`, drop);
  return { url: url.href, drop };
}

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: required('TEST_POSTGRES_URL') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export type OwnPostgres = OwnServer<RunningPostgres>;

/** Starts a Postgres for one test alone, which may kill it. Its database is empty, without migrations. */
export async function startOwnPostgres(settings: Record<string, string> = quickPostgres): Promise<OwnPostgres> {
  const folder = makeDatabaseFolder();
  const password = randomBytes(16).toString('hex');
  const port = await findOwnPort();
  return startOwnServer('Postgres', () =>
    startPostgres({
      dataDir: path.join(folder, 'data'),
      superuserPassword: password,
      password,
      port,
      settings,
      logFile: path.join(folder, 'postgres.log'),
      report: () => {},
    }),
  );
}
