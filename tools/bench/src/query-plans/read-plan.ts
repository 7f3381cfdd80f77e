/** A node of an executed plan in Postgres's JSON. Figures are the mean of its loops. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  /** Number of index descents, over all loops. */
  'Index Searches'?: number;
  'Total Cost'?: number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** The work of one execution of a statement. */
export interface PlanFacts {
  /** The distinct indexes that were used. Those of a table's partitions count as one. */
  indexes: string[];
  /** Rows or index entries read. */
  rowsRead: number;
  /** Rows returned or changed, whichever is more. */
  rowsGiven: number;
  /** Number of index descents: one for each key, also for missing keys. */
  searches: number;
  /** Pages of 8 kB read, cached or not. */
  pages: number;
  /** Sequentially scanned tables, and the rows read. The partitions of a table count together. */
  wholeTables: { table: string; rows: number }[];
  /** Rows of the largest sort. */
  sorted: number;
  /** Look-ups of ids in partitioned tables. */
  lookups: Lookup[];
}

/** Rows of a partitioned table that are looked up by their ids. Each id belongs to one partition. */
export interface Lookup {
  table: string;
  /** Index descents, in all partitions. */
  searches: number;
  /** The minimum number of necessary descents. */
  necessary: number;
}

export function readPlan(root: PlanNode): PlanFacts {
  const nodes = [...walk(root)];
  const scans = nodes.filter((node) => isScan(node));
  const changed = nodes.filter((node) => node['Node Type'] === 'ModifyTable');
  return {
    indexes: [...new Set(nodes.flatMap((node) => (timesRun(node) > 0 ? indexesOf(node) : [])))].sort(),
    rowsRead: total(scans.map(rowsSeen)),
    rowsGiven: Math.max(rowsOf(root), total(changed.map((node) => total((node.Plans ?? []).slice(0, 1).map(rowsOf))))),
    searches: total(scans.map((node) => node['Index Searches'] ?? 0)),
    pages: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
    wholeTables: findWholeTables(scans.filter((node) => node['Node Type'] === 'Seq Scan' && timesRun(node) > 0)),
    sorted: Math.max(0, ...nodes.filter((node) => /Sort$/.test(node['Node Type'])).map(rowsBelow)),
    lookups: findLookups(nodes),
  };
}

/** The end of a partition's name (packages/database/src/partitions). */
const partition = /_(?:first|default|\d{8})$/;

/** The name of the index, without the name of the partition. */
const indexesOf = ({ 'Index Name': name }: PlanNode) =>
  name === undefined ? [] : [name.replace(/_(?:first|default|\d{8})_/, '_')];

function findWholeTables(scans: readonly PlanNode[]): PlanFacts['wholeTables'] {
  const rows = new Map<string, number>();
  for (const scan of scans) {
    const table = (scan['Relation Name'] ?? '').replace(partition, '');
    rows.set(table, (rows.get(table) ?? 0) + rowsSeen(scan));
  }
  return [...rows].map(([table, read]) => ({ table, rows: read }));
}

/** The scans of the partitions of one Append are searches for the same ids. */
function findLookups(nodes: readonly PlanNode[]): Lookup[] {
  const isLookup = (node: PlanNode) =>
    /_(?:first|default|\d{8})_pkey$/.test(node['Index Name'] ?? '') &&
    /\b(?:delivery_)?id = /.test(node['Index Cond'] ?? '');
  return nodes.flatMap(({ Plans = [] }) => {
    const scans = Plans.flatMap((plan) => (isScan(plan) ? [plan] : (plan.Plans ?? []).filter(isScan))).filter(isLookup);
    const searches = scans.map((scan) => scan['Index Searches'] ?? 0);
    const [first] = scans;
    if (!first) return [];
    const table = (first['Index Name'] as string).replace(/_(?:first|default|\d{8})_pkey$/, '');
    return [{ table, searches: total(searches), necessary: Math.max(total(scans.map(rowsOf)), ...searches) }];
  });
}

export function* walk(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* walk(child);
}

/** A bitmap heap scan is already counted in its index scan. */
function isScan(node: PlanNode): boolean {
  return node['Index Name'] !== undefined || node['Node Type'] === 'Seq Scan' || node['Node Type'] === 'Tid Scan';
}

const timesRun = (node: PlanNode) => node['Actual Loops'] ?? 0;
const rowsOf = (node: PlanNode) => Math.round((node['Actual Rows'] ?? 0) * timesRun(node));
const rowsBelow = (node: PlanNode) => total((node.Plans ?? []).slice(0, 1).map(rowsOf));

function rowsSeen(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return rowsOf(node) + Math.round(removed * timesRun(node));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
