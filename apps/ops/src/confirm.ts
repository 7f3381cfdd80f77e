import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { UsageError } from './exit-codes.ts';

/** Where somebody can be asked: standard input and error, so that what is printed stays the result alone. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/**
 * Asks whoever sits at the terminal.
 *
 * @returns whether the answer was yes; the end of the input is a no.
 * @throws {UsageError} where nobody can be asked.
 */
export async function confirm(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (!input.isTTY) throw new UsageError('there is no terminal to ask at: give --yes');
  const lines = createInterface({ input, output });
  const ended = new AbortController();
  try {
    lines.setPrompt(`${question} [y/N] `);
    lines.prompt();
    const line = once(lines, 'line', { signal: ended.signal }).then(([text]) => String(text));
    const close = once(lines, 'close', { signal: ended.signal }).then(() => '');
    return /^\s*y(es)?\s*$/i.test(await Promise.race([line.catch(() => ''), close.catch(() => '')]));
  } finally {
    ended.abort();
    lines.close();
  }
}
