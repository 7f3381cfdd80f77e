import { bigTable } from './check-plan.ts';
import type { Findings, StatementFinding } from './findings.ts';
import type { PatientConnection } from './patient-connection.ts';
import { type PlanNode, walk } from './read-plan.ts';
import { sourceOf, type WrittenStatement } from './statement-sources.ts';

/**
 * Adds the faults of generic plans. A connection that has run a named statement five times may plan it once for all
 * parameters, if that does not look more expensive than planning it each time: which runs met it is a matter of chance.
 */
export async function withGenericPlans(
  findings: Findings,
  written: readonly WrittenStatement[],
  connection: PatientConnection,
): Promise<Findings> {
  const big = await readBigTables(connection);
  const statements: StatementFinding[] = [];
  for (const statement of findings.statements) {
    const isNamed = sourceOf(statement.text, written)?.named;
    const plan = isNamed ? await genericPlan(connection, statement.text) : null;
    const scanned = plan ? [...walk(plan)].flatMap((node) => scannedTable(node, big)) : [];
    const what = `scans ${[...new Set(scanned)].join(', ')} with a generic plan`;
    const faults = scanned.length === 0 ? [] : [{ kind: 'generic' as const, what, plan, exception: null }];
    statements.push({ ...statement, faults: [...statement.faults, ...faults] });
  }
  return { ...findings, statements };
}

async function readBigTables({ run }: PatientConnection): Promise<ReadonlySet<string>> {
  const { rows } = await run(`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > $1`, [bigTable]);
  return new Set(rows.map(({ name }) => String(name)));
}

async function genericPlan({ run }: PatientConnection, text: string): Promise<PlanNode> {
  const { rows } = await run(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
  const [{ Plan: plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
  return plan;
}

const scannedTable = (node: PlanNode, big: ReadonlySet<string>) => {
  const table = node['Relation Name'] ?? '';
  return node['Node Type'] === 'Seq Scan' && big.has(table) ? [table] : [];
};
