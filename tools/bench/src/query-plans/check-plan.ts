import type { PlanFacts } from './read-plan.ts';

/** A scan of a table with this many rows is a fault. */
export const bigTable = 10_000;

/** The acceptable number of rows to sort, or to read for one result. */
const manyRows = 10_000;

/** 16 MB of pages. */
const manyPages = 2_000;

/** Rows read per row returned. */
const rowsForOne = 20;

/** Inserting a capture touches some 60 pages: its row's, and three or four of each of its indexes. */
const pagesForOne = 150;

/**
 * Postgres prunes no partitions for ids that another part of the statement finds. A search in vain costs three pages, which
 * does no harm for a few ids.
 */
const searchesInVain = 50;

export type FaultKind = 'whole table' | 'sort' | 'rows' | 'pages' | 'partitions' | 'generic' | 'refused';

export interface Fault {
  kind: FaultKind;
  /** The fault in words, with the figures. */
  what: string;
}

/** Returns the faults of a query plan. @param rowsOf the number of rows of each table. */
export function checkPlan(facts: PlanFacts, rowsOf: ReadonlyMap<string, number>): Fault[] {
  const { rowsRead, rowsGiven, searches, pages, wholeTables, sorted, lookups } = facts;
  const lookedFor = Math.max(rowsGiven, rowsRead, searches);
  const faults: Fault[] = wholeTables
    .filter(({ table, rows }) => Math.max(rows, rowsOf.get(table) ?? 0) > bigTable)
    .map(({ table }) => ({ kind: 'whole table', what: `scans ${table}` }));
  if (sorted > manyRows) faults.push({ kind: 'sort', what: `sorts ${sorted} rows` });
  if (rowsRead > manyRows && rowsRead > rowsForOne * rowsGiven) {
    faults.push({ kind: 'rows', what: `reads ${rowsRead} rows for ${rowsGiven}` });
  }
  if (pages > manyPages && pages > pagesForOne * lookedFor) {
    faults.push({ kind: 'pages', what: `reads ${pages} pages for ${lookedFor} rows` });
  }
  for (const lookup of lookups) {
    if (lookup.searches <= 3 * lookup.necessary || lookup.searches - lookup.necessary < searchesInVain) continue;
    const what = `searches ${lookup.searches} times for ${lookup.necessary} ids of ${lookup.table}`;
    faults.push({ kind: 'partitions', what });
  }
  return faults;
}
