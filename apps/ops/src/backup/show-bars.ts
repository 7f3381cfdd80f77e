import { type ProgressBar, startBar } from '../progress-bar.ts';

/** Progress of a backup or a restore on standard error: one bar for the rows, then one for the files; or the other way. */
export function showBars() {
  let bar: ProgressBar | null = null;
  let shows = '';
  const show = (what: string, of: number, format: string, facts: object): ProgressBar => {
    if (bar && shows === what) return bar;
    bar?.stop();
    shows = what;
    bar = startBar(of, format, { ...facts });
    return bar;
  };
  return {
    report: (line: string) => process.stderr.write(`  ${line}\n`),
    rows(table: string, done: number, of: number) {
      show('rows', of, '{bar} {value} rows | {table}', { table }).update(done, { table });
    },
    files(done: number, of: number) {
      show('files', of, '{bar} {value} of {total} files', {}).update(done);
    },
    stop: () => bar?.stop(),
  };
}
