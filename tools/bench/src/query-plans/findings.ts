import { type Fault, type FaultKind, judge } from './check-plan.ts';
import type { Exception } from './exceptions.ts';
import type { PlanNode } from './read-plan.ts';
import { serviceNames } from './services.ts';
import type { Execution, Refusal, StatementLog } from './statement-log.ts';
import { isWrittenAs, sourceOf, type WrittenStatement } from './statement-sources.ts';

/** A fault of a statement, and why it is borne, if it is. */
export interface FoundFault extends Fault {
  /** The plan of the run that shows it most, for who mends it; null where there is none, as it never ended. */
  plan: PlanNode | null;
  exception: Exception | null;
}

/** What became known of one statement. */
export interface StatementFinding {
  /** The file of `packages/database` that it is written in, or what else makes it. */
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
  /** The middle run's and the slowest's. */
  ms: number;
  slowestMs: number;
  faults: FoundFault[];
}

export interface Findings {
  statements: StatementFinding[];
  /** Statements that are written and were not run: nothing is known of them. */
  notRun: WrittenStatement[];
  /** What Postgres refused or broke off, whatever for. */
  refusals: Refusal[];
}

const isService = (application: string) => serviceNames.some((name) => name === application);

/** What foreign keys have Postgres run by itself. */
const isOfPostgres = (text: string) => / FROM ONLY |^UPDATE ONLY /.test(text);

/** What the platform has no file for. */
function otherSource(text: string): string {
  if (isOfPostgres(text)) return '(foreign keys)';
  const [, table] = /"public"\."(\w+)"/.exec(text) ?? [];
  if (table !== undefined) return `(Prisma: ${table})`;
  return '(services)';
}

/** Judges every run of every statement. @param tableRows how many rows each table has. */
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
      const source = sourceOf(text, written)?.file ?? otherSource(text);
      const faults = runs.flatMap((run) => judge(run, tableRows).map((fault) => ({ ...fault, plan: run.plan })));
      const broken = refusals.filter((refusal) => refusal.text === text && /timeout/.test(refusal.why));
      return {
        source,
        text,
        applications: [...new Set(runs.map(({ application }) => application))],
        runs: runs.length,
        indexes: [...new Set(runs.flatMap(({ indexes }) => indexes))].sort(),
        ...most(runs),
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

/** Some statements are the bench's own, to arrange what the others are tried on. */
function isOfPlatform(runs: readonly Execution[], written: readonly WrittenStatement[]): boolean {
  return runs.some(({ application, text }) => isService(application) || sourceOf(text, written) || isOfPostgres(text));
}

type PlannedFault = Omit<FoundFault, 'exception'>;

const brokenOff = ({ why }: Refusal): PlannedFault => ({ kind: 'refused', what: why, plan: null });

/** A statement of which no run has ended. */
function neverSeen(
  refusal: Refusal,
  written: readonly WrittenStatement[],
  exceptions: readonly Exception[],
): StatementFinding {
  const { text, application } = refusal;
  const source = sourceOf(text, written)?.file ?? otherSource(text);
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
