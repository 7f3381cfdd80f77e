import type { PlanFacts } from './read-plan.ts';

/** A table from which on reading all of it is no way to find something, rows. */
export const bigTable = 10_000;

/** Rows that nobody minds being sorted, or being looked at for one that is wanted. */
const manyRows = 10_000;

/** As many pages are 16 MB. */
const manyPages = 2_000;

/** What is looked at for one row that is given. */
const rowsForOne = 20;

/** A capture that is inserted touches some 60 pages: its row's, and three or four of each of its indexes. */
const pagesForOne = 150;

export type FaultKind = 'whole table' | 'sort' | 'rows' | 'pages' | 'refused';

export interface Fault {
  kind: FaultKind;
  /** In words, with the figures. */
  what: string;
}

/** What is wrong with the way in which a statement found its rows. @param rowsOf how many rows each table has. */
export function judge(facts: PlanFacts, rowsOf: ReadonlyMap<string, number>): Fault[] {
  const { rowsRead, rowsGiven, searches, pages, wholeTables, sorted } = facts;
  const lookedFor = Math.max(rowsGiven, rowsRead, searches);
  const faults: Fault[] = wholeTables
    .filter(({ table, rows }) => Math.max(rows, rowsOf.get(table) ?? 0) > bigTable)
    .map(({ table }) => ({ kind: 'whole table', what: `reads all of ${table}` }));
  if (sorted > manyRows) faults.push({ kind: 'sort', what: `sorts ${sorted} rows` });
  if (rowsRead > manyRows && rowsRead > rowsForOne * rowsGiven) {
    faults.push({ kind: 'rows', what: `reads ${rowsRead} rows for ${rowsGiven}` });
  }
  if (pages > manyPages && pages > pagesForOne * lookedFor) {
    faults.push({ kind: 'pages', what: `looks at ${pages} pages for ${lookedFor} rows` });
  }
  return faults;
}
