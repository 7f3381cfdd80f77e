import { bigTable } from './check-plan.ts';
import type { Findings, StatementFinding } from './findings.ts';
import type { PatientConnection } from './patient-connection.ts';
import { type PlanNode, walk } from './read-plan.ts';
import { findSource, type WrittenStatement } from './statement-sources.ts';

/** The cost of planning that Postgres adds for each table to the cost of a custom plan. */
const planningCost = 2.5;

/**
 * Adds the faults of generic plans. A connection that has run a named statement five times plans it once for all parameters, if
 * that plan does not look more expensive than planning each time. It is a matter of chance which runs met a generic plan.
 */
export async function withGenericPlans(
  findings: Findings,
  written: readonly WrittenStatement[],
  connection: PatientConnection,
): Promise<Findings> {
  const big = await readBigTables(connection);
  const statements: StatementFinding[] = [];
  for (const statement of findings.statements) {
    const isNamed = findSource(statement.text, written)?.named;
    const plan = isNamed ? await genericPlan(connection, statement.text) : null;
    const faults = plan ? findFaults(plan, statement.cost, big) : [];
    statements.push({ ...statement, faults: [...statement.faults, ...faults] });
  }
  return { ...findings, statements };
}

function findFaults(plan: PlanNode, customCost: number, big: ReadonlySet<string>): StatementFinding['faults'] {
  const nodes = [...walk(plan)];
  const tables = nodes.flatMap((node) => node['Relation Name'] ?? []);
  const isChosen = (plan['Total Cost'] ?? 0) < customCost + planningCost * (tables.length + 1);
  const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && big.has(node['Relation Name'] ?? ''));
  if (!isChosen || scanned.length === 0) return [];
  const names = [...new Set(scanned.map((node) => node['Relation Name']))];
  return [{ kind: 'generic', what: `scans ${names.join(', ')} with a generic plan`, plan, exception: null }];
}

async function readBigTables({ run }: PatientConnection): Promise<ReadonlySet<string>> {
  // A partition whose rows were all deleted has an old estimate and no pages.
  const { rows } = await run(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > $1 AND pg_relation_size(oid) > 0`,
    [bigTable],
  );
  return new Set(rows.map(({ name }) => String(name)));
}

async function genericPlan({ run }: PatientConnection, text: string): Promise<PlanNode> {
  const { rows } = await run(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
  const [{ Plan: plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
  return plan;
}
