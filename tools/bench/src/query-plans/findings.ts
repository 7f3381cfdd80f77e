import { checkPlan, type Fault, type FaultKind } from './check-plan.ts';
import type { Exception } from './exceptions.ts';
import type { PlanNode } from './read-plan.ts';
import { exportName, serviceNames } from './services.ts';
import type { Execution, Refusal, StatementLog } from './statement-log.ts';
import { isWrittenAs, sourceOf, type WrittenStatement } from './statement-sources.ts';

/** A fault of a statement, and its exception, if any. */
export interface FoundFault extends Fault {
  /** The plan of the worst run, for fixing it; null if no run ended. */
  plan: PlanNode | null;
  exception: Exception | null;
}

/** The findings of one statement. */
export interface StatementFinding {
  /** Its source file in `packages/database`, or what else issues it. */
  source: string;
  text: string;
  applications: string[];
  runs: number;
  /** Of all its runs. */
  indexes: string[];
  /** Of the run that read most. */
  parameters: string;
  rowsRead: number;
  rowsGiven: number;
  pages: number;
  /** What the planner expected of its runs: the mean. */
  cost: number;
  /** Median and maximum of its runs. */
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

/** The source of statements without a file. */
function otherSource(text: string, application: string | undefined): string {
  if (application === exportName) return '(export)';
  if (isOfPostgres(text)) return '(foreign keys)';
  const [, table] = /"public"\."(\w+)"/.exec(text) ?? [];
  if (table !== undefined) return `(Prisma: ${table})`;
  return '(services)';
}

/** Checks every run of every statement. @param tableRows the number of rows of each table. */
export function findingsOf(
  { executions, refusals }: StatementLog,
  written: readonly WrittenStatement[],
  tableRows: ReadonlyMap<string, number>,
  exceptions: readonly Exception[],
): Findings {
  const runsOf = new Map<string, Execution[]>();
  for (const execution of executions) {
    runsOf.set(execution.text, [...(runsOf.get(execution.text) ?? []), execution]);
  }
  const statements = [...runsOf]
    .filter(([, runs]) => isOfPlatform(runs, written))
    .map(([text, runs]): StatementFinding => {
      const source = sourceOf(text, written)?.file ?? otherSource(text, runs[0]?.application);
      const faults = runs.flatMap((run) => checkPlan(run, tableRows).map((fault) => ({ ...fault, plan: run.plan })));
      const broken = refusals.filter((refusal) => refusal.text === text && /timeout/.test(refusal.why));
      return {
        source,
        text,
        applications: [...new Set(runs.map(({ application }) => application))],
        runs: runs.length,
        indexes: [...new Set(runs.flatMap(({ indexes }) => indexes))].sort(),
        ...most(runs),
        cost: runs.reduce((sum, { plan }) => sum + (plan['Total Cost'] ?? 0), 0) / runs.length,
        ...timesOf(runs),
        faults: worstOfEachKind([...faults, ...broken.map(brokenOff)]).map((fault) => ({
          ...fault,
          exception: exceptionFor(source, text, fault.kind, exceptions),
        })),
      };
    });
  const neverEnded = refusals.filter(({ text, why }) => !runsOf.has(text) && /timeout/.test(why));
  return {
    statements: [...statements, ...neverEnded.map((refusal) => neverSeen(refusal, written, exceptions))].sort(
      (a, b) => a.source.localeCompare(b.source) || b.rowsRead - a.rowsRead,
    ),
    refusals,
    notRun: written.filter((each) => ![...runsOf.keys()].some((text) => isWrittenAs(text, each))),
  };
}

/** Excludes statements of the benchmark itself. */
function isOfPlatform(runs: readonly Execution[], written: readonly WrittenStatement[]): boolean {
  return runs.some(({ application, text }) => isService(application) || sourceOf(text, written) || isOfPostgres(text));
}

type PlannedFault = Omit<FoundFault, 'exception'>;

const brokenOff = ({ why }: Refusal): PlannedFault => ({ kind: 'refused', what: why, plan: null });

/** The finding of a statement of which no run ended. */
function neverSeen(
  refusal: Refusal,
  written: readonly WrittenStatement[],
  exceptions: readonly Exception[],
): StatementFinding {
  const { text, application } = refusal;
  const source = sourceOf(text, written)?.file ?? otherSource(text, application);
  return {
    source,
    text,
    applications: [application],
    runs: 1,
    indexes: [],
    parameters: '',
    rowsRead: 0,
    rowsGiven: 0,
    pages: 0,
    cost: Number.NaN,
    ms: Number.NaN,
    slowestMs: Number.NaN,
    faults: [{ ...brokenOff(refusal), exception: exceptionFor(source, text, 'refused', exceptions) }],
  };
}

function most(runs: readonly Execution[]): Pick<Execution, 'parameters' | 'rowsRead' | 'rowsGiven' | 'pages'> {
  const [first] = [...runs].sort((a, b) => b.rowsRead - a.rowsRead || b.pages - a.pages);
  const { parameters, rowsRead, rowsGiven, pages } = first as Execution;
  return { parameters, rowsRead, rowsGiven, pages };
}

function timesOf(runs: readonly Execution[]): { ms: number; slowestMs: number } {
  const times = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  return { ms: times[Math.floor(times.length / 2)] as number, slowestMs: times.at(-1) as number };
}

function worstOfEachKind(faults: readonly PlannedFault[]): PlannedFault[] {
  const size = ({ what }: Fault) => Number(/\d+/.exec(what)?.[0] ?? 0);
  const worst = new Map<FaultKind, PlannedFault>();
  for (const fault of faults) {
    const known = worst.get(fault.kind);
    if (!known || size(known) < size(fault)) worst.set(fault.kind, fault);
  }
  return [...worst.values()];
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
