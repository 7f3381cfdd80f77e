export function say(line) {
  process.stderr.write(`  ${line}\n`);
}

/** The interval between two lines in a log file, milliseconds: short enough to see that a long step still runs. */
const logEveryMs = 20_000;

/**
 * Shows a step and its progress: one line that is rewritten each second on a terminal, a line every 20 s elsewhere.
 *
 * @param {string} step
 * @param {() => string} done returns the progress, such as "40%"; empty if unknown.
 */
export function showProgress(step, done = () => '') {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const { TERM } = process.env;
  const isTerminal = process.stderr.isTTY && TERM !== 'dumb';
  const rewrite = (line) => process.stderr.write(`\r  ${line}\x1b[K`);
  const state = () => `${step}: ${[done(), seconds()].filter(Boolean).join(', ')}`;
  if (isTerminal) rewrite(`${step} …`);
  else say(`${step} …`);
  const timer = isTerminal ? setInterval(() => rewrite(state()), 1_000) : setInterval(() => say(state()), logEveryMs);
  return {
    end(result) {
      clearInterval(timer);
      if (isTerminal) process.stderr.write(`\r  ${step}: ${result} after ${seconds()}\x1b[K\n`);
      else say(`${step}: ${result} after ${seconds()}`);
    },
  };
}
