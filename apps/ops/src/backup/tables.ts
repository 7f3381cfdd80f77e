import pg from 'pg';

/** Of the processes that run now, and what Prisma's record has: neither belongs to another place. */
const left = ['_prisma_migrations', 'worker', 'dispatcher', 'sweeper_run'];

export interface TableColumns {
  name: string;
  /** Those that are stored; what the database makes from them it makes again. */
  columns: string[];
  /** About how many, for whoever waits. */
  estimatedRows: number;
}

/** The tables of a backup, those that others refer to before them. */
export async function readTables(client: pg.Client): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns & { refersTo: string[] }>(
    `SELECT c.relname AS name, greatest(c.reltuples, 0)::float8 AS "estimatedRows",
            array(SELECT a.attname::text FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                   ORDER BY a.attnum) AS columns,
            array(SELECT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
                   WHERE k.conrelid = c.oid AND k.contype = 'f') AS "refersTo"
       FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
      ORDER BY c.relname`,
    [left],
  );
  const ordered: typeof rows = [];
  const visit = (table: (typeof rows)[number]) => {
    if (ordered.includes(table)) return;
    for (const each of rows) if (each !== table && table.refersTo.includes(each.name)) visit(each);
    ordered.push(table);
  };
  rows.forEach(visit);
  return ordered.map(({ name, columns, estimatedRows }) => ({ name, columns, estimatedRows }));
}

/** A table with its columns, as `COPY` takes them. */
export function target({ name, columns }: Pick<TableColumns, 'name' | 'columns'>): string {
  return `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;
}
