import { randomBytes } from 'node:crypto';
import pg from 'pg';

// @capture/testing depends on this package, so its tests cannot use it. They share the Postgres that Jest's global setup starts.
const server = process.env.TEST_POSTGRES_URL ?? '';

/** Calls `use` with a new connection. */
export async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Runs one statement on a new connection. */
export const query = (url: string, statement: string): Promise<Record<string, unknown>[]> =>
  withClient(url, async (client) => (await client.query(statement)).rows);

/** Calls `use` with a new database without tables, and drops it afterwards. */
export async function withEmptyDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name}`);
  try {
    const url = new URL(server);
    url.pathname = name;
    await use(url.href);
  } finally {
    await query(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}
