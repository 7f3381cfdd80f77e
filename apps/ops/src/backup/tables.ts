import pg from 'pg';

/** The tables that are not backed up: running processes, mails that a restored platform must not send, and the migration record. */
const excluded = ['_prisma_migrations', 'worker', 'dispatcher', 'sweeper_run', 'sign_in_link'];

export interface TableColumns {
  name: string;
  /** The stored columns, without generated columns. */
  columns: string[];
  /** The estimated number of rows, for the progress bar. */
  estimatedRows: number;
}

/** Reads the tables of a backup, referenced tables first. */
export async function readTables(client: pg.Client): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns & { refersTo: string[] }>(
    `SELECT c.relname AS name, (SELECT sum(greatest(p.reltuples, 0))::float8 FROM pg_class p
              WHERE p.oid = c.oid OR p.oid IN (SELECT relid FROM pg_partition_tree(c.oid) WHERE isleaf)) AS "estimatedRows",
            array(SELECT a.attname::text FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                   ORDER BY a.attnum) AS columns,
            array(SELECT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
                   WHERE k.conrelid = c.oid AND k.contype = 'f') AS "refersTo"
       FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relname <> ALL ($1)
      ORDER BY c.relname`,
    [excluded],
  );
  const ordered: typeof rows = [];
  const visit = (table: (typeof rows)[number]) => {
    if (ordered.includes(table)) return;
    for (const other of rows) if (other !== table && table.refersTo.includes(other.name)) visit(other);
    ordered.push(table);
  };
  rows.forEach(visit);
  return ordered.map(({ name, columns, estimatedRows }) => ({ name, columns, estimatedRows }));
}

export const listColumns = ({ columns }: Pick<TableColumns, 'columns'>) =>
  columns.map((column) => pg.escapeIdentifier(column)).join(', ');

/** A table and its columns in the syntax of `COPY`. */
export function target({ name, columns }: Pick<TableColumns, 'name' | 'columns'>): string {
  return `${pg.escapeIdentifier(name)} (${listColumns({ columns })})`;
}
