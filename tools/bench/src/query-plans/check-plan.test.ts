import { describe, expect, it } from '@jest/globals';
import { checkPlan } from './check-plan.ts';
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

const faultsOf = (plan: PlanNode) => checkPlan(readPlan(plan), tableRows).map(({ what }) => what);

describe('a query plan has a fault', () => {
  it('not if it reads only the returned rows, by an index', () => {
    expect(faultsOf(above('Limit', 20, scan(20)))).toEqual([]);
    expect(faultsOf(above('Limit', 30_000, scan(30_000)))).toEqual([]);
  });

  it('if it scans a large table, however few rows it stopped at', () => {
    const whole = (table: string) => scan(5, { 'Node Type': 'Seq Scan', 'Relation Name': table });
    expect(faultsOf(above('Limit', 5, whole('capture')))).toEqual(['scans capture']);
    expect(faultsOf(above('Limit', 5, whole('worker')))).toEqual([]);
    // The node is in the plan, but was never executed.
    expect(faultsOf(above('Append', 5, { ...whole('capture'), 'Actual Loops': 0 }))).toEqual([]);
  });

  it('if it reads many unneeded rows, over all loops', () => {
    const filtered = scan(1, { 'Rows Removed by Filter': 999, 'Actual Loops': 40 });
    expect(faultsOf(above('Nested Loop', 40, filtered))).toEqual(['reads 40000 rows for 40']);
    expect(faultsOf(above('Aggregate', 1, scan(20_000)))).toEqual(['reads 20000 rows for 1']);
  });

  it('not if it changes as many rows as it reads', () => {
    expect(faultsOf(above('ModifyTable', 0, scan(20_000)))).toEqual([]);
  });

  it('if it sorts many rows', () => {
    expect(faultsOf(above('Sort', 20_000, scan(20_000)))).toEqual(['sorts 20000 rows']);
    // Searches for missing keys count.
    const searched = scan(0, { 'Index Searches': 500 });
    expect(faultsOf({ ...above('Limit', 0, searched), 'Shared Hit Blocks': 3_000 })).toEqual([]);
  });

  it('if it looks up ids in partitions that do not have them', () => {
    const lookup = (searches: number, found: number, partition: number) =>
      scan(found, {
        'Index Name': `capture_202611${10 + partition}_pkey`,
        'Index Cond': '(id = ANY ($1))',
        'Index Searches': searches,
      });
    const partitions = Array.from({ length: 15 }, (_, n) => n);
    const unpruned = partitions.map((n) => lookup(10, n === 0 ? 10 : 0, n));
    expect(faultsOf(above('Append', 10, ...unpruned))).toEqual(['searches 150 times for 10 ids of capture']);
    expect(faultsOf(above('Append', 15, ...partitions.map((n) => lookup(1, 1, n))))).toEqual([]);
    expect(faultsOf(above('Append', 1, lookup(1, 1, 0)))).toEqual([]);
  });

  it('if it reads many pages of an index for few rows', () => {
    expect(
      faultsOf({ ...above('Limit', 1, scan(1)), 'Shared Hit Blocks': 2_000, 'Shared Read Blocks': 1_000 }),
    ).toEqual(['reads 3000 pages for 1 rows']);
  });
});
