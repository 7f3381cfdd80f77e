import { SingleBar } from 'cli-progress';

export interface ProgressBar {
  update(done: number, facts?: Record<string, unknown>): void;
  stop(): void;
}

const nobodyWatches: ProgressBar = { update() {}, stop() {} };

/**
 * A bar on standard error for whoever watches; a script that keeps the output gets none.
 *
 * @param format as cli-progress takes it, with `{name}` for each of the facts.
 */
export function startBar(total: number, format: string, facts: Record<string, unknown> = {}): ProgressBar {
  if (!process.stderr.isTTY) return nobodyWatches;
  const bar = new SingleBar({ stream: process.stderr, format, clearOnComplete: true });
  bar.start(total, 0, facts);
  return bar;
}
