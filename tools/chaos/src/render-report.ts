import type { Machine } from '@capture/testing/processes/machine';
import Table from 'cli-table3';
import type { CaseReport, ChaosCase } from './case.ts';

/** The borders of a table with plain lines, which can be pasted into a document. */
const border = Object.fromEntries(
  [
    'top',
    'bottom',
    'mid',
    ...['top', 'bottom'].flatMap((side) => ['mid', 'left', 'right'].map((at) => `${side}-${at}`)),
  ]
    .concat('left-mid', 'mid-mid', 'right-mid')
    .map((part) => [part, '']),
);
const markdown = { chars: { ...border, left: '|', right: '|', middle: '|' }, style: { head: [], border: [] } };

/** Columns of the table by their headings. */
const columns = {
  captures: 'captures',
  completed: 'completed',
  eventsIn: 'events in',
  idsOut: 'ids out',
  failed: 'failed',
  lost: 'lost',
  duplicates: 'duplicates',
  attempts: 'attempts',
  kills: 'kills',
  durationS: 'seconds',
} as const;
const names = Object.keys(columns) as (keyof typeof columns)[];

export interface Run {
  machine: Machine;
  load: { before: number; after: number };
  scale: number;
  cases: readonly CaseReport[];
}

/** Writes a table of all cases with date and machine, then the notes and faults of each. */
export function renderText(run: Run): string {
  const details = run.cases.flatMap(({ case: name, faults, notes }) => [
    `${name}:`,
    ...faults.map((fault) => `  FAULT ${fault}`),
    ...notes.map((note) => `  ${note.replaceAll('\n', '\n  ')}`),
  ]);
  return [...headAndTable(run), ...details, ''].join('\n');
}

/** Writes the report as a section of a Markdown document, with notes as a list, and longer notes as code blocks. */
export function renderMarkdown(run: Run): string {
  const details = run.cases.flatMap(({ case: name, faults, notes }) => {
    const sentences = [...faults.map((fault) => `FAULT ${fault}`), ...notes.filter((note) => !note.includes('\n'))];
    const blocks = notes.filter((note) => note.includes('\n'));
    return [
      `- \`${name}\`: ${sentences.join('; ')}.`,
      ...blocks.flatMap((block) => ['', '  ```', ...block.split('\n').map((line) => `  ${line}`), '  ```', '']),
    ];
  });
  return [...headAndTable(run), ...details, ''].join('\n');
}

function headAndTable({ machine, load, scale, cases }: Run): string[] {
  const { date, cores, memoryGb, node } = machine;
  const extent = scale === 1 ? 'full run' : `scale ${scale}`;
  const head = ['case', ...Object.values(columns), 'result'];
  const numeric = names.map(() => 'right' as const);
  const table = new Table({ ...markdown, head, colAligns: ['left', ...numeric, 'left'] });
  table.push(
    ['---', ...names.map(() => '---:'), '---'],
    ...cases.map((report) => [
      report.case,
      ...names.map((name) => report[name].toLocaleString('en-US')),
      report.passed ? 'passed' : 'FAILED',
    ]),
  );
  return [
    `${date}, ${extent}, ${cores} cores, ${memoryGb} GB, Node ${node}, load ${load.before} before and ${load.after} after.`,
    '',
    table.toString(),
    '',
  ];
}

export function renderList(cases: readonly ChaosCase[]): string {
  return cases.map(({ name, promise }) => `${name}\n    ${promise}\n`).join('');
}
