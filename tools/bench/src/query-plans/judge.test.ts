import { describe, expect, it } from '@jest/globals';
import { judge } from './check-plan.ts';
import { type PlanNode, readPlan } from './read-plan.ts';

const tableRows = new Map([
  ['capture', 1_000_000],
  ['worker', 8],
]);

const scan = (rows: number, more: Partial<PlanNode> = {}): PlanNode => ({
  'Node Type': 'Index Scan',
  'Relation Name': 'capture',
  'Index Name': 'capture_pkey',
  'Actual Rows': rows,
  'Actual Loops': 1,
  ...more,
});

const above = (type: string, rows: number, ...plans: PlanNode[]): PlanNode => ({
  'Node Type': type,
  'Actual Rows': rows,
  'Actual Loops': 1,
  Plans: plans,
});

const faultsOf = (plan: PlanNode) => judge(readPlan(plan), tableRows).map(({ what }) => what);

describe('a plan is judged', () => {
  it('well, where it reads by an index what it gives', () => {
    expect(faultsOf(above('Limit', 20, scan(20)))).toEqual([]);
    expect(faultsOf(above('Limit', 30_000, scan(30_000)))).toEqual([]);
  });

  it('by the size of a table that it reads whole, however few rows it stopped at', () => {
    const whole = (table: string) => scan(5, { 'Node Type': 'Seq Scan', 'Relation Name': table });
    expect(faultsOf(above('Limit', 5, whole('capture')))).toEqual(['reads all of capture']);
    expect(faultsOf(above('Limit', 5, whole('worker')))).toEqual([]);
    // It is in the plan, and was not needed.
    expect(faultsOf(above('Append', 5, { ...whole('capture'), 'Actual Loops': 0 }))).toEqual([]);
  });

  it('by what it reads in vain, in all of its loops', () => {
    const filtered = scan(1, { 'Rows Removed by Filter': 999, 'Actual Loops': 40 });
    expect(faultsOf(above('Nested Loop', 40, filtered))).toEqual(['reads 40000 rows for 40']);
    expect(faultsOf(above('Aggregate', 1, scan(20_000)))).toEqual(['reads 20000 rows for 1']);
  });

  it('by what it changes, where it gives nothing', () => {
    expect(faultsOf(above('ModifyTable', 0, scan(20_000)))).toEqual([]);
  });

  it('by the rows that it sorts', () => {
    expect(faultsOf(above('Sort', 20_000, scan(20_000)))).toEqual(['sorts 20000 rows']);
    // As many keys that are not there.
    const searched = scan(0, { 'Index Searches': 500 });
    expect(faultsOf({ ...above('Limit', 0, searched), 'Shared Hit Blocks': 3_000 })).toEqual([]);
  });

  it('by pages, where an index is read for entries that it does not tell of', () => {
    expect(
      faultsOf({ ...above('Limit', 1, scan(1)), 'Shared Hit Blocks': 2_000, 'Shared Read Blocks': 1_000 }),
    ).toEqual(['looks at 3000 pages for 1 rows']);
  });
});
