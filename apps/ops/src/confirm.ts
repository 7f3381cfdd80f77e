import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { UsageError } from './exit-codes.ts';

/** Standard input and standard error. Standard output is only for the result. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/**
 * Asks for confirmation at the terminal.
 *
 * @returns whether the user typed yes; end of input means no.
 * @throws {UsageError} if there is no terminal.
 */
export async function confirm(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (!input.isTTY) throw new UsageError('no terminal to ask for confirmation: pass --yes');
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
