import type { Command } from 'commander';
import type { Surroundings } from '../environment.ts';
import { withExamples } from '../examples.ts';
import { exitCodes, UsageError } from '../exit-codes.ts';
import { type Printer, shown } from '../print.ts';
import { counted, type Group, type Result, type Status } from './check.ts';

export function addDoctorCommand(program: Command, { env, printer }: Surroundings): void {
  withExamples(
    program.command('doctor'),
    ['doctor', 'doctor --only database redis', '--json doctor'],
    'It checks from this machine, with the environment variables of this shell and DATA_DIR, and reports what it cannot see.\nExit code 4: a fault was found. Warnings alone leave it 0.',
  )
    .description('check a deployment and say how to fix what is wrong')
    .option('--only <groups...>', 'only these groups, such as database, redis, gateway, browser')
    .action(async ({ only }: { only?: string[] }) => {
      // The checks are loaded on demand, because loading the clients of servers takes longer than running other commands.
      const { findDeployment } = await import('../find-deployment.ts');
      const { groups } = await import('./groups.ts');
      const chosen = choose(groups, only);
      const print = printer();
      const deployment = findDeployment(env);
      const results: Result[] = [];
      for (const group of chosen) {
        if (!print.json) print.fact(print.paint('bold', group.name), {});
        for await (const result of group.run(deployment)) {
          results.push(result);
          if (!print.json) printResult(print, result);
        }
      }
      const counts = countStatuses(results);
      print.fact(`\n${summarize(results.length, counts)}`, { ...counts, checks: results });
      if (counts.fault > 0) process.exitCode = exitCodes.unhealthy;
    });
}

function choose(groups: readonly Group[], only: readonly string[] | undefined): readonly Group[] {
  const names = groups.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`--only: ${unknown} is not one of ${names.join(', ')}`);
  return groups.filter(({ name }) => !only || only.includes(name));
}

const colours = { ok: 'green', warning: 'yellow', fault: 'red', not_checked: 'dim' } as const;
const labels: Record<Status, string> = { ok: 'ok', warning: 'warning', fault: 'FAULT', not_checked: 'not checked' };

/** The widths of the longest label and the longest name. */
const labelWidth = 13;
const nameWidth = 16;

function printResult(print: Printer, { check, status, message, fix }: Result): void {
  const name = check.slice(check.indexOf('.') + 1).padEnd(nameWidth);
  print.fact(`  ${print.paint(colours[status], labels[status].padEnd(labelWidth))}${name}${shown(message)}`, {});
  if (fix) print.fact(`${' '.repeat(2 + labelWidth + nameWidth)}→ ${shown(fix)}`, {});
}

function countStatuses(results: readonly Result[]): Record<Status, number> {
  const counts = { ok: 0, warning: 0, fault: 0, not_checked: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

function summarize(all: number, { ok, warning, fault, not_checked: skipped }: Record<Status, number>): string {
  return `${counted(all, 'check')}: ${ok} ok, ${counted(warning, 'warning')}, ${counted(fault, 'fault')}, ${skipped} not checked`;
}
