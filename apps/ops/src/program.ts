import { Command } from 'commander';
import { addAccountCommands } from './accounts.ts';
import { addActivityCommand } from './activity.ts';
import { addBackupCommands } from './backup/commands.ts';
import { addBulkWorkCommand } from './bulk-work.ts';
import { addCleanupJobsCommand } from './cleanup-jobs.ts';
import { addDeliveryCommands } from './deliveries/deliveries.ts';
import { addDeploymentCommand } from './deployment.ts';
import { addDoctorCommand } from './doctor/doctor.ts';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { addExportCommand } from './export/commands.ts';
import { addFileCommands } from './files/commands.ts';
import { findPlatform } from './find-platform.ts';
import { createPrinter } from './print.ts';
import { addProcessesCommand } from './processes.ts';
import { addQueueCommand } from './queues.ts';
import { addSecretCommands } from './secrets.ts';

export function createProgram(env: Record<string, string | undefined>): Command {
  const program = new Command('npm run ops --')
    .description(
      "The operator's command line. It finds the platform through PORT, PUBLIC_URL, OPERATOR_KEY and DATA_DIR.",
    )
    .option('--json', 'print JSON instead of tables')
    .showHelpAfterError('(see --help)')
    .exitOverride();
  withExamples(
    program,
    [
      'doctor',
      'accounts list',
      'accounts set-plan ada@example.com pro',
      '--json accounts list --email ada@example.com',
      'deliveries list --status failed --since 24h',
      'deliveries replay --since 6h',
      'queues',
      'processes',
      'activity --minutes 180',
      'secrets reencrypt --dry-run',
      'backup /backups/2026-11-22',
      'export /exports',
    ],
    'Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 no response, 4 the doctor found a fault.\nOutput is coloured on a terminal unless NO_COLOR is set.',
  );
  const surroundings: Surroundings = {
    env,
    platform: () => findPlatform(env),
    printer: () =>
      createPrinter({
        json: program.opts().json === true,
        colours: process.stdout.isTTY === true && process.stdout.hasColors(),
        write: (text) => process.stdout.write(text),
      }),
  };
  for (const add of commands) add(program, surroundings);
  return program;
}

const commands = [
  addDoctorCommand,
  addAccountCommands,
  addDeliveryCommands,
  addQueueCommand,
  addProcessesCommand,
  addCleanupJobsCommand,
  addBulkWorkCommand,
  addActivityCommand,
  addDeploymentCommand,
  addSecretCommands,
  addBackupCommands,
  addExportCommand,
  addFileCommands,
];
