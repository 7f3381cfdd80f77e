import Table from 'cli-table3';
import type { Findings, StatementFinding } from './findings.ts';

/** The characters that distinguish a statement from its neighbors. */
const textShown = 60;

const whole = (number: number) => Math.round(number).toLocaleString('en');

const time = (ms: number) => (ms < 10 ? ms.toFixed(1) : whole(ms));

/** Writes every statement, how it found its rows, and its faults. */
export function writeReport(findings: Findings): string {
  const table = new Table({
    head: ['statement', 'indexes', 'runs', 'read', 'given', 'pages', 'ms', 'slowest'],
    style: { head: [], border: [] },
    colWidths: [66, 46],
    wordWrap: true,
    wrapOnWordBoundary: false,
  });
  for (const each of findings.statements) {
    table.push([
      [`${each.source}: ${each.text.slice(0, textShown)}`, ...each.faults.map(faultLine)].join('\n'),
      each.indexes.join('\n'),
      each.runs,
      whole(each.rowsRead),
      whole(each.rowsGiven),
      whole(each.pages),
      time(each.ms),
      time(each.slowestMs),
    ]);
  }
  const faults = unexcused(findings).flatMap(({ source, text, faults: own }) =>
    own.filter(({ exception }) => exception === null).map(({ what }) => `FAULT: ${source} ${what}: ${text}`),
  );
  const notRun = findings.notRun.map(({ file, parts }) => `NOT RUN: ${file}: ${parts.join(' … ').slice(0, 200)}`);
  const refused = findings.refusals.map(({ application, why, text }) => `REFUSED: ${application}: ${why}: ${text}`);
  return [table.toString(), ...faults, ...notRun, ...refused, ''].join('\n');
}

const faultLine = ({ what, exception }: StatementFinding['faults'][number]) =>
  `! ${what}${exception ? ` (${exception.why})` : ''}`;

/** Returns statements with a fault that has no exception. */
export function unexcused({ statements }: Findings): StatementFinding[] {
  return statements.filter(({ faults }) => faults.some(({ exception }) => exception === null));
}
