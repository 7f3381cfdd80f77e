import Table from 'cli-table3';
import type { CaseReport, ChaosCase } from './case.ts';
import type { Machine } from './harness/machine.ts';

/** Plain lines, so that the table can be pasted into a document. */
const markdown = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '|',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '|',
    'right-mid': '',
    middle: '|',
  },
  style: { head: [], border: [] },
};

const numbers = ['eventsIn', 'idsOut', 'failed', 'lost', 'duplicates', 'attempts', 'kills', 'durationS'] as const;
const headings = ['events in', 'ids out', 'failed', 'lost', 'duplicates', 'attempts', 'kills', 'seconds'];

/** One table of all cases, under when and on what it was made; then what each measured, and what went wrong. */
export function renderReport(machine: Machine, reports: readonly CaseReport[], scale: number): string {
  const rows = reports.map((report) => [
    report.case,
    ...numbers.map((name) => report[name].toLocaleString('en-US')),
    report.passed ? 'passed' : 'FAILED',
  ]);
  const notes = reports.flatMap((report) => [
    `${report.case}:`,
    ...report.faults.map((fault) => `  FAULT ${fault}`),
    ...report.notes.map((note) => `  ${note}`),
  ]);
  return [
    `${machine.date}, scale ${scale}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}`,
    '',
    renderTable(['case', ...headings, 'verdict'], rows),
    '',
    ...notes,
    '',
  ].join('\n');
}

export function renderList(cases: readonly ChaosCase[]): string {
  return cases.map(({ name, promise }) => `${name}\n    ${promise}\n`).join('');
}

function renderTable(head: string[], rows: string[][]): string {
  const table = new Table({ ...markdown, head, colAligns: ['left', ...headings.map(() => 'right' as const), 'left'] });
  table.push(
    head.map((_, index) => (index > 0 && index <= headings.length ? '---:' : '---')),
    ...rows,
  );
  return table.toString();
}
