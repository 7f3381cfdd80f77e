import { SingleBar } from 'cli-progress';

export interface ProgressBar {
  update(done: number, facts?: Record<string, unknown>): void;
  stop(): void;
}

const noBar: ProgressBar = { update() {}, stop() {} };

/**
 * Shows a bar on standard error if that is a terminal.
 *
 * @param format the format of cli-progress, with `{name}` for each of the facts.
 */
export function startBar(total: number, format: string, facts: Record<string, unknown> = {}): ProgressBar {
  if (!process.stderr.isTTY) return noBar;
  const bar = new SingleBar({ stream: process.stderr, format, clearOnComplete: true });
  bar.start(total, 0, facts);
  return bar;
}
