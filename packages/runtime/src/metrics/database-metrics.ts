import { Gauge, Histogram, type Registry } from 'prom-client';
import { readMetrics } from './read-metrics.ts';

/** The part of `pg.Pool` that the metrics read. */
export interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { max?: number | undefined };
  query(statement: string): Promise<{ rows: { now: number }[] }>;
  on(event: 'acquire', listener: (connection: object) => void): unknown;
  on(event: 'release', listener: (error: unknown, connection: object) => void): unknown;
}

/** The result of one trivial statement. */
export interface DatabaseResponse {
  seconds: number;
  /** This machine's clock minus the database's, seconds. */
  clockOffset: number;
}

/** Measures a process's view of its database: whether and how fast it responds, its clock, and the use of the connections. */
export function watchDatabase(registry: Registry, pool: WatchedPool): void {
  // These metrics come first, so that they show the pool without the statement below.
  watchConnections(registry, pool);
  readMetrics<DatabaseResponse>(registry, () => askDatabase(pool), [
    {
      name: 'capture_database_up',
      help: 'Whether Postgres responded to this process within 2 s.',
      show: (reading) => (reading ? 1 : 0),
    },
    {
      name: 'capture_database_response_seconds',
      help: 'Time of a trivial statement, including the wait for a connection.',
      show: (reading) => reading?.seconds,
    },
    {
      name: 'capture_clock_offset_seconds',
      help: "How far this machine's clock is ahead of that of Postgres.",
      show: (reading) => reading?.clockOffset,
    },
  ]);
}

/** Reads the database's clock and measures the response time. */
export async function askDatabase(pool: Pick<WatchedPool, 'query'>): Promise<DatabaseResponse> {
  const startedAt = performance.now();
  const { rows } = await pool.query('SELECT extract(epoch FROM clock_timestamp())::float8 AS now');
  const seconds = (performance.now() - startedAt) / 1_000;
  // The database read its clock at some point between the statement and the response.
  const clockOffset = Date.now() / 1_000 - seconds / 2 - (rows[0]?.now ?? Number.NaN);
  return { seconds, clockOffset };
}

/** Returns a pool's size, its connections in use, and the statements that wait for a connection. */
export function useOf(pool: Pick<WatchedPool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>) {
  const most = pool.options.max ?? 0;
  // The pool briefly also counts statements that are about to get an idle connection.
  const isFull = pool.idleCount === 0 && pool.totalCount >= most;
  return { most, inUse: pool.totalCount - pool.idleCount, waiting: isFull ? pool.waitingCount : 0 };
}

function watchConnections(registry: Registry, pool: WatchedPool): void {
  new Gauge({
    name: 'capture_database_pool_connections',
    help: "Connections of this process's pool, by state.",
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'in_use' }, useOf(pool).inUse);
    },
  });
  new Gauge({
    name: 'capture_database_pool_size',
    help: 'Maximum size of the pool.',
    registers: [registry],
    collect() {
      this.set(pool.options.max ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'capture_database_pool_waiting',
    help: 'Statements and transactions that wait because all connections are in use.',
    registers: [registry],
    collect() {
      this.set(useOf(pool).waiting);
    },
  });
  const uses = new Histogram({
    name: 'capture_database_connection_use_seconds',
    help: 'How long a statement or a transaction held its connection. Cleanup jobs hold one for as long as they run.',
    // The buckets reach from a look-up to the timeout of a statement (15 s).
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  });
  const since = new WeakMap<object, number>();
  pool.on('acquire', (connection) => since.set(connection, performance.now()));
  pool.on('release', (_error, connection) => {
    const from = since.get(connection);
    if (from !== undefined) uses.observe((performance.now() - from) / 1_000);
  });
}
