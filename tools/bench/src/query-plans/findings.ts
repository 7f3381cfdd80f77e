import { checkPlan, type Fault, type FaultKind } from './check-plan.ts';
import type { Exception } from './exceptions.ts';
import type { PlanNode } from './read-plan.ts';
import { exportName, serviceNames } from './services.ts';
import type { Execution, Refusal } from './statement-log.ts';
import { findSource, isWrittenAs, type WrittenStatement } from './statement-sources.ts';

/** A fault of a statement, and its exception, if any. */
export interface FoundFault extends Fault {
  /** The plan of the worst run, for fixing the statement; null if no run ended. */
  plan: PlanNode | null;
  exception: Exception | null;
}

/** The findings of one statement. */
export interface StatementFinding {
  /** The source file in `packages/database`, or another origin. */
  source: string;
  text: string;
  applications: string[];
  /** The number of runs that ended. */
  runs: number;
  /** The indexes that any run used. */
  indexes: string[];
  /** The parameters of the run that read most. */
  parameters: string;
  rowsRead: number;
  rowsGiven: number;
  pages: number;
  /** The mean of the planner's cost estimates. */
  cost: number;
  /** The median and maximum of the runs. */
  ms: number;
  slowestMs: number;
  faults: FoundFault[];
}

export interface Findings {
  statements: StatementFinding[];
  /** Statements in the sources that were not run. */
  notRun: WrittenStatement[];
  /** Statements that Postgres refused or canceled. */
  refusals: Refusal[];
}

const isService = (application: string) => [...serviceNames, exportName].some((name) => name === application);

/** Statements that Postgres runs for foreign keys. */
const isOfPostgres = (text: string) => / FROM ONLY |^UPDATE ONLY /.test(text);

/** Returns the source of statements without a file. */
function otherSource(text: string, application: string | undefined): string {
  if (application === exportName) return '(export)';
  if (isOfPostgres(text)) return '(foreign keys)';
  const [, table] = /"public"\."(\w+)"/.exec(text) ?? [];
  if (table !== undefined) return `(Prisma: ${table})`;
  return '(services)';
}

type PlannedFault = Omit<FoundFault, 'exception'>;

/** The facts that are kept of the runs of one statement, of which there may be hundreds of thousands. */
interface Runs {
  applications: Set<string>;
  indexes: Set<string>;
  times: number[];
  /** The sum of all costs. */
  cost: number;
  /** The run that read most. */
  most: Pick<Execution, 'parameters' | 'rowsRead' | 'rowsGiven' | 'pages'>;
  /** The worst fault of each kind. */
  faults: Map<FaultKind, PlannedFault>;
}

/** Checks every run of every statement. @param tableRows the number of rows of each table. */
export async function collectFindings(
  log: AsyncIterable<Execution | Refusal>,
  written: readonly WrittenStatement[],
  tableRows: ReadonlyMap<string, number>,
  exceptions: readonly Exception[],
): Promise<Findings> {
  const runsOf = new Map<string, Runs>();
  const runsOfSame = ({ text, application }: Execution | Refusal): Runs => {
    const runs = runsOf.get(text) ?? noRuns();
    runsOf.set(text, runs);
    runs.applications.add(application);
    return runs;
  };
  const refusals: Refusal[] = [];
  for await (const entry of log) {
    if ('why' in entry) refusals.push(entry);
    else addRun(runsOfSame(entry), entry, checkPlan(entry, tableRows));
  }
  for (const refusal of refusals.filter(({ why }) => /timeout/.test(why))) {
    addFault(runsOfSame(refusal), { kind: 'refused', what: refusal.why, plan: null });
  }
  const statements = [...runsOf]
    .filter(([text, runs]) => isOfPlatform(text, runs, written))
    .map(([text, runs]) => summarizeRuns(text, runs, written, exceptions));
  return {
    statements: statements.sort((a, b) => a.source.localeCompare(b.source) || b.rowsRead - a.rowsRead),
    refusals,
    notRun: written.filter((each) => ![...runsOf.keys()].some((text) => isWrittenAs(text, each))),
  };
}

function noRuns(): Runs {
  const most = { parameters: '', rowsRead: 0, rowsGiven: 0, pages: 0 };
  return { applications: new Set(), indexes: new Set(), times: [], cost: 0, most, faults: new Map() };
}

function addRun(runs: Runs, run: Execution, faults: readonly Fault[]): void {
  const { indexes, ms, plan, parameters, rowsRead, rowsGiven, pages } = run;
  for (const index of indexes) runs.indexes.add(index);
  runs.times.push(ms);
  runs.cost += plan['Total Cost'] ?? 0;
  const isFirst = runs.times.length === 1;
  if (isFirst || (rowsRead - runs.most.rowsRead || pages - runs.most.pages) > 0) {
    runs.most = { parameters, rowsRead, rowsGiven, pages };
  }
  for (const fault of faults) addFault(runs, { ...fault, plan });
}

function addFault({ faults }: Runs, fault: PlannedFault): void {
  const size = ({ what }: Fault) => Number(/\d+/.exec(what)?.[0] ?? 0);
  const known = faults.get(fault.kind);
  if (!known || size(known) < size(fault)) faults.set(fault.kind, fault);
}

/** Excludes statements of the benchmark itself. */
function isOfPlatform(text: string, { applications }: Runs, written: readonly WrittenStatement[]): boolean {
  return [...applications].some(isService) || findSource(text, written) !== undefined || isOfPostgres(text);
}

function summarizeRuns(
  text: string,
  { applications, indexes, times, cost, most, faults }: Runs,
  written: readonly WrittenStatement[],
  exceptions: readonly Exception[],
): StatementFinding {
  const source = findSource(text, written)?.file ?? otherSource(text, [...applications][0]);
  times.sort((a, b) => a - b);
  return {
    source,
    text,
    applications: [...applications],
    runs: times.length,
    indexes: [...indexes].sort(),
    ...most,
    cost: cost / times.length,
    ms: times[Math.floor(times.length / 2)] ?? Number.NaN,
    slowestMs: times.at(-1) ?? Number.NaN,
    faults: [...faults.values()].map((fault) => ({
      ...fault,
      exception: exceptionFor(source, text, fault.kind, exceptions),
    })),
  };
}

function exceptionFor(
  source: string,
  text: string,
  kind: FaultKind,
  exceptions: readonly Exception[],
): Exception | null {
  const fits = (each: Exception) =>
    each.source === source && each.kinds.includes(kind) && (each.having === undefined || text.includes(each.having));
  return exceptions.find(fits) ?? null;
}
