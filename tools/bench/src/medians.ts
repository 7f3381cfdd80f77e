import { readFileSync } from 'node:fs';
import { median } from '@capture/testing/statistics';
import { Command } from 'commander';
import { decision, type Goal, type GoalName, goals, limits, written } from './goals.ts';
import { type BenchRecord, drawMarkdown } from './report.ts';
import type { NamedTable } from './section.ts';

/** Returns the goals table over several runs: each figure's median, and the sorted values of all runs. */
export function mediansTable(records: readonly Pick<BenchRecord, 'figures'>[]): NamedTable {
  const rows = (Object.entries(goals) as [GoalName, Goal][]).flatMap(([name, goal]) => {
    const values = records
      .map(({ figures }) => figures[name])
      .filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
    if (values.length === 0) return [];
    const middle = median(values);
    const each = values.sort((one, other) => one - other).map((value) => written(value, goal.unit));
    return [[goal.figure, written(middle, goal.unit), each.join(', '), ...limits(goal), decision(goal, middle)]];
  });
  return { title: 'Goals', head: ['figure', 'median', 'of', 'goal', 'reach', 'decision'], rows };
}

export const medians = new Command('medians')
  .exitOverride()
  .description('Combines the figures of several runs, from the files of `--json`: the median of each.')
  .argument('<files...>', 'files of `--json`')
  .action((files: string[]) => {
    const records = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as BenchRecord);
    process.stdout.write(`${drawMarkdown(mediansTable(records))}\n`);
    for (const [index, { machine, sections }] of records.entries()) {
      const notes = sections.flatMap((section) => section.notes).filter((note) => /^(BUSY|FAILED|WRONG)/.test(note));
      if (notes.length > 0) process.stderr.write(`\n${files[index]} (${machine.command}):\n  ${notes.join('\n  ')}\n`);
    }
  });
