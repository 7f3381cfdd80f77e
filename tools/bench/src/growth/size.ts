import type { PatientConnection } from '../query-plans/patient-connection.ts';

/** The database at the end of a day. */
export interface DaySize {
  bytes: number;
  captures: number;
  deliveries: number;
  partitions: number;
  /** Bytes of each table (without its indexes) and each index, partitions included. */
  relations: Record<string, number>;
}

export async function readSize({ run }: PatientConnection): Promise<DaySize> {
  const { rows } = await run(
    `SELECT pg_database_size(current_database())::float8 AS bytes, (SELECT count(*)::int FROM capture) AS captures,
            (SELECT count(*)::int FROM delivery) AS deliveries,
            (SELECT count(*)::int FROM pg_class WHERE relispartition AND relkind = 'r') AS partitions`,
  );
  const [whole] = rows as [Omit<DaySize, 'relations'>];
  return { ...whole, relations: await readRelations(run) };
}

async function readRelations(run: PatientConnection['run']): Promise<DaySize['relations']> {
  // An index that only the partitions have has no parent.
  const { rows } = await run(
    `SELECT coalesce(parent.relname, regexp_replace(c.relname, '_(first|default|\\d{8})_', '_')) AS name,
            sum(CASE c.relkind WHEN 'r' THEN pg_table_size(c.oid) ELSE pg_relation_size(c.oid) END)::float8 AS bytes
       FROM pg_class c LEFT JOIN pg_inherits ON inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = inhparent
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i') GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

/** A whole week, because partitions are dropped once a week. */
const comparedDays = 7;

/** The tolerated growth of the database, and of a table or index. Autovacuum's leftover space differs by week. */
const tolerance = 1.05;
const relationTolerance = 1.1;

export interface Comparison {
  name: string;
  /** Most bytes before the last week, and in the last week. */
  before: number;
  after: number;
  grows: boolean;
}

/** Smaller tables or indexes, of a few pages, may double. */
const smallBytes = 10_000_000;

/** Whether the database, and each table and index, was larger in the last week than ever before. The largest come first. */
export function compareLastWeek(sizes: readonly DaySize[]): Comparison[] {
  if (sizes.length <= comparedDays) return [];
  const most = (days: readonly DaySize[], bytesOf: (size: DaySize) => number) => Math.max(...days.map(bytesOf));
  const compare = (name: string, bytesOf: (size: DaySize) => number, tolerated = tolerance): Comparison => {
    const before = most(sizes.slice(0, -comparedDays), bytesOf);
    const after = most(sizes.slice(-comparedDays), bytesOf);
    return { name, before, after, grows: after > before * tolerated && after > smallBytes };
  };
  const names = Object.keys(sizes.at(-1)?.relations ?? {});
  const relations = names.map((name) => compare(name, ({ relations: bytes }) => bytes[name] ?? 0, relationTolerance));
  return [compare('database', ({ bytes }) => bytes), ...relations.sort((a, b) => b.after - a.after)];
}
