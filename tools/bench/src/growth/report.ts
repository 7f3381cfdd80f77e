import { whole } from '../query-plans/report.ts';
import type { Comparison, DaySize } from './size.ts';

const megabytes = (bytes: number) => whole(bytes / 1e6);

const lineOf = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

/** Writes a Markdown table with a line for each day. */
export function daysTable(sizes: readonly DaySize[]): string {
  const head = ['after day', 'database, MB', 'captures', 'deliveries', 'partitions', 'inserts, s'];
  const jobs = ['cleanup of files, s', 'of deliveries, s', 'of captures, s'].flatMap((job) => [job, 'processor, s']);
  const lines = sizes.map(({ day, bytes, captures, deliveries, partitions, seededS, cleanup }) =>
    lineOf([
      ...[day, megabytes(bytes), whole(captures), whole(deliveries), partitions, seededS],
      ...[cleanup.files, cleanup.deliveries, cleanup.captures].flatMap(({ seconds, processorS }) => [
        seconds,
        processorS.toFixed(1),
      ]),
    ]),
  );
  const columns = [...head, ...jobs];
  return [lineOf(columns), lineOf(columns.map(() => '---:')), ...lines, ''].join('\n');
}

/** Smaller tables and indexes are not shown. */
const shownBytes = 10_000_000;

/** Writes a Markdown table of the largest tables and indexes. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const shown = comparisons.filter(({ after, grows }) => after > shownBytes || grows);
  const lines = shown.map(({ name, before, after, grows }) =>
    lineOf([name, megabytes(before), megabytes(after), grows ? 'yes' : 'no']),
  );
  return [
    lineOf(['table (without indexes) or index', 'most before, MB', 'in the last week, MB', 'grows']),
    lineOf(['---', '---:', '---:', '---']),
    ...lines,
    '',
  ].join('\n');
}
