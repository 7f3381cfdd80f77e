import pg from 'pg';
import type { TestGateway } from '../test-gateway.ts';

/** Opens a separate connection to the gateway's database and holds locks with it, for which the gateway's requests wait. */
export async function openLockHolder({ config, lifecycle }: TestGateway) {
  const client = new pg.Client({ connectionString: config.DATABASE_URL });
  await client.connect();
  lifecycle.closing('lock holder', () => client.end());
  return {
    query: (sql: string, values: unknown[] = []) => client.query(sql, values),
    /** The number of connections that wait for a lock. */
    async waiting(): Promise<number> {
      // Within a transaction the view would repeat its first result.
      await client.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await client.query(
        `SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0].count;
    },
  };
}

export type LockHolder = Awaited<ReturnType<typeof openLockHolder>>;
