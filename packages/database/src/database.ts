import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

/**
 * The one way to Postgres. `prisma` serves look-ups and everyday rows; the statements that must be exact under
 * concurrency are SQL of their own on `pool`, one a file, named by their verb. Both share the pool's connections.
 */
export interface Database {
  prisma: PrismaClient;
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Something that runs SQL: the pool, or the one connection of a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

/** A statement that has not answered by then has met a lock or a plan that it should not: 15 s, under every deadline above it. */
const statementTimeoutMs = 15_000;

export interface DatabaseOptions {
  url: string;
  /** Connections at most. Postgres allows 100 unless told otherwise, so a process takes a tenth. */
  connections?: number;
  /** Told of an idle connection that broke (Postgres restarted); the pool opens a new one by itself. */
  onIdleError?: (error: Error) => void;
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    // The server's own limit does not help when the server is gone without a word.
    query_timeout: statementTimeoutMs + 5_000,
    keepAlive: true,
    // What does not wait for an answer shares a round trip with what comes before it.
    pipeline: true,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    prisma,
    pool,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/**
 * Runs `work` in one transaction on one connection: all of it happens, or, when it throws, none.
 *
 * @param beginning SQL without parameters that comes first, on the way of the `BEGIN`.
 */
export async function transaction<T>(
  pool: pg.Pool,
  work: (connection: pg.PoolClient) => Promise<T>,
  beginning = '',
): Promise<T> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  let notBegun: Error | undefined;
  // A connection that breaks fails the statement under way and tells of it here as well, where nobody else listens.
  const onError = (error: Error) => {
    broken = error;
  };
  connection.on('error', onError);
  try {
    // On its way together with the first statement. Where it fails, the connection is gone, and all the rest with it.
    const begun = connection.query(`BEGIN;${beginning}`);
    begun.catch((error: Error) => {
      notBegun = error;
    });
    const result = await work(connection);
    await begun;
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw notBegun ?? error;
  } finally {
    connection.off('error', onError);
    // A connection that broke, or could not even roll back, is not given to anybody else.
    connection.release(broken);
  }
}
