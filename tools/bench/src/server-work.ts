import type { Queryable } from '@capture/database/database';
import type { Redis } from 'ioredis';

/** The work of a Postgres and a Redis so far. */
export interface ServerWork {
  /** Transactions. A statement outside of a transaction counts as one. */
  transactions: number;
  /** Rows inserted, changed and removed. */
  rowsWritten: number;
  /** Bytes of the write-ahead log, which go to the disk and to every replica first. */
  walBytes: number;
  redisCommands: number;
  /** Bytes both ways, between Redis and its clients. */
  redisBytes: number;
}

/** Postgres reports a connection's work after up to a second, or at once on request. */
const flushStatistics = 'SELECT pg_stat_force_next_flush()';

export async function serverWork(database: Queryable, redis: Redis): Promise<ServerWork> {
  await database.query(flushStatistics);
  const { rows } = await database.query(
    `SELECT (xact_commit + xact_rollback)::float8 AS transactions,
            (tup_inserted + tup_updated + tup_deleted)::float8 AS "rowsWritten",
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS "walBytes"
       FROM pg_stat_database WHERE datname = current_database()`,
  );
  const stats = await redis.info('stats');
  const figure = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(stats)?.[1]);
  return {
    ...rows[0],
    redisCommands: figure('total_commands_processed'),
    redisBytes: figure('total_net_input_bytes') + figure('total_net_output_bytes'),
  };
}

/** Headings for the figures of `workCells`. */
export const workHead = [
  'transactions',
  'rows written',
  'write-ahead log, kB',
  'Redis commands',
  'Redis traffic, kB',
] as const;

export function workCells(work: ServerWork, transactionDigits = 1): string[] {
  const { transactions, rowsWritten, walBytes, redisCommands, redisBytes } = work;
  const others = [rowsWritten, walBytes / 1_000, redisCommands, redisBytes / 1_000];
  return [transactions.toFixed(transactionDigits), ...others.map((figure) => figure.toFixed(1))];
}

/** Returns the work between two readings, divided by the number of products. */
export function workOfEach(before: ServerWork, after: ServerWork, count: number): ServerWork {
  const names = Object.keys(before) as (keyof ServerWork)[];
  return Object.fromEntries(names.map((name) => [name, (after[name] - before[name]) / count])) as unknown as ServerWork;
}
