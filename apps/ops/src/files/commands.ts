import type { Command } from 'commander';
import type { Surroundings } from '../environment.ts';
import { withExamples } from '../examples.ts';
import type { OrphanedOptions } from './run-orphaned.ts';

export function addFileCommands(program: Command, surroundings: Surroundings): void {
  const files = program.command('files').description('list and remove capture files without a row');
  withExamples(files, ['files orphaned', 'files orphaned --remove']);

  withExamples(
    files.command('orphaned'),
    ['files orphaned', 'files orphaned --remove'],
    'The cleanup job for files without a row removes them by itself, unless they are so many that store and database may not\nbelong together: docs/runbook.md, "Files without a row".',
  )
    .description(
      'list capture files that no row names and that are at least an hour old; other files are never touched',
    )
    .option('--remove', 'remove them; asks first')
    .option('--yes', 'do not ask for confirmation')
    .action(async (options: OrphanedOptions) => {
      // The implementation is loaded on demand, because loading it takes longer than running other commands.
      const { runOrphaned } = await import('./run-orphaned.ts');
      await runOrphaned(surroundings, options);
    });
}
