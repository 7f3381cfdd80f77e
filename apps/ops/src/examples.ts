import type { Command } from 'commander';

/** Ends a command's `--help` with an optional explanation and examples. */
export function withExamples(command: Command, calls: readonly string[], explanation = ''): Command {
  const lines = calls.map((call) => `  npm run ops -- ${call}`);
  const before = explanation ? `\n${explanation}\n` : '';
  return command.addHelpText('after', `${before}\n${calls.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`);
}
