import pg from 'pg';
import type { PrismaClient } from './generated/client.ts';

/** Postgres for programs that need only hand-written SQL: statements that lock, claim, count exactly or are on the hot path. */
export interface SqlDatabase {
  pool: pg.Pool;
  close(): Promise<void>;
}

/** The same with Prisma for ordinary reads and writes, on the same connections. */
export interface Database extends SqlDatabase {
  prisma: PrismaClient;
}

/** Runs SQL: the pool, or the connection of a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

/**
 * The limits that the server keeps on every connection, so that a process that freezes or is lost, with locks that others
 * need, blocks them for seconds only. A thawed process finds its connection closed. Each is longer than the one above: who
 * waits for a frozen process gets the lock, and who waits for a slow statement gets an error that says so.
 *
 * A program that needs more time, such as a backup, has a connection of its own.
 */
export const serverLimits = {
  /** Between two statements of a transaction a process does nothing but read rows: 5 s is a thousand times what that takes. */
  idleInTransactionMs: 5_000,
  /** A process that does not read its rows, or a network that does not acknowledge them. On Unix sockets without effect. */
  unreadMs: 7_000,
  /** Waiting for a lock. */
  lockMs: 10_000,
  /** A statement that takes longer has a bad query plan. Shorter than every deadline of its callers. */
  statementMs: 15_000,
};

/** How long a caller waits for a free connection. */
export const connectTimeoutMs = 5_000;

export interface DatabaseOptions {
  url: string;
  /** Connections at most; 10 by default, a tenth of what Postgres allows by default. */
  connections?: number;
  /** Called when an idle connection breaks (Postgres restarted); the pool opens a new one by itself. */
  onIdleError?: (error: Error) => void;
}

export function openSqlDatabase(options: DatabaseOptions): SqlDatabase {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: connectTimeoutMs,
    // A new connection plans each of its first statements six times: 40 ms of processor time for those of a gateway.
    idleTimeoutMillis: 300_000,
    statement_timeout: serverLimits.statementMs,
    lock_timeout: serverLimits.lockMs,
    idle_in_transaction_session_timeout: serverLimits.idleInTransactionMs,
    // A statement that asks every partition looks expensive: compiling it would take longer than running it.
    options: `-c tcp_user_timeout=${serverLimits.unreadMs} -c jit=off`,
    // The server's own limits do not help when the server disappears.
    query_timeout: serverLimits.statementMs + 5_000,
    keepAlive: true,
    // A query that is sent before the previous result arrives shares its round trip.
    pipeline: true,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  return { pool, close: () => pool.end() };
}

/**
 * Runs `work` in one transaction on one connection, and rolls back if it throws.
 *
 * @param firstStatement SQL without parameters, sent together with the `BEGIN`.
 */
export async function transaction<T>(
  pool: pg.Pool,
  work: (connection: pg.PoolClient) => Promise<T>,
  firstStatement = '',
): Promise<T> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  let beginError: Error | undefined;
  // A connection that breaks fails the statement in progress and also emits this event, which would otherwise be unhandled.
  const onError = (error: Error) => {
    broken = error;
  };
  connection.on('error', onError);
  try {
    // Sent together with the first statement. If it fails, the connection is lost, and every later statement fails too.
    const begin = connection.query(`BEGIN;${firstStatement}`);
    begin.catch((error: Error) => {
      beginError = error;
    });
    const result = await work(connection);
    await begin;
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw beginError ?? error;
  } finally {
    connection.off('error', onError);
    // A connection that broke or could not roll back is destroyed.
    connection.release(broken);
  }
}

/**
 * SQL: from now on, a transaction sorts only what no index has in order. For statements that stop at a limit: the planner knows how
 * many rows had a status some minutes ago. If there were few, it would read and sort all that there are now, which may be a million.
 */
export const preferIndexOrder = 'SET LOCAL enable_sort = off';

const planOnce = 'SET LOCAL plan_cache_mode = force_generic_plan';

/**
 * Runs a statement with `preferIndexOrder`, in one round trip. Later statements of the transaction sort as ever.
 *
 * A connection plans a named one once: the order of an index does not depend on the parameters, but each new limit looks cheaper
 * than any limit, so that it would be planned each time. That takes a third of the time of a scheduling turn.
 *
 * @param connection of a transaction.
 */
export async function queryInIndexOrder<Row extends pg.QueryResultRow>(
  connection: Queryable,
  query: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const [, result] = await Promise.all([
    connection.query(query.name === undefined ? preferIndexOrder : `${preferIndexOrder}; ${planOnce}`),
    connection.query<Row>(query),
    connection.query('SET LOCAL enable_sort = on; SET LOCAL plan_cache_mode = auto'),
  ]);
  return result;
}

/** Runs statements that only read, and see the same rows: without it each sees what has been committed before it. */
export function inSnapshot<T>(pool: pg.Pool, work: (connection: Queryable) => Promise<T>): Promise<T> {
  return transaction(pool, work, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
}
