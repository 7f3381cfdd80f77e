import { type ProgressBar, startBar } from '../progress-bar.ts';

/** Shows the progress of a backup or a restore on standard error, with one bar for rows and one for files. */
export function showBars() {
  let bar: ProgressBar | null = null;
  let shown = '';
  const show = (what: string, total: number, format: string, facts: object): ProgressBar => {
    if (bar && shown === what) return bar;
    bar?.stop();
    shown = what;
    bar = startBar(total, format, { ...facts });
    return bar;
  };
  return {
    report: (line: string) => process.stderr.write(`  ${line}\n`),
    rows(table: string, done: number, total: number) {
      show('rows', total, '{bar} {value} rows | {table}', { table }).update(done, { table });
    },
    files(done: number, total: number) {
      show('files', total, '{bar} {value} of {total} files', {}).update(done);
    },
    stop: () => bar?.stop(),
  };
}
