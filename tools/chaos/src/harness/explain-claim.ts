import { claimDeliveries } from '@capture/database/deliveries/claim-deliveries';
import { deleteDispatcher, sendDispatcherHeartbeat } from '@capture/database/deliveries/dispatcher-heartbeat';
import { nothingBlocked } from '@capture/database/deliveries/share-slots';
import type pg from 'pg';
import type { Platform } from './platform.ts';

const dispatcher = { id: 'explained', slots: 256 };

/**
 * Explains the statements of one claim of deliveries, which is rolled back.
 *
 * @returns the query plans as lines, each under the name of its statement.
 */
export async function explainClaim({ database, form }: Platform): Promise<string[]> {
  const { pool } = database;
  await sendDispatcherHeartbeat(pool, dispatcher);
  const lines: string[] = [];
  const connection = await pool.connect();
  try {
    const rules = { blocked: () => nothingBlocked, share: shareAll };
    await claimDeliveries(explaining(connection, lines), form, new Date(), rules);
  } finally {
    await connection.query('ROLLBACK');
    connection.release();
    await deleteDispatcher(pool, dispatcher.id);
  }
  return lines;
}

const shareAll = (_slots: number, _inFlight: unknown, due: readonly unknown[]) =>
  due.map(() => ({ slots: 32, atLimit: true }));

/** A pool of one connection that explains each named statement before running it, and commits nothing. */
function explaining(connection: pg.PoolClient, lines: string[]): pg.Pool {
  const query = async (statement: string | { name: string; text: string; values: unknown[] }, values?: unknown[]) => {
    if (typeof statement === 'string') {
      return statement === 'COMMIT' ? connection.query('SELECT 1') : connection.query(statement, values);
    }
    const { rows } = await connection.query(`EXPLAIN (COSTS OFF) ${statement.text}`, statement.values);
    lines.push(`${statement.name}:`, ...rows.map((row) => `  ${row['QUERY PLAN']}`));
    return connection.query(statement.text, statement.values);
  };
  const client = { query, on: () => client, off: () => client, release: () => {} };
  return { connect: async () => client } as unknown as pg.Pool;
}
