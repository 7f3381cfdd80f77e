import type { Command } from 'commander';

/** Appends an optional explanation and examples to a command's `--help`. */
export function withExamples(command: Command, calls: readonly string[], explanation = ''): Command {
  const lines = calls.map((call) => `  npm run ops -- ${call}`);
  const before = explanation ? `\n${explanation}\n` : '';
  return command.addHelpText('after', `${before}\n${calls.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`);
}
