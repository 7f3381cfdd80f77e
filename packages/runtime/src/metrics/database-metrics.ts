import { Gauge, Histogram, type Registry } from 'prom-client';
import { readMetrics } from './read-metrics.ts';

/** What is watched of a pool of connections to Postgres; `pg.Pool` fits. */
export interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { max?: number | undefined };
  query(statement: string): Promise<{ rows: { now: number }[] }>;
  on(event: 'acquire', listener: (connection: object) => void): unknown;
  on(event: 'release', listener: (error: unknown, connection: object) => void): unknown;
}

/** What one bare statement tells of a database. */
export interface DatabaseResponse {
  seconds: number;
  /** This machine's clock less the database's. */
  clockOffset: number;
}

/** What a process sees of its database: whether and how fast it answers, its clock, and how much its connections are used. */
export function watchDatabase(registry: Registry, pool: WatchedPool): void {
  // First, as they are to tell of the pool without the question that follows.
  watchConnections(registry, pool);
  readMetrics<DatabaseResponse>(registry, () => askDatabase(pool), [
    {
      name: 'capture_database_up',
      help: 'Whether Postgres answered this process within 2 s.',
      show: (answer) => (answer ? 1 : 0),
    },
    {
      name: 'capture_database_response_seconds',
      help: 'How long a bare statement took just now, the wait for a connection included.',
      show: (answer) => answer?.seconds,
    },
    {
      name: 'capture_clock_offset_seconds',
      help: 'By how much the clock of this machine is ahead of the one of Postgres.',
      show: (answer) => answer?.clockOffset,
    },
  ]);
}

/** Asks for the time, and takes it. */
export async function askDatabase(pool: Pick<WatchedPool, 'query'>): Promise<DatabaseResponse> {
  const begun = performance.now();
  const { rows } = await pool.query('SELECT extract(epoch FROM clock_timestamp())::float8 AS now');
  const seconds = (performance.now() - begun) / 1_000;
  // The database looked at its clock somewhere between the question and the answer.
  const clockOffset = Date.now() / 1_000 - seconds / 2 - (rows[0]?.now ?? Number.NaN);
  return { seconds, clockOffset };
}

/** How many connections of a pool are in use, of how many, and how many statements wait for one. */
export function useOf(pool: Pick<WatchedPool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>) {
  const most = pool.options.max ?? 0;
  // The pool also counts, for a moment, those that it is about to give an idle connection.
  const isFull = pool.idleCount === 0 && pool.totalCount >= most;
  return { most, inUse: pool.totalCount - pool.idleCount, waiting: isFull ? pool.waitingCount : 0 };
}

function watchConnections(registry: Registry, pool: WatchedPool): void {
  new Gauge({
    name: 'capture_database_pool_connections',
    help: "Connections of this process's pool, by what they do.",
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'in_use' }, useOf(pool).inUse);
    },
  });
  new Gauge({
    name: 'capture_database_pool_size',
    help: 'Connections that the pool may have at most.',
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
    // From a look-up to the time limit of a statement (15 s).
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
