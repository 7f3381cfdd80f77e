import { createEncryptor } from '@capture/database/encryption';
import { openDatabase } from '@capture/database/open-database';
import { partitionedTables } from '@capture/database/partitions/partitioned-tables';
import { openHttpsReceiver } from '@capture/testing/network/https-receiver';
import { openAll } from '@capture/testing/processes/open-all';
import { secretKey } from '@capture/testing/processes/platform';
import { openServers } from '../platform/servers.ts';
import type { RetentionDays } from './cleanup-jobs.ts';
import { exceptions } from './exceptions.ts';
import { type FillTarget, seconds } from './fill.ts';
import { collectFindings, type Findings } from './findings.ts';
import { withGenericPlans } from './generic-plans.ts';
import { openPatientConnection, type PatientConnection } from './patient-connection.ts';
import { playAll, playCleanupJobs } from './play-platform.ts';
import { populate } from './population.ts';
import { exportName, serviceNames } from './services.ts';
import { loggingSettings, logPlans, readStatements } from './statement-log.ts';
import { writtenStatements } from './statement-sources.ts';

/** The data need not survive a power loss, and query plans do not depend on it. */
const quickFill = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  // Autovacuum would disturb measurements.
  autovacuum: 'off',
};

export interface FilledTable {
  name: string;
  rows: number;
  /** The size with indexes. */
  bytes: number;
}

export interface FilledPlatform {
  tables: readonly FilledTable[];
  /** Runs SQL as a superuser. */
  run(text: string): Promise<unknown>;
  /** Uses the whole platform, and returns how each statement found its rows. */
  play(): Promise<Findings>;
  /** Runs only the cleanup jobs, on the existing data. */
  playCleanupJobs(): Promise<Findings>;
  close(): Promise<void>;
}

/** Removes the oldest of three months of captures, and the deliveries that are older than those of a fill. */
const retention: RetentionDays = { captures: 60, deliveries: 30 };

export interface FillOptions {
  fill(target: FillTarget): Promise<void>;
  /** Settings of Postgres, beyond those of a quick fill. */
  settings?: Record<string, string>;
  say(line: string): void;
}

/** Starts a Postgres and a Redis and fills them. */
export function openFilledPlatform({ fill, settings = {}, say }: FillOptions): Promise<FilledPlatform> {
  return openAll(async (onClose) => {
    const receiver = await openHttpsReceiver();
    onClose(() => receiver.close());
    const caFile = receiver.authority.file;
    const servers = await openServers({ caFile, postgresSettings: { ...quickFill, ...loggingSettings, ...settings } });
    onClose(() => servers.close());
    const encryptor = createEncryptor(secretKey);
    const patient = await openPatientConnection(servers.superuserUrl);
    onClose(() => patient.close());
    const administrator = openDatabase({ url: servers.superuserUrl, connections: 1 });
    onClose(() => administrator.close());

    const startedAt = performance.now();
    const population = await populate(administrator, encryptor, receiver.url);
    await fill({ patient, databaseUrl: servers.databaseUrl, population, say });
    say(`filled in ${seconds(startedAt)} s`);
    const tables = await readTables(patient);
    const tableRows = new Map(tables.map((table) => [table.name, table.rows]));
    // A small partition may be scanned, so only the rows read of all partitions together count.
    for (const { name } of partitionedTables) tableRows.delete(name);
    await logPlans(administrator);

    const directNames = ['cleanup', 'rare', 'again'];
    const read = async (names: readonly string[]) => {
      const written = writtenStatements();
      const log = readStatements(administrator, names);
      return withGenericPlans(await collectFindings(log, written, tableRows, exceptions), written, patient);
    };
    return {
      tables,
      run: (text) => patient.run(text),
      async play() {
        await playAll(servers, population, { receiverUrl: receiver.url, retention, say });
        return read([...serviceNames, exportName, ...directNames]);
      },
      async playCleanupJobs() {
        const leaving = { small: population.accountIds.at(-3) as string, large: population.asleep.id };
        await playCleanupJobs(servers, { leaving, retention }, 'again');
        return read(['again']);
      },
    } satisfies Omit<FilledPlatform, 'close'>;
  });
}

async function readTables({ run }: PatientConnection): Promise<FilledTable[]> {
  const { rows } = await run(
    `SELECT relname AS name, greatest(0, reltuples)::float8 AS rows, pg_total_relation_size(oid)::float8 AS bytes
       FROM pg_class WHERE relkind = 'r' AND NOT relispartition AND relnamespace = 'public'::regnamespace
      UNION ALL
     SELECT parent.relname, sum(greatest(0, leaf.reltuples))::float8, sum(pg_total_relation_size(leaf.oid))::float8
       FROM pg_class parent JOIN pg_inherits ON inhparent = parent.oid JOIN pg_class leaf ON leaf.oid = inhrelid
      WHERE parent.relkind = 'p' AND parent.relnamespace = 'public'::regnamespace GROUP BY 1`,
  );
  return rows.map(({ name, rows: count, bytes }) => ({
    name: String(name),
    rows: Number(count),
    bytes: Number(bytes),
  }));
}
