import type { Command } from 'commander';
import type { Surroundings } from '../environment.ts';
import { withExamples } from '../examples.ts';

// What does the work is loaded when it is called: it takes longer to load than other commands to run.

export function addBackupCommands(program: Command, surroundings: Surroundings): void {
  withExamples(
    program.command('backup'),
    ['backup /backups/2026-11-22', 'backup /backups/2026-11-22 --no-files'],
    'SECRET_KEY is not in it, and without it signing secrets cannot be read: keep it elsewhere (docs/backup.md).',
  )
    .description(
      'write the database, as it is at one moment, and the files into a new folder; the platform runs meanwhile',
    )
    .argument('<folder>', 'a new or an empty one')
    .option('--no-files', 'only the database, where the files have a backup of their own')
    .action(async (folder: string, options: { files: boolean }) => {
      const { runBackup } = await import('./run-backup.ts');
      await runBackup(surroundings, folder, options);
    });

  withExamples(
    program.command('restore'),
    ['restore /backups/2026-11-22 --check', 'restore /backups/2026-11-22', 'restore /backups/2026-11-22 --no-files'],
    'The database of DATABASE_URL, or of DATA_DIR, must be empty and its platform stopped. Put the secrets.json, or set\nthe SECRET_KEY, of the platform that was backed up first. What was pending is delivered once the platform starts.',
  )
    .description('restore a backup into an empty database and a store')
    .argument('<folder>', 'a backup')
    .option('--no-files', 'only the database')
    .option('--check', 'only read the whole backup, and say whether it is what was written')
    .action(async (folder: string, options: { files: boolean; check?: true }) => {
      const { runRestore } = await import('./run-restore.ts');
      await runRestore(surroundings, folder, options);
    });
}
