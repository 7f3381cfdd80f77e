import pg from 'pg';
import type { PrismaClient } from './generated/client.ts';

/** Postgres for programs that only use hand-written SQL: statements that lock, claim, count exactly or run often. */
export interface SqlDatabase {
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Adds Prisma for ordinary reads and writes, on the same connections. */
export interface Database extends SqlDatabase {
  prisma: PrismaClient;
}

/** Runs SQL: the pool, or the connection of a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

/**
 * The limits that the server applies to every connection. A process that freezes or is lost while it holds locks then blocks
 * other processes for seconds only, and finds its connection closed when it continues. Each limit is longer than the limit above
 * it: a process that waits for a frozen process gets the lock, and a process that waits for a slow statement gets an error that
 * says so.
 *
 * A program that needs more time, such as a backup, uses a separate connection.
 */
export const serverLimits = {
  /** Between two statements of a transaction a process only reads rows: 5 s is a thousand times as long as that takes. */
  idleInTransactionMs: 5_000,
  /** The time until the server ends a connection whose client does not acknowledge data. It has no effect on Unix sockets. */
  unreadMs: 7_000,
  /** The time that a statement waits for a lock. */
  lockMs: 10_000,
  /** A statement that takes longer has a bad query plan. The limit is shorter than every deadline of a caller. */
  statementMs: 15_000,
};

/** How long a caller waits for a free connection. */
export const connectTimeoutMs = 5_000;

export interface DatabaseOptions {
  url: string;
  /** The maximum number of connections. The default of 10 is a tenth of what Postgres allows by default. */
  connections?: number;
  /** Called when an idle connection breaks (Postgres restarted). The pool opens a new connection. */
  onIdleError?: (error: Error) => void;
}

export function openSqlDatabase(options: DatabaseOptions): SqlDatabase {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: connectTimeoutMs,
    // A new connection plans each of its first statements six times, which takes a gateway 40 ms of processor time.
    idleTimeoutMillis: 300_000,
    statement_timeout: serverLimits.statementMs,
    lock_timeout: serverLimits.lockMs,
    idle_in_transaction_session_timeout: serverLimits.idleInTransactionMs,
    // Postgres estimates a statement that reads every partition as expensive and would compile it, which takes longer than
    // running it.
    options: `-c tcp_user_timeout=${serverLimits.unreadMs} -c jit=off`,
    // The server's limits do not help when the server disappears.
    query_timeout: serverLimits.statementMs + 5_000,
    keepAlive: true,
    // A query that is sent before the previous result arrives shares its round trip.
    pipeline: true,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  return { pool, close: () => pool.end() };
}

/**
 * Runs `work` in one transaction on one connection, and rolls back if `work` throws.
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
    // The `BEGIN` is sent together with the first statement. If it fails, the connection is lost, and every later statement fails
    // too.
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
 * SQL that makes the rest of a transaction sort only if no index has the order. For statements that stop at a limit: the planner
 * only knows how many rows had a status some minutes ago. If there were few then, it would read and sort all of the current rows,
 * which may be a million.
 */
export const preferIndexOrder = 'SET LOCAL enable_sort = off';

const planOnce = 'SET LOCAL plan_cache_mode = force_generic_plan';

/**
 * Runs a statement with `preferIndexOrder`, in one round trip. Later statements of the transaction may sort.
 *
 * A connection plans a named statement once, because the order of an index does not depend on the parameters. Otherwise each new
 * limit would look cheaper than the generic plan, and planning takes a third of the time of a scheduling turn.
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

/** Runs statements that only read and that all see the same rows. Otherwise each statement sees the rows committed before it. */
export function inSnapshot<T>(pool: pg.Pool, work: (connection: Queryable) => Promise<T>): Promise<T> {
  return transaction(pool, work, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
}
