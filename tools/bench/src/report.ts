import type { Machine } from '@capture/testing/processes/machine';
import Table from 'cli-table3';
import { decision, type Goal, type GoalName, goals, limits, written } from './goals.ts';
import type { Findings, NamedTable } from './section.ts';

/** The results of a run, as `--json` writes them. */
export interface BenchRecord {
  machine: Machine & {
    chromium: string;
    command: string;
    /** The load average before the run. A value well above 0 shows that another process was running. */
    loadAtStart: number;
  };
  seconds: number;
  figures: Findings['figures'];
  sections: SectionRecord[];
}

export interface SectionRecord {
  name: string;
  seconds: number;
  tables: NamedTable[];
  notes: string[];
}

/** The goals table. A row without a figure explains why. */
export function goalsTable(figures: Findings['figures']): NamedTable {
  const rows = (Object.entries(goals) as [GoalName, Goal][])
    .filter(([name]) => figures[name] !== undefined)
    .map(([name, goal]) => {
      const value = figures[name];
      const measured = typeof value === 'number' && Number.isFinite(value);
      return [
        goal.figure,
        measured ? written(value, goal.unit) : '–',
        ...limits(goal),
        measured ? decision(goal, value) : String(value),
      ];
    });
  return { title: 'Goals', head: ['figure', 'measured', 'goal', 'reach', 'decision'], rows };
}

type DrawTable = (table: NamedTable) => string;

export const drawTerminal: DrawTable = ({ title, head, rows }) => {
  const drawn = new Table({ head, style: { head: [], border: [] } });
  drawn.push(...rows);
  return `${title}\n${drawn}`;
};

export function drawMarkdown({ title, head, rows }: NamedTable): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const rule = line(head.map((_, index) => (index === 0 ? '---' : '---:')));
  return [`**${title}**`, '', line(head), rule, ...rows.map(line)].join('\n');
}

/** Writes the results of a section. They are printed when the section ends, so that an interrupted run has shown results. */
export function renderSection({ tables, notes }: SectionRecord, draw: DrawTable): string {
  const listed = notes.map((note) => `- ${note}`).join('\n');
  return [...tables.map(draw), listed].filter((part) => part !== '').join('\n\n');
}

/** Writes the machine, the command and the goals. */
export function renderSummary({ machine, seconds, figures }: BenchRecord, draw: DrawTable): string {
  const { date, command, cores, processor, memoryGb, kernel, node, chromium, loadAtStart } = machine;
  const about = [
    `${date}, \`${command}\`, ${Math.round(seconds / 60)} min`,
    `${cores} cores (${processor}), ${memoryGb} GB, ${kernel}, Node ${node}, ${chromium}, load at the start ${loadAtStart.toFixed(1)}`,
  ];
  const goalRows = goalsTable(figures);
  return [about.join('\n'), ...(goalRows.rows.length > 0 ? [draw(goalRows)] : [])].join('\n\n');
}
