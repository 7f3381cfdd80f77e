import { randomBytes } from 'node:crypto';
import pg from 'pg';

// @capture/testing depends on this package, so its tests cannot use it; they share the Postgres that Jest's global setup
// starts.
const server = process.env.TEST_POSTGRES_URL ?? '';

async function onServer(statement: string): Promise<void> {
  await query(server, statement);
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Calls `use` with a new database without tables, and drops it afterwards. */
export async function withEmptyDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  try {
    const url = new URL(server);
    url.pathname = name;
    await use(url.href);
  } finally {
    await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}
