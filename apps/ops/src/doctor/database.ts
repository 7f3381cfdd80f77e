import { migrationNames } from '@capture/migrations/migration-files';
import pg from 'pg';
import { duration } from '../duration.ts';
import { hostOf } from '../host-of.ts';
import { CannotCheck, fault, group, ok, required, warning } from './check.ts';

/** The oldest version that PostgreSQL still supports. */
const oldestSupported = 15;

/** The connections of one gateway (up to 20), one worker (10) and one dispatcher (10). */
const poolsOfOneEach = 40;

/** A transaction of some minutes blocks vacuum and migrations; no request or cleanup job takes that long. */
const longTransactionS = { warning: 300, fault: 3_600 };

const clockToleranceMs = { warning: 1_000, fault: 10_000 };

interface Subject {
  client: pg.Client;
  host: string;
  connectedInMs: number;
  env: Record<string, string | undefined>;
}

const setting = async ({ client }: Subject, name: string): Promise<string> =>
  (await client.query('SELECT current_setting($1) AS value', [name])).rows[0].value;

export const database = group<Subject>({
  name: 'database',
  async open({ database: known, env }) {
    const url = required(known);
    const host = hostOf(url);
    if (!URL.canParse(url)) throw new CannotCheck(fault('DATABASE_URL is not a URL', 'correct it'));
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      query_timeout: 20_000,
      application_name: 'doctor',
    });
    client.on('error', () => {});
    const startedAt = performance.now();
    try {
      await client.connect();
    } catch (error) {
      const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
      const reason = message || errors?.[0]?.message || code;
      const fix = 'start the server, or correct DATABASE_URL; with `npm start` see logs/postgres.log in DATA_DIR';
      throw new CannotCheck(fault(`${host} refuses the connection: ${reason}`, fix));
    }
    return { client, host, connectedInMs: Math.round(performance.now() - startedAt), env };
  },
  close: ({ client }) => client.end(),
  checks: [
    {
      name: 'reachable',
      about: 'the platform can connect to DATABASE_URL',
      run: ({ host, connectedInMs }) => ok(`connected to ${host} in ${connectedInMs} ms`),
    },
    {
      name: 'version',
      about: 'the PostgreSQL version is supported',
      async run(subject) {
        const version = await setting(subject, 'server_version');
        if (Number.parseInt(version, 10) >= oldestSupported) return ok(`PostgreSQL ${version}`);
        return warning(
          `PostgreSQL ${version}`,
          `upgrade it: the platform is tested with 18, and never with versions before ${oldestSupported}`,
        );
      },
    },
    {
      name: 'migrations',
      about: 'every migration of this version is applied, and none is incomplete',
      async run({ client }) {
        const { rows: exists } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "is"`);
        const { rows } = exists[0].is
          ? await client.query(
              'SELECT migration_name AS name, finished_at AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL',
            )
          : { rows: [] };
        const done = new Set(rows.filter(({ finished }) => finished).map(({ name }) => name));
        const incomplete = rows.filter(({ name, finished }) => !finished && !done.has(name)).map(({ name }) => name);
        if (incomplete.length > 0)
          return fault(`incomplete: ${incomplete.join(', ')}`, 'docs/upgrade.md, “A migration failed”');
        const missing = migrationNames().filter((name) => !done.has(name));
        if (missing.length > 0) {
          return fault(`not applied: ${missing.join(', ')}`, 'restart `npm start`, or run `node prisma/dist/main.js`');
        }
        const newer = [...done].filter((name) => !migrationNames().includes(name));
        if (newer.length > 0) {
          return warning(
            `the database has migrations of a later version: ${newer.join(', ')}`,
            'run the doctor of that version',
          );
        }
        return ok(`all ${done.size} are applied`);
      },
    },
    {
      name: 'contract_form',
      about: 'the data matches CONTRACT_FORM',
      async run({ client, env }) {
        const { rows } = await client.query('SELECT contract_form AS form FROM deployment');
        const bound = rows[0]?.form;
        if (!bound)
          return fault(
            'the database has no recorded API profile',
            'start the platform once, or run `node prisma/dist/main.js`',
          );
        if (!env.CONTRACT_FORM || env.CONTRACT_FORM === bound) return ok(`API profile ${bound}`);
        return fault(
          `the data is of API profile ${bound}, CONTRACT_FORM is ${env.CONTRACT_FORM}`,
          `set CONTRACT_FORM=${bound}`,
        );
      },
    },
    {
      name: 'indexes',
      about: 'no index is invalid: it would cost writes and never be used',
      async run({ client }) {
        const { rows } = await client.query(
          `SELECT indexrelid::regclass AS name FROM pg_index JOIN pg_class c ON c.oid = indexrelid
            WHERE NOT indisvalid AND c.relnamespace = 'public'::regnamespace
              AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = indexrelid)`,
        );
        if (rows.length === 0) return ok('all indexes are valid');
        const names = rows.map(({ name }) => name).join(', ');
        return fault(`invalid: ${names}`, `REINDEX INDEX CONCURRENTLY ${names}`);
      },
    },
    {
      name: 'connections',
      about: 'there are enough connections for every process',
      async run({ client }) {
        const { rows } = await client.query(
          `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
                  (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
        );
        const { most, used } = rows[0];
        const message = `${used} of ${most} are in use`;
        const fix = 'raise max_connections: a gateway uses up to 20, a worker and a dispatcher up to 10 each';
        if (used > most * 0.9) return fault(message, fix);
        if (used > most * 0.7 || most < poolsOfOneEach) return warning(message, fix);
        return ok(message);
      },
    },
    {
      name: 'transactions',
      about: 'no transaction is open long enough to block vacuum and migrations',
      async run({ client }) {
        const { rows } = await client.query(
          `SELECT pid, state, application_name AS name, extract(epoch FROM now() - xact_start)::int AS "openS"
             FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
            ORDER BY xact_start LIMIT 1`,
        );
        const [longest] = rows;
        if (!longest || longest.openS < longTransactionS.warning)
          return ok(`the longest has been open for ${longest?.openS ?? 0} s`);
        const { pid, state, name, openS } = longest;
        const message = `process ${pid}${name ? ` (${name})` : ''}, ${state}, has had one open for ${duration(openS * 1_000)}`;
        const fix = `find out what it does; SELECT pg_terminate_backend(${pid}) ends it`;
        return openS < longTransactionS.fault ? warning(message, fix) : fault(message, fix);
      },
    },
    {
      name: 'durability',
      about: 'commits survive a power failure',
      async run(subject) {
        const names = ['fsync', 'full_page_writes', 'synchronous_commit'];
        const off: string[] = [];
        for (const name of names) if ((await setting(subject, name)) === 'off') off.push(name);
        if (off.length === 0) return ok(`${names.join(', ')} are on`);
        const message = `${off.join(', ')} ${off.length === 1 ? 'is' : 'are'} off`;
        return fault(message, 'turn them on: otherwise a power failure loses accepted captures, or the whole database');
      },
    },
    {
      name: 'autovacuum',
      about: 'autovacuum removes dead rows',
      async run(subject) {
        if ((await setting(subject, 'autovacuum')) === 'on') return ok('autovacuum is on');
        return fault('autovacuum is off', 'turn it on: the rows of queue tables change all the time');
      },
    },
    {
      name: 'clock',
      about: 'the clocks of the database and this machine agree: leases and schedules depend on both',
      async run({ client }) {
        const before = Date.now();
        const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now');
        const apart = Math.round(Number(rows[0].now) - (before + Date.now()) / 2);
        const message = `${Math.abs(apart)} ms ${apart < 0 ? 'behind' : 'ahead of'} this machine`;
        const fix = 'synchronize the clocks of both machines (chrony, systemd-timesyncd)';
        if (Math.abs(apart) > clockToleranceMs.fault) return fault(message, fix);
        return Math.abs(apart) > clockToleranceMs.warning ? warning(message, fix) : ok(message);
      },
    },
  ],
});
