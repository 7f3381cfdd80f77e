import { median } from '@capture/testing/statistics';
import type { Case, Group } from '../case.ts';

/** One capture of a case. */
export interface Run {
  case: Case;
  ms: number;
  /** The errors, in sentences. */
  wrong: string[];
  /** The path of the file, relative to the report; null without a file. */
  file: string | null;
  /** The image for the contact sheet: the file itself, or the first page of a PDF. */
  preview: Buffer | null;
}

/** Groups the runs by case, in their order. */
export function byCase(runs: readonly Run[]): Map<Case, Run[]> {
  const found = new Map<Case, Run[]>();
  for (const run of runs) found.set(run.case, [...(found.get(run.case) ?? []), run]);
  return found;
}

export const wrongCases = (runs: readonly Run[]): Case[] => [
  ...new Set(runs.filter(({ wrong }) => wrong.length > 0).map((run) => run.case)),
];

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

/** Writes the report: a line per group, then the wrong cases. A case is right if it is right in every run. */
export function summary(runs: readonly Run[]): string {
  const lines: string[] = [];
  const wrong = new Set(wrongCases(runs));
  const groups = [...new Set(runs.map((run) => run.case.group))];
  const line = (title: string, group: Group | null) => {
    const own = runs.filter((run) => group === null || run.case.group === group);
    const cases = [...new Set(own.map((run) => run.case))];
    const right = cases.filter((each) => !wrong.has(each)).length;
    return `${title.padEnd(22)} ${String(right).padStart(3)} of ${String(cases.length).padStart(3)} right   median ${seconds(median(own.map(({ ms }) => ms)))} s`;
  };
  for (const group of groups) lines.push(line(group, group));
  lines.push(line('all', null), '');
  for (const [each, own] of byCase(runs)) {
    const faulty = own.filter((run) => run.wrong.length > 0);
    if (faulty.length === 0) continue;
    const times = own.length > 1 ? ` (${faulty.length} of ${own.length} runs)` : '';
    lines.push(`${each.name}${times}: ${each.what}`);
    for (const sentence of new Set(faulty.flatMap((run) => run.wrong))) lines.push(`    ${sentence}`);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
