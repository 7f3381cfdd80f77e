import { SingleBar } from 'cli-progress';

export interface Progress {
  update(counts: Counts): void;
  stop(): void;
}

interface Counts {
  completed: number;
  failed: number;
}

/** Shows a progress bar on standard error if that is a terminal. */
export function showProgress(total: number, counts: Counts): Progress {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const bar = new SingleBar({
    format: '  {bar} {value} of {total}, {failed} failed, {eta_formatted} left',
    stream: process.stderr,
    hideCursor: true,
    etaBuffer: 50,
  });
  const done = ({ completed, failed }: Counts) => completed + failed;
  bar.start(total, done(counts), { failed: counts.failed });
  return {
    update: (now) => bar.update(done(now), { failed: now.failed }),
    stop: () => bar.stop(),
  };
}
