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

const numbers = [
  'captures',
  'completed',
  'eventsIn',
  'idsOut',
  'failed',
  'lost',
  'duplicates',
  'attempts',
  'kills',
  'durationS',
] as const;
const headings = [
  'captures',
  'completed',
  'events in',
  'ids out',
  'failed',
  'lost',
  'duplicates',
  'attempts',
  'kills',
  'seconds',
];

export interface Run {
  machine: Machine;
  scale: number;
  cases: readonly CaseReport[];
}

/** One table of all cases, under when and on what it was made; then what each measured, and what went wrong. */
export function renderReport(run: Run): string {
  const told = run.cases.flatMap(({ case: name, faults, notes }) => [
    `${name}:`,
    ...faults.map((fault) => `  FAULT ${fault}`),
    ...notes.map((note) => `  ${note.replaceAll('\n', '\n  ')}`),
  ]);
  return [...headAndTable(run), ...told, ''].join('\n');
}

/** The same as a section of a document: what was measured is a list, lines that belong together a block of it. */
export function renderMarkdown(run: Run): string {
  const told = run.cases.flatMap(({ case: name, faults, notes }) => {
    const sentences = [...faults.map((fault) => `FAULT ${fault}`), ...notes.filter((note) => !note.includes('\n'))];
    const blocks = notes.filter((note) => note.includes('\n'));
    return [
      `- \`${name}\`: ${sentences.join('; ')}.`,
      ...blocks.flatMap((block) => ['', '  ```', ...block.split('\n').map((line) => `  ${line}`), '  ```', '']),
    ];
  });
  return [...headAndTable(run), ...told, ''].join('\n');
}

function headAndTable({ machine, scale, cases }: Run): string[] {
  const rows = cases.map((report) => [
    report.case,
    ...numbers.map((name) => report[name].toLocaleString('en-US')),
    report.passed ? 'passed' : 'FAILED',
  ]);
  const { date, cores, memoryGb, node, load } = machine;
  const of = scale === 1 ? 'the long form' : `scale ${scale}`;
  return [
    `${date}, ${of}, ${cores} cores, ${memoryGb} GB, Node ${node}, a load of ${load.before} before and ${load.after} after.`,
    '',
    renderTable(['case', ...headings, 'decision'], rows),
    '',
  ];
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
