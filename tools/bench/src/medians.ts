import { readFileSync } from 'node:fs';
import { median } from '@capture/testing/statistics';
import { Command } from 'commander';
import { decision, type Goal, type GoalName, goals, limits, written } from './goals.ts';
import { type BenchRecord, drawMarkdown } from './report.ts';
import type { NamedTable } from './section.ts';

/** The table of goals over several runs: each figure's middle, and beside it those of every run, from the least to the most. */
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
  return { title: 'Goals', head: ['figure', 'middle', 'of', 'goal', 'reach', 'decision'], rows };
}

export const medians = new Command('medians')
  .exitOverride()
  .description('Puts the figures of several runs together, from the files of `--json`: the middle of each.')
  .argument('<files...>', 'files of `--json`')
  .action((files: string[]) => {
    const records = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as BenchRecord);
    process.stdout.write(`${drawMarkdown(mediansTable(records))}\n`);
  });
