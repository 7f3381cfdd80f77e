import type { Command } from 'commander';
import type { Surroundings } from '../environment.ts';
import { withExamples } from '../examples.ts';

// The implementation is loaded on demand, because loading it takes longer than running other commands.

export function addBackupCommands(program: Command, surroundings: Surroundings): void {
  withExamples(
    program.command('backup'),
    ['backup /backups/2026-11-22', 'backup /backups/2026-11-22 --no-files'],
    'The backup does not contain SECRET_KEY, and without it signing secrets cannot be read: keep it elsewhere (docs/backup.md).',
  )
    .description('back up a snapshot of the database, and the files, into a new folder, while the platform runs')
    .argument('<folder>', 'a new or empty folder')
    .option('--no-files', 'only the database, if the files are backed up separately')
    .action(async (folder: string, options: { files: boolean }) => {
      const { runBackup } = await import('./run-backup.ts');
      await runBackup(surroundings, folder, options);
    });

  withExamples(
    program.command('restore'),
    ['restore /backups/2026-11-22 --check', 'restore /backups/2026-11-22', 'restore /backups/2026-11-22 --no-files'],
    'The database of DATABASE_URL, or of DATA_DIR, must be empty and its platform stopped. Put its secrets.json in\nplace, or set its SECRET_KEY, first. Pending deliveries are sent once the platform starts.',
  )
    .description('restore a backup into an empty database and a file store')
    .argument('<folder>', 'a backup')
    .option('--no-files', 'only the database')
    .option('--check', 'only verify the checksums of the backup')
    .action(async (folder: string, options: { files: boolean; check?: true }) => {
      const { runRestore } = await import('./run-restore.ts');
      await runRestore(surroundings, folder, options);
    });
}
